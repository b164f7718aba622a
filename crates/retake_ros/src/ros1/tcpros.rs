//! TCPROS: headers of connections, and messages behind their length.

use std::collections::BTreeMap;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::announced::read_announced;

/// Longest header, and longest message.
const MAX_HEADER: u32 = 64 * 1024;
const MAX_MESSAGE: u32 = 16 * 1024 * 1024;

/// What the two ends of a connection tell each other first.
pub(super) type Header = BTreeMap<String, String>;

/// Makes a header.
pub(super) fn header(fields: &[(&str, &str)]) -> Header {
    fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

pub(super) async fn read_header(from: &mut (impl AsyncRead + Unpin)) -> Result<Header, String> {
    read_fields(&read_block(from, MAX_HEADER).await?)
}

/// Reads the fields of a header; an error that the other end tells is one.
pub(super) fn read_fields(bytes: &[u8]) -> Result<Header, String> {
    let mut rest = bytes;
    let mut fields = Header::new();
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk::<4>().ok_or("a field is cut off")?;
        let length = u32::from_le_bytes(*length) as usize;
        let (field, after) = after.split_at_checked(length).ok_or("a field is cut off")?;
        let field = std::str::from_utf8(field).map_err(|_| "a field is no text")?;
        let (name, value) = field.split_once('=').ok_or("a field has no value")?;
        fields.insert(name.to_owned(), value.to_owned());
        rest = after;
    }
    match fields.get("error") {
        Some(error) => Err(error.clone()),
        None => Ok(fields),
    }
}

pub(super) async fn write_header(
    to: &mut (impl AsyncWrite + Unpin),
    fields: &Header,
) -> Result<(), String> {
    write_block(to, &write_fields(fields)).await
}

/// Writes the fields of a header, without its length.
pub(super) fn write_fields(fields: &Header) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, value) in fields {
        let field = format!("{name}={value}");
        bytes.extend((field.len() as u32).to_le_bytes());
        bytes.extend(field.as_bytes());
    }
    bytes
}

/// Reads a message.
pub(super) async fn read_message(from: &mut (impl AsyncRead + Unpin)) -> Result<Vec<u8>, String> {
    read_block(from, MAX_MESSAGE).await
}

/// Writes bytes behind their length.
pub(super) async fn write_block(
    to: &mut (impl AsyncWrite + Unpin),
    bytes: &[u8],
) -> Result<(), String> {
    let mut whole = Vec::with_capacity(bytes.len() + 4);
    whole.extend((bytes.len() as u32).to_le_bytes());
    whole.extend(bytes);
    to.write_all(&whole).await.map_err(|error| error.to_string())
}

async fn read_block(from: &mut (impl AsyncRead + Unpin), most: u32) -> Result<Vec<u8>, String> {
    let length = from.read_u32_le().await.map_err(|error| error.to_string())?;
    if length > most {
        return Err(format!("{length} bytes are announced, at most {most} are taken"));
    }
    let mut bytes = Vec::new();
    read_announced(from, length as usize, &mut bytes).await?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ros1::announced::tests::makes_little_room;

    #[tokio::test]
    async fn headers_read_back() {
        let told = header(&[("callerid", "/retake"), ("md5sum", "*"), ("definition", "a=b\nc")]);
        let mut bytes = Vec::new();
        write_header(&mut bytes, &told).await.unwrap();
        assert_eq!(read_header(&mut bytes.as_slice()).await.unwrap(), told);
        let refusal = header(&[("error", "no such topic")]);
        let mut bytes = Vec::new();
        write_header(&mut bytes, &refusal).await.unwrap();
        assert_eq!(read_header(&mut bytes.as_slice()).await.unwrap_err(), "no such topic");
    }

    #[tokio::test]
    async fn too_much_is_refused_before_memory_is_taken() {
        let mut bytes = [255u8; 8].as_slice();
        assert!(read_message(&mut bytes).await.unwrap_err().contains("at most"));
    }

    #[test]
    fn an_announcement_costs_no_memory() {
        let mut said = MAX_MESSAGE.to_le_bytes().to_vec();
        said.extend(b"begins");
        makes_little_room(&said, async |from| drop(read_message(from).await));
    }
}
