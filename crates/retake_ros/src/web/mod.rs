//! WebSocket servers on loopback: who may connect, how many, and what waits to be sent.

mod access;
mod outbox;

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::{
    Callback, ErrorResponse, Request, Response,
};
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::http::header::SEC_WEBSOCKET_PROTOCOL;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

pub(crate) use access::Access;
pub(crate) use outbox::{Out, Outbox, is_taken};

use crate::BridgeError;

/// Clients of one server; further ones are closed unheard.
const MOST_CLIENTS: usize = 32;
/// Longest message of a client.
const MAX_MESSAGE: usize = 8 * 1024 * 1024;
/// How long a client may take to say what it wants.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Pause after the system refused a connection, as it does when it has no handles left.
const AFTER_REFUSAL: Duration = Duration::from_millis(50);

pub(crate) type Socket = WebSocketStream<TcpStream>;

/// Listens on a port of loopback; 0 takes any free one.
pub(crate) async fn listen(port: u16, flag: &'static str) -> Result<TcpListener, BridgeError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpListener::bind(address).await.map_err(|source| match source.kind() {
        std::io::ErrorKind::AddrInUse => BridgeError::PortBusy { port, flag },
        _ => BridgeError::Io { flag, source },
    })
}

/// Serves clients until the future is dropped; each gets a `session` of its own.
pub(crate) async fn serve<S, F>(listener: TcpListener, access: Access, session: S)
where
    S: Fn(Socket) -> F + Send + Sync + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let places = Arc::new(Semaphore::new(MOST_CLIENTS));
    let (access, session) = (Arc::new(access), Arc::new(session));
    loop {
        match (listener.accept().await, Arc::clone(&places).try_acquire_owned()) {
            (Ok((stream, _)), Ok(place)) => {
                let (access, session) = (Arc::clone(&access), Arc::clone(&session));
                tokio::spawn(async move {
                    if let Some(socket) = shake_hands(stream, &access).await {
                        session(socket).await;
                    }
                    drop(place);
                });
            }
            (Ok(_), Err(_)) => tracing::warn!("{MOST_CLIENTS} clients are connected already"),
            (Err(cause), _) => {
                tracing::warn!(%cause, "a connection could not be accepted");
                tokio::time::sleep(AFTER_REFUSAL).await;
            }
        }
    }
}

async fn shake_hands(stream: TcpStream, access: &Access) -> Option<Socket> {
    // Small messages should not wait for more to come; without the option they are only later.
    stream.set_nodelay(true).ok();
    let limits = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    let greeting =
        tokio_tungstenite::accept_hdr_async_with_config(stream, Greeting { access }, Some(limits));
    match tokio::time::timeout(HANDSHAKE, greeting).await {
        Ok(Ok(socket)) => Some(socket),
        Ok(Err(cause)) => {
            tracing::debug!(%cause, "a client was not let in");
            None
        }
        Err(_) => None,
    }
}

struct Greeting<'a> {
    access: &'a Access,
}

impl Callback for Greeting<'_> {
    #[allow(clippy::result_large_err, reason = "the trait has it so")]
    fn on_request(
        self,
        request: &Request,
        mut response: Response,
    ) -> Result<Response, ErrorResponse> {
        let protocol = self.access.check(request.headers()).map_err(|(status, text)| {
            let mut refusal = ErrorResponse::new(Some(text));
            *refusal.status_mut() = status;
            refusal
        })?;
        if let Some(protocol) = protocol {
            let value = HeaderValue::from_static(protocol);
            response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, value);
        }
        Ok(response)
    }
}
