//! Which files hold what a world was saved as, so that saving again knows them.

use retake_msgs::{SavedFile, WorldSource, WorldSourceRequest};

/// Longest hash of a file.
const MAX_HASH_BYTES: usize = 128;
/// Longest path, as systems have them.
const MAX_PATH_BYTES: usize = 4096;
/// Other files that are remembered; the one that was saved longest ago gives way.
const MAX_COPIES: usize = 64;

/// Notes what a request says was saved.
pub(crate) fn note(source: &mut WorldSource, request: WorldSourceRequest) {
    let WorldSourceRequest { saved_hash, saved_path: path } = request;
    let Some(hash) = saved_hash else { return };
    if hash.len() > MAX_HASH_BYTES || path.len() > MAX_PATH_BYTES {
        return;
    }
    if path.is_empty() {
        source.hash = hash;
        return;
    }
    source.copy.retain(|known| known.path != path);
    if source.copy.len() >= MAX_COPIES {
        source.copy.remove(0);
    }
    source.copy.push(SavedFile { path, hash });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(path: &str, hash: &str) -> WorldSourceRequest {
        WorldSourceRequest { saved_hash: Some(hash.to_owned()), saved_path: path.to_owned() }
    }

    #[test]
    fn the_latest_hash_of_each_file_is_known_and_the_oldest_files_give_way() {
        let mut source = WorldSource { path: "own".to_owned(), ..WorldSource::default() };
        note(&mut source, saved("", "1"));
        note(&mut source, WorldSourceRequest::default());
        assert_eq!((source.hash.as_str(), source.copy.len()), ("1", 0));
        for number in 0..=MAX_COPIES {
            note(&mut source, saved(&format!("copy {number}"), "2"));
        }
        note(&mut source, saved("copy 1", "3"));
        note(&mut source, saved(&"p".repeat(MAX_PATH_BYTES + 1), "4"));
        note(&mut source, saved("copy 2", &"h".repeat(MAX_HASH_BYTES + 1)));
        let known = |path: &str| source.copy.iter().find(|copy| copy.path == path);
        assert_eq!(source.copy.len(), MAX_COPIES);
        assert_eq!(known("copy 0"), None);
        assert_eq!(known("copy 1").map(|copy| copy.hash.as_str()), Some("3"));
        assert_eq!(known("copy 2").map(|copy| copy.hash.as_str()), Some("2"));
    }
}
