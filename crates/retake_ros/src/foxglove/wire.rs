//! The binary messages of the protocol.

/// A binary message of a client.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told<'a> {
    /// A message on a channel that the client advertised.
    Message { channel: u32, payload: &'a [u8] },
    /// A call of a service.
    Call { service: u32, call: u32, encoding: &'a str, payload: &'a [u8] },
}

/// Reads a binary message of a client.
pub(super) fn read(bytes: &[u8]) -> Result<Told<'_>, &'static str> {
    const SHORT: &str = "The message is cut off";
    let (opcode, rest) = bytes.split_first().ok_or(SHORT)?;
    match opcode {
        1 => {
            let (channel, payload) = number(rest).ok_or(SHORT)?;
            Ok(Told::Message { channel, payload })
        }
        2 => {
            let (service, rest) = number(rest).ok_or(SHORT)?;
            let (call, rest) = number(rest).ok_or(SHORT)?;
            let (length, rest) = number(rest).ok_or(SHORT)?;
            let (encoding, payload) = rest.split_at_checked(length as usize).ok_or(SHORT)?;
            let encoding = std::str::from_utf8(encoding).map_err(|_| "The encoding is no text")?;
            Ok(Told::Call { service, call, encoding, payload })
        }
        _ => Err("The first byte is neither 1 (message) nor 2 (call)"),
    }
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*number), rest))
}

/// Writes a message of a subscription.
pub(super) fn message(subscription: u32, stamp_nanos: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![1];
    bytes.extend(subscription.to_le_bytes());
    bytes.extend(stamp_nanos.to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// Writes the time.
pub(super) fn time(stamp_nanos: u64) -> Vec<u8> {
    let mut bytes = vec![2];
    bytes.extend(stamp_nanos.to_le_bytes());
    bytes
}

/// Writes the response of a service.
pub(super) fn response(service: u32, call: u32, encoding: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![3];
    bytes.extend(service.to_le_bytes());
    bytes.extend(call.to_le_bytes());
    bytes.extend((encoding.len() as u32).to_le_bytes());
    bytes.extend(encoding.as_bytes());
    bytes.extend(payload);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_is_refused() {
        let call =
            [&[2u8][..], &7u32.to_le_bytes(), &9u32.to_le_bytes(), &3u32.to_le_bytes(), b"cdrxy"]
                .concat();
        let read_whole = read(&call).unwrap();
        let expected = Told::Call { service: 7, call: 9, encoding: "cdr", payload: b"xy" };
        assert_eq!(read_whole, expected);
        for length in 0..call.len() - 2 {
            assert!(read(&call[..length]).is_err(), "{length}");
        }
        assert!(read(&[9, 0, 0, 0, 0]).is_err());
    }
}
