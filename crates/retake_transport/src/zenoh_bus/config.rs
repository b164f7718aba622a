//! How zenoh is set up: a star around the server, on loopback, found by address and nothing else.
//!
//! The server is a zenoh router that listens on 127.0.0.1; everybody else is a zenoh client that
//! listens nowhere. zenoh's own defaults would listen on all interfaces and join a multicast group.

use std::net::SocketAddrV4;

use zenoh::Config;

/// A frozen peer is given up after this long; a killed one is noticed at once.
const LEASE_MS: u64 = 2500;

/// Room for a message of greatest size with its zenoh headers.
const MAX_WIRE_BYTES: usize = retake_msgs::MAX_MESSAGE_BYTES + 64 * 1024;

/// How many programs may be connected to one server at once.
const MAX_SESSIONS: usize = 256;

pub(super) fn server(address: SocketAddrV4) -> zenoh::Result<Config> {
    let mut config = common()?;
    config.insert_json5("mode", "\"router\"")?;
    config.insert_json5("listen/endpoints", &format!("[\"tcp/{address}\"]"))?;
    config.insert_json5("connect/endpoints", "[]")?;
    Ok(config)
}

pub(super) fn client(address: SocketAddrV4) -> zenoh::Result<Config> {
    client_of(&format!("tcp/{address}"))
}

/// Makes the configuration of a client that connects to `endpoint`, as zenoh writes it.
pub(super) fn client_of(endpoint: &str) -> zenoh::Result<Config> {
    let mut config = common()?;
    config.insert_json5("mode", "\"client\"")?;
    config.insert_json5("listen/endpoints", "[]")?;
    config.insert_json5("connect/endpoints", &serde_json::json!([endpoint]).to_string())?;
    // One try: who wants to wait for a server asks again. Once connected, zenoh reconnects.
    config.insert_json5("connect/timeout_ms", "0")?;
    config.insert_json5("connect/exit_on_failure", "true")?;
    config.insert_json5(
        "connect/retry",
        "{ period_init_ms: 200, period_max_ms: 1000, period_increase_factor: 2 }",
    )?;
    Ok(config)
}

fn common() -> zenoh::Result<Config> {
    let mut config = Config::default();
    for (key, value) in [
        ("scouting/multicast/enabled", "false".to_owned()),
        ("scouting/gossip/enabled", "false".to_owned()),
        // A router would wait this long for scouting, which is off.
        ("scouting/delay", "0".to_owned()),
        ("adminspace/enabled", "false".to_owned()),
        ("timestamping/enabled", "false".to_owned()),
        ("transport/link/protocols", "[\"tcp\"]".to_owned()),
        ("transport/link/tx/lease", LEASE_MS.to_string()),
        ("transport/link/rx/max_message_size", MAX_WIRE_BYTES.to_string()),
        ("transport/unicast/max_sessions", MAX_SESSIONS.to_string()),
        ("transport/unicast/accept_timeout", LEASE_MS.to_string()),
        ("transport/unicast/open_timeout", LEASE_MS.to_string()),
        ("transport/shared_memory/enabled", "false".to_owned()),
    ] {
        config.insert_json5(key, &value)?;
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: SocketAddrV4 = SocketAddrV4::new(std::net::Ipv4Addr::LOCALHOST, 8643);

    fn get(config: &Config, key: &str) -> String {
        config.get_json(key).unwrap().replace(' ', "")
    }

    #[test]
    fn only_the_server_listens_and_only_on_loopback() {
        let server = server(ADDRESS).unwrap();
        assert_eq!(get(&server, "listen/endpoints"), "[\"tcp/127.0.0.1:8643\"]");
        assert_eq!(get(&server, "connect/endpoints"), "[]");
        let client = client(ADDRESS).unwrap();
        assert_eq!(get(&client, "listen/endpoints"), "[]");
        assert_eq!(get(&client, "connect/endpoints"), "[\"tcp/127.0.0.1:8643\"]");
    }

    #[test]
    fn nobody_scouts_and_limits_are_set() {
        for config in [server(ADDRESS).unwrap(), client(ADDRESS).unwrap()] {
            assert_eq!(get(&config, "scouting/multicast/enabled"), "false");
            assert_eq!(get(&config, "scouting/gossip/enabled"), "false");
            assert_eq!(get(&config, "adminspace/enabled"), "false");
            assert_eq!(get(&config, "transport/link/protocols"), "[\"tcp\"]");
            assert_eq!(get(&config, "transport/link/tx/lease"), "2500");
            assert_eq!(get(&config, "transport/link/rx/max_message_size"), "16842752");
        }
    }
}
