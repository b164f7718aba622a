//! Keeps DDS on this machine.
//!
//! RustDDS can be told which addresses to announce, but its sockets listen everywhere. So each socket
//! that came with it is tied to the loopback device, where nothing from other machines arrives and
//! from where nothing leaves.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;

use rustix::fs::fstat;
use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
use socket2::{Domain, SockRef, Type};

/// The device whose traffic stays on this machine.
const DEVICE: &str = "lo";

/// What a file is known by as long as it is open; its number is given to others once it is closed.
type FileId = (u64, u64);

/// Files that this process has open.
pub(super) struct Open(BTreeSet<FileId>);

impl Open {
    /// Notes which files are open now.
    pub(super) fn now() -> io::Result<Self> {
        let known = |number: i32| {
            let file = std::fs::metadata(format!("/proc/self/fd/{number}")).ok()?;
            Some((file.dev(), file.ino()))
        };
        // What is closed meanwhile is nobody's any more.
        Ok(Self(numbers()?.into_iter().filter_map(known).collect()))
    }

    /// Ties all sockets for datagrams that were opened since to the loopback device; returns how many.
    ///
    /// # Errors
    /// When the system refuses; some may be tied then.
    pub(super) fn tie_newer(&self) -> io::Result<usize> {
        let mut tied = 0;
        for socket in self.newer()? {
            let socket = SockRef::from(&socket);
            socket.bind_device(Some(DEVICE.as_bytes()))?;
            if socket.device()?.as_deref() != Some(DEVICE.as_bytes()) {
                return Err(io::Error::other("a socket is not tied although it was said so"));
            }
            tied += 1;
        }
        Ok(tied)
    }

    /// Returns copies of the sockets for datagrams that were opened since.
    fn newer(&self) -> io::Result<Vec<OwnedFd>> {
        let mut newer = Vec::new();
        for socket in datagram_sockets()? {
            let file = fstat(&socket)?;
            if !self.0.contains(&(file.st_dev, file.st_ino)) {
                newer.push(socket);
            }
        }
        Ok(newer)
    }
}

#[cfg(test)]
impl Open {
    /// Returns the devices of sockets for datagrams that were opened since.
    pub(super) fn devices(&self) -> io::Result<Vec<Option<String>>> {
        let device = |socket: OwnedFd| {
            let device = SockRef::from(&socket).device()?;
            Ok(device.map(|name| String::from_utf8_lossy(&name).into_owned()))
        };
        self.newer()?.into_iter().map(device).collect()
    }
}

/// Returns copies of all sockets for datagrams of this process that listen on more than one address.
fn datagram_sockets() -> io::Result<Vec<OwnedFd>> {
    let process = pidfd_open(getpid(), PidfdFlags::empty())?;
    let mut found = Vec::new();
    for number in numbers()? {
        // Copied by the system: others may close what they have open at any time.
        let copy = match pidfd_getfd(&process, number, PidfdGetfdFlags::empty()) {
            Ok(copy) => copy,
            Err(rustix::io::Errno::BADF) => continue,
            Err(refused) => return Err(refused.into()),
        };
        let socket = SockRef::from(&copy);
        // Whatever is no socket has neither type nor address.
        let is_datagram = socket.r#type().is_ok_and(|kind| kind == Type::DGRAM)
            && socket.domain().is_ok_and(|domain| domain == Domain::IPV4);
        let address = socket.local_addr().ok().and_then(|address| address.as_socket_ipv4());
        if is_datagram && address.is_some_and(|address| !address.ip().is_loopback()) {
            found.push(copy);
        }
    }
    Ok(found)
}

/// Lists the numbers of the files that are open.
fn numbers() -> io::Result<Vec<i32>> {
    let entries = std::fs::read_dir("/proc/self/fd")?;
    let number =
        |entry: io::Result<std::fs::DirEntry>| entry.ok()?.file_name().to_str()?.parse().ok();
    Ok(entries.filter_map(number).collect())
}

#[cfg(test)]
pub(super) mod tests {
    use std::net::UdpSocket;
    use std::sync::{Mutex, PoisonError};

    use super::*;

    /// Tests that tie sockets would tie those of each other.
    pub(in super::super) static ALONE: Mutex<()> = Mutex::new(());

    #[test]
    fn only_newer_sockets_are_tied() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let older = UdpSocket::bind("0.0.0.0:0").unwrap();
        let open = Open::now().unwrap();
        let newer = UdpSocket::bind("0.0.0.0:0").unwrap();
        let inner = UdpSocket::bind("127.0.0.1:0").unwrap();
        assert!(open.tie_newer().unwrap() >= 1);
        let device = |socket: &UdpSocket| SockRef::from(socket).device().unwrap();
        assert_eq!(device(&newer).as_deref(), Some(DEVICE.as_bytes()));
        assert_eq!((device(&older), device(&inner)), (None, None));
        // It is still there for this machine.
        let port = newer.local_addr().unwrap().port();
        inner.send_to(b"here", ("127.0.0.1", port)).unwrap();
        let mut heard = [0; 4];
        newer.recv(&mut heard).unwrap();
        assert_eq!(&heard, b"here");
    }
}
