//! Reading what was announced by its length.
//!
//! Whoever announces much and sends nothing must not cost memory, and 256 may be connected at once:
//! room is made a piece at a time, as bytes really come.

use tokio::io::{AsyncRead, AsyncReadExt};

/// Room that is made at once.
const PIECE: usize = 64 * 1024;

/// Appends exactly `length` bytes; the caller has checked that so many may come.
///
/// What has come stays in `into` when it is given up.
///
/// # Errors
/// What the system says, or how much is missing when the other end leaves before.
pub(super) async fn read_announced(
    from: &mut (impl AsyncRead + Unpin),
    length: usize,
    into: &mut Vec<u8>,
) -> Result<(), String> {
    let whole = into.len() + length;
    while into.len() < whole {
        let missing = whole - into.len();
        if into.capacity() == into.len() {
            // Twice what has come, so that copying stays cheap, but no more than is to come.
            into.reserve_exact(into.len().max(PIECE).min(missing));
        }
        let mut rest = (&mut *from).take(missing as u64);
        let come = rest.read_buf(into).await.map_err(|error| error.to_string())?;
        if come == 0 {
            return Err(format!("it ended {missing} bytes before it was whole"));
        }
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use std::io;
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use tokio::io::{AsyncWriteExt, ReadBuf, duplex};

    use super::*;

    /// Another end that says something and then nothing more; notes the most room it was given.
    pub(in crate::ros1) struct Silent {
        said: Vec<u8>,
        most_room: usize,
    }

    impl AsyncRead for Silent {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            room: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            self.most_room = self.most_room.max(room.remaining());
            let come = self.said.len().min(room.remaining());
            if come == 0 {
                return Poll::Pending;
            }
            room.put_slice(&self.said[..come]);
            self.said.drain(..come);
            Poll::Ready(Ok(()))
        }
    }

    /// Fails unless whoever reads waits for more, with no more room made at once than a piece.
    pub(in crate::ros1) fn makes_little_room(said: &[u8], read: impl AsyncFnOnce(&mut Silent)) {
        let mut silent = Silent { said: said.to_vec(), most_room: 0 };
        {
            let mut reading = pin!(read(&mut silent));
            let state = reading.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert_eq!(state, Poll::Pending, "all that was announced is waited for");
        }
        assert!(silent.said.is_empty(), "not read: {:?}", silent.said);
        let room = silent.most_room;
        assert!(room <= PIECE, "{room} bytes of room for {} that came", said.len());
    }

    /// Announces `length` bytes, sends `sent` of them and says how much room was made by then.
    async fn room_for(length: usize, sent: usize) -> usize {
        let (mut theirs, mut ours) = duplex(sent.max(1));
        theirs.write_all(&vec![7; sent]).await.unwrap();
        let mut bytes = Vec::new();
        {
            let mut reading = pin!(read_announced(&mut ours, length, &mut bytes));
            let state = reading.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert_eq!(state, Poll::Pending, "the other end may still send");
        }
        assert_eq!(bytes, vec![7; sent]);
        bytes.capacity()
    }

    #[tokio::test]
    async fn memory_follows_what_has_come_and_not_what_was_announced() {
        const ANNOUNCED: usize = 16 * 1024 * 1024;
        assert_eq!(room_for(ANNOUNCED, 0).await, PIECE);
        assert_eq!(room_for(ANNOUNCED, 10).await, PIECE);
        for sent in [PIECE, 100_000, 1_000_000] {
            let room = room_for(ANNOUNCED, sent).await;
            assert!(room <= 2 * sent.max(PIECE), "{room} bytes of room for {sent} that came");
        }
        assert_eq!(room_for(12, 4).await, 12, "and no more than is to come");
    }

    #[tokio::test]
    async fn what_follows_is_left_for_the_next() {
        let sent: Vec<u8> = (0..200_000_u32).map(|number| number as u8).collect();
        let (mut from, mut bytes) = (sent.as_slice(), Vec::new());
        read_announced(&mut from, 150_000, &mut bytes).await.unwrap();
        assert!(bytes == sent[..150_000] && from == &sent[150_000..]);
        let short = read_announced(&mut from, 50_001, &mut Vec::new()).await.unwrap_err();
        assert_eq!(short, "it ended 1 bytes before it was whole");
    }
}
