//! Addresses of Gazebo's Fuel server, as its local cache lays them out.
//!
//! `https://HOST/1.0/OWNER/models/NAME[/VERSION][/files/PATH]` lies in
//! `CACHE/HOST/owner/models/name/VERSION/PATH`. Nothing is ever downloaded.

use std::path::{Path, PathBuf};

/// Names that the one server has had.
const HOSTS: [&str; 2] = ["fuel.gazebosim.org", "fuel.ignitionrobotics.org"];
/// Most versions of a model that are looked through.
const MAX_VERSIONS: usize = 10_000;

/// What an address on a Fuel server means.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FuelAddress<'a> {
    host: &'a str,
    owner: &'a str,
    /// `models` or `worlds`.
    kind: &'a str,
    name: &'a str,
    /// None means the newest.
    version: Option<u64>,
    /// File inside; empty for the folder itself.
    inside: PathBuf,
}

impl<'a> FuelAddress<'a> {
    /// Takes apart what follows `https://`, already decoded; none when it is no Fuel address.
    pub(crate) fn parse(rest: &'a str) -> Option<Self> {
        let mut parts = rest.split('/').filter(|part| !part.is_empty());
        let host = parts.next()?;
        let mut owner = parts.next()?;
        // The version of the interface may be left out.
        if owner.starts_with(|c: char| c.is_ascii_digit()) && owner.contains('.') {
            owner = parts.next()?;
        }
        let kind = parts.next().filter(|kind| matches!(*kind, "models" | "worlds"))?;
        let name = parts.next()?;
        let mut parts = parts.peekable();
        let version = parts.peek().and_then(|part| part.parse().ok());
        if version.is_some() || parts.peek() == Some(&"tip") {
            parts.next();
        }
        if parts.peek() == Some(&"files") {
            parts.next();
        }
        let inside = parts.collect();
        let named = [host, owner, name];
        let plain = named.iter().all(|part| !matches!(*part, "." | ".."));
        plain.then_some(Self { host, owner, kind, name, version, inside })
    }

    /// Returns the places in a cache where it could lie, the likeliest first.
    pub(crate) fn places(&self, cache: &Path) -> Vec<PathBuf> {
        let others = HOSTS.iter().filter(|_| HOSTS.contains(&self.host));
        let mut hosts = vec![self.host];
        hosts.extend(others.filter(|host| **host != self.host));
        let (owner, name) = (self.owner.to_lowercase(), self.name.to_lowercase());
        let folders =
            hosts.iter().map(|host| cache.join(host).join(&owner).join(self.kind).join(&name));
        let versions = folders.filter_map(|folder| {
            let version = self.version.or_else(|| newest(&folder))?;
            Some(folder.join(version.to_string()).join(&self.inside))
        });
        versions.collect()
    }
}

/// Lists the models of a cache as address and folder of the newest version, at most `limit`.
pub(crate) fn models_in(cache: &Path, limit: usize) -> Vec<(String, PathBuf)> {
    let mut models = Vec::new();
    for host in names_in(cache, limit) {
        for owner in names_in(&cache.join(&host), limit) {
            let folder = cache.join(&host).join(&owner).join("models");
            for name in names_in(&folder, limit.saturating_sub(models.len())) {
                let Some(version) = newest(&folder.join(&name)) else { continue };
                let path = folder.join(&name).join(version.to_string());
                models.push((format!("https://{host}/1.0/{owner}/models/{name}"), path));
            }
        }
    }
    models
}

/// Lists what is in a folder by name, at most `limit`.
fn names_in(folder: &Path, limit: usize) -> Vec<String> {
    // A folder that is not there or may not be read holds nothing that could be used.
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.take(limit).collect();
    names.sort();
    names
}

/// Finds the newest version in the folder of a model.
fn newest(folder: &Path) -> Option<u64> {
    let entries = std::fs::read_dir(folder).ok()?.take(MAX_VERSIONS);
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter_map(|name| name.parse().ok()).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(rest: &str, cache: &Path) -> Vec<String> {
        let found = FuelAddress::parse(rest).map(|address| address.places(cache));
        let shown = |path: PathBuf| {
            path.strip_prefix(cache).unwrap().display().to_string().trim_end_matches('/').to_owned()
        };
        found.unwrap_or_default().into_iter().map(shown).collect()
    }

    #[test]
    fn addresses_name_folders_of_the_cache() {
        let cache = tempfile::tempdir().unwrap();
        let folder = "fuel.gazebosim.org/openrobotics/models/x3 uav";
        for version in ["4", "12", "not-a-version"] {
            std::fs::create_dir_all(cache.path().join(folder).join(version)).unwrap();
        }
        let of = |rest: &str| places(rest, cache.path());
        let ignition = "fuel.ignitionrobotics.org/openrobotics/models/x3 uav/4";
        assert_eq!(
            of("fuel.gazebosim.org/1.0/OpenRobotics/models/X3 UAV/4"),
            [format!("{folder}/4"), ignition.to_owned()]
        );
        let newest = [format!("{folder}/12")];
        assert_eq!(of("fuel.gazebosim.org/1.0/OpenRobotics/models/X3 UAV"), newest);
        assert_eq!(of("fuel.ignitionrobotics.org/OpenRobotics/models/X3 UAV/tip"), newest);
        assert_eq!(
            of("fuel.gazebosim.org/1.0/openrobotics/models/X3 UAV/tip/files/meshes/x3.dae"),
            [format!("{folder}/12/meshes/x3.dae")]
        );
        assert!(of("example.org/1.0/a/models/b/1")[0].starts_with("example.org/a/models/b/1"));
    }

    #[test]
    fn other_addresses_are_none() {
        for rest in
            ["", "host", "host/1.0", "host/1.0/owner/images/x", "host/../models/x", "a/b/models"]
        {
            assert_eq!(FuelAddress::parse(rest), None, "{rest}");
        }
    }
}
