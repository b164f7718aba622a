//! Just enough HTTP to carry XML-RPC: one POST and its answer for each connection.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::announced::read_announced;
use super::xmlrpc::{self, Value};

/// Longest head, and longest content.
const MAX_HEAD: usize = 16 * 1024;
const MAX_BODY: usize = 4 * 1024 * 1024;
/// How long another program may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Calls a method at `http://host:port/`.
pub(super) async fn call(uri: &str, method: &str, params: &[Value]) -> Result<Value, String> {
    let answered = tokio::time::timeout(PATIENCE, exchange(uri, method, params)).await;
    answered.unwrap_or_else(|_| Err("it does not answer".to_owned()))
}

async fn exchange(uri: &str, method: &str, params: &[Value]) -> Result<Value, String> {
    let host = host_of(uri)?;
    let mut stream = TcpStream::connect(&host).await.map_err(|error| error.to_string())?;
    let body = xmlrpc::write_call(method, params);
    let head = format!(
        "POST /RPC2 HTTP/1.1\r\nHost: {host}\r\nUser-Agent: retake\r\nContent-Type: text/xml\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let sent = stream.write_all((head + &body).as_bytes()).await;
    sent.map_err(|error| error.to_string())?;
    let (first, body) = read(&mut BufReader::new(stream)).await?;
    if !first.contains(" 200") {
        return Err(format!("it answers {first:?}"));
    }
    xmlrpc::read_response(&body)
}

/// Returns `host:port` of `http://host:port/` or `rosrpc://host:port`.
pub(super) fn host_of(uri: &str) -> Result<String, String> {
    let rest = uri.split_once("://").map(|(_, rest)| rest);
    let host = rest.and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let has_port = host
        .rsplit_once(':')
        .is_some_and(|(name, port)| !name.is_empty() && port.parse::<u16>().is_ok());
    match has_port {
        true => Ok(host.to_owned()),
        false => Err(format!("{uri:?} is no address like http://127.0.0.1:11311")),
    }
}

/// Takes one call from a connection and answers it.
pub(super) async fn answer(
    stream: TcpStream,
    handle: impl FnOnce(String, Vec<Value>) -> Value,
) -> Result<(), String> {
    let mut stream = BufReader::new(stream);
    let asked = tokio::time::timeout(PATIENCE, read(&mut stream)).await;
    let (first, body) = asked.map_err(|_| "nothing was asked".to_owned())??;
    let response = match (first.starts_with("POST "), xmlrpc::read_call(&body)) {
        (true, Ok((method, params))) => {
            let body = xmlrpc::write_response(&handle(method, params));
            let head = "HTTP/1.1 200 OK\r\nServer: retake\r\nContent-Type: text/xml\r\n";
            format!("{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
        }
        _ => {
            "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned()
        }
    };
    let sent = stream.get_mut().write_all(response.as_bytes()).await;
    sent.map_err(|error| error.to_string())
}

/// Reads the first line and the content of a message.
async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Result<(String, String), String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() >= MAX_HEAD {
            return Err("the head is too long".to_owned());
        }
        head.push(stream.read_u8().await.map_err(|error| error.to_string())?);
    }
    let (first, length) = read_head(head)?;
    let mut body = Vec::new();
    read_announced(stream, length, &mut body).await?;
    let body = String::from_utf8(body).map_err(|_| "the content is no text".to_owned())?;
    Ok((first, body))
}

/// Reads the first line of a head, and how long the content behind it is.
pub(super) fn read_head(head: Vec<u8>) -> Result<(String, usize), String> {
    let head = String::from_utf8(head).map_err(|_| "the head is no text".to_owned())?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let length = length.filter(|length| *length <= MAX_BODY);
    let length = length.ok_or("the length of the content is missing or too large")?;
    Ok((head.lines().next().unwrap_or_default().to_owned(), length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ros1::announced::tests::makes_little_room;

    #[test]
    fn addresses_are_taken_apart() {
        assert_eq!(host_of("http://localhost:11311/").unwrap(), "localhost:11311");
        assert_eq!(host_of("rosrpc://127.0.0.1:4000").unwrap(), "127.0.0.1:4000");
        for wrong in ["localhost:11311", "http://localhost", "http://:1", ""] {
            assert!(host_of(wrong).is_err(), "{wrong}");
        }
    }

    #[tokio::test]
    async fn what_others_send_is_bounded() {
        let mut long = b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n".as_slice();
        assert!(read(&mut long).await.unwrap_err().contains("too large"));
        let head = b"x".repeat(MAX_HEAD + 10);
        assert!(read(&mut head.as_slice()).await.unwrap_err().contains("too long"));
        let mut cut = b"POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc".as_slice();
        assert!(read(&mut cut).await.is_err());
    }

    #[test]
    fn an_announcement_costs_no_memory() {
        let said = format!("POST / HTTP/1.1\r\nContent-Length: {MAX_BODY}\r\n\r\n<methodCall>");
        makes_little_room(said.as_bytes(), async |from| drop(read(from).await));
    }
}
