//! Slows down whoever tries tokens.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Wrong tokens that an address may try within [`WINDOW`].
const MOST_WRONG: u32 = 10;
/// How long wrong tokens are remembered.
const WINDOW: Duration = Duration::from_secs(60);
/// Addresses that are remembered; past it the one that tried longest ago is forgotten.
const MOST_ADDRESSES: usize = 1024;

/// Counts wrong tokens by address.
#[derive(Default)]
pub(super) struct Throttle {
    tries: BTreeMap<IpAddr, (Instant, u32)>,
}

impl Throttle {
    /// Returns how long an address has to wait; none when it may try.
    pub(super) fn wait(&self, from: IpAddr, now: Instant) -> Option<Duration> {
        let (since, wrong) = self.tries.get(&from)?;
        let left = WINDOW.saturating_sub(now.saturating_duration_since(*since));
        (*wrong >= MOST_WRONG && !left.is_zero()).then_some(left)
    }

    /// Takes note of a wrong token.
    pub(super) fn wrong(&mut self, from: IpAddr, now: Instant) {
        if self.tries.len() >= MOST_ADDRESSES && !self.tries.contains_key(&from) {
            let oldest = self.tries.iter().min_by_key(|(_, (since, _))| *since);
            let oldest = oldest.map(|(address, _)| *address);
            oldest.map(|address| self.tries.remove(&address));
        }
        let (since, wrong) = self.tries.entry(from).or_insert((now, 0));
        if now.saturating_duration_since(*since) >= WINDOW {
            (*since, *wrong) = (now, 0);
        }
        *wrong += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn ten_wrong_tokens_close_the_door_for_a_minute() {
        let (mut throttle, start) = (Throttle::default(), Instant::now());
        for _ in 0..MOST_WRONG {
            assert_eq!(throttle.wait(HERE, start), None);
            throttle.wrong(HERE, start);
        }
        assert_eq!(throttle.wait(HERE, start), Some(WINDOW));
        let other = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));
        assert_eq!(throttle.wait(other, start), None, "others are not hindered");
        assert_eq!(throttle.wait(HERE, start + WINDOW), None);
        throttle.wrong(HERE, start + WINDOW);
        assert_eq!(throttle.wait(HERE, start + WINDOW), None, "counting begins anew");
    }

    #[test]
    fn addresses_are_bounded() {
        let (mut throttle, start) = (Throttle::default(), Instant::now());
        for number in 0..5000_u32 {
            let address = IpAddr::V4(std::net::Ipv4Addr::from(number));
            throttle.wrong(address, start + Duration::from_millis(number.into()));
        }
        assert_eq!(throttle.tries.len(), MOST_ADDRESSES);
    }
}
