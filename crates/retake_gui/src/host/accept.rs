//! Takes connections, a bounded number of them, each with a bounded time to say what it wants.

mod moving;
mod places;

use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;

use super::http;
use super::hub::Hub;
use super::visit::Peer;
use moving::Moving;
use places::{Place, Places, Taken};

/// Connections beyond the pages' own: a browser opens some six for files.
const EXTRA_CONNECTIONS: usize = 192;
/// Longest request head.
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// Pause after the system refused a connection, as it does when it has no handles left.
const AFTER_REFUSAL: Duration = Duration::from_millis(50);

/// Accepts connections until the host stops.
pub(super) async fn run(listener: TcpListener, hub: Arc<Hub>) {
    let places = Places::new(hub.options.max_clients + EXTRA_CONNECTIONS);
    let router = http::router(&hub);
    let mut stopped = hub.stopped.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        };
        match accepted {
            Ok((stream, from)) => match places.take().await {
                Some(taken) => {
                    let peer = Peer(from.ip());
                    tokio::spawn(take(stream, peer, router.clone(), Arc::clone(&hub), taken));
                }
                // Closed unheard, so that those that the host works for are not disturbed.
                None => tracing::debug!("too many connections"),
            },
            Err(cause) => {
                tracing::warn!(%cause, "a connection could not be accepted");
                tokio::time::sleep(AFTER_REFUSAL).await;
            }
        }
    }
    // Before the hub, by whose end others know that the host is over: then its port is free.
    drop(listener);
    drop(hub);
}

/// Serves one connection, until it has to give way to others.
async fn take(stream: TcpStream, peer: Peer, router: axum::Router, hub: Arc<Hub>, taken: Taken) {
    // Small messages should not wait for more to come; without the option they are only later.
    stream.set_nodelay(true).ok();
    tokio::select! {
        () = greet(stream, peer, router, &hub, taken.place()) => {}
        () = taken.gives_way() => tracing::debug!("a connection that is waited for gives way"),
    }
    // Only now, when its end of the line is closed, is there room for another.
    drop(taken);
}

/// Serves one connection, encrypted if the host says so.
async fn greet(stream: TcpStream, peer: Peer, router: axum::Router, hub: &Hub, place: &Arc<Place>) {
    let Some(tls) = hub.door.tls() else {
        return serve(stream, peer, router, hub, place).await;
    };
    let greeting = tls.acceptor().accept(stream);
    match tokio::time::timeout(hub.options.handshake_timeout, greeting).await {
        Ok(Ok(stream)) => serve(stream, peer, router, hub, place).await,
        Ok(Err(cause)) => tracing::debug!(%cause, "a connection is not encrypted as asked"),
        Err(_) => tracing::debug!("a connection took too long to be encrypted"),
    }
}

/// Answers requests; an upgraded connection goes on in its session.
async fn serve(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    peer: Peer,
    router: axum::Router,
    hub: &Hub,
    place: &Arc<Place>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(hub.options.handshake_timeout);
    http.max_buf_size(MAX_HEAD_BYTES);
    let router = TowerToHyperService::new(router);
    let (place, stream) = (Arc::clone(place), Moving::new(stream, Arc::clone(place)));
    let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(peer);
        place.moves();
        // Of a request with a body there is something to wait for.
        let work = request.body().is_end_stream().then(|| place.work());
        let answer = router.call(request);
        async move {
            let answer = answer.await;
            drop(work);
            answer
        }
    });
    // Whoever does not read an answer would hold it, and a place, for ever.
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(hub.options.write_timeout));
    let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), answer).with_upgrades();
    let mut stopped = hub.stopped.clone();
    tokio::select! {
        ended = connection => {
            if let Err(cause) = ended {
                tracing::debug!(%cause, "a connection ended with an error");
            }
        }
        _ = stopped.wait_for(|stopped| *stopped) => {}
    }
}
