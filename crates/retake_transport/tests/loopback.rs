//! Nothing listens beyond loopback (invariant I10), as the kernel sees it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;

use retake_transport::ZenohBus;

/// Inodes of this process's sockets.
fn own_sockets() -> BTreeSet<String> {
    let links = fs::read_dir("/proc/self/fd").unwrap().filter_map(|entry| entry.ok());
    let targets = links.filter_map(|link| fs::read_link(link.path()).ok());
    let names = targets.filter_map(|target| target.to_str().map(str::to_owned));
    let inode = |name: String| Some(name.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned());
    names.filter_map(inode).collect()
}

/// Local addresses, in the kernel's notation, of this process's sockets in a table.
fn own_addresses(table: &str, state: Option<&str>) -> Vec<String> {
    let own = own_sockets();
    let text = fs::read_to_string(format!("/proc/self/net/{table}")).unwrap_or_default();
    let rows = text.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
    let ours = rows.filter(|row| own.contains(row[9]) && state.is_none_or(|state| row[3] == state));
    ours.map(|row| row[1].to_owned()).collect()
}

#[test]
fn nothing_listens_beyond_loopback() {
    const LISTEN: &str = "0A";
    let server = ZenohBus::listen(0).unwrap();
    let _clients: Vec<_> = (0..3).map(|_| ZenohBus::connect(server.address()).unwrap()).collect();
    // 127.0.0.1 in the kernel's byte order.
    let expected = format!("0100007F:{:04X}", server.address().port());
    assert_eq!(own_addresses("tcp", Some(LISTEN)), [expected]);
    assert_eq!(own_addresses("tcp6", Some(LISTEN)), [""; 0]);
    // Scouting would have a UDP socket.
    assert_eq!(own_addresses("udp", None), [""; 0]);
    assert_eq!(own_addresses("udp6", None), [""; 0]);
}
