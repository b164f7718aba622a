//! Which file a name in a world file means.
//!
//! Every answer is a canonical path under one of the roots: `..`, percent-encoding and symbolic
//! links are followed first and judged by where they end. A name that leads outside gets the same
//! answer as one that leads nowhere, so that a client cannot ask which files exist.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::fuel::{self, FuelAddress};
use crate::package;

/// Folders under which files may be named.
#[derive(Clone, Debug, Default)]
pub struct ResourceRoots {
    /// Canonical folders, in the order of search.
    folders: Vec<PathBuf>,
    /// Canonical caches of Fuel servers.
    fuel_caches: Vec<PathBuf>,
}

/// Why a folder cannot be a root.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// It cannot be found or entered.
    #[error("cannot use the resource folder {path}: {source}")]
    Unreachable {
        /// What the system says.
        source: io::Error,
        /// The folder.
        path: PathBuf,
    },
    /// It is not a folder.
    #[error("the resource path {path} is not a folder")]
    NotAFolder {
        /// What was named.
        path: PathBuf,
    },
}

/// Why a name was not resolved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// No such file, or none that may be named.
    #[error("nothing under the resource folders is called {uri:?}")]
    NotFound {
        /// The name.
        uri: String,
    },
    /// The name asks for the network.
    #[error("{uri:?} is on the network, and Retake does not download")]
    Network {
        /// The name.
        uri: String,
    },
    /// The name has a scheme that means no file.
    #[error("{uri:?} has a scheme that Retake does not read")]
    UnknownScheme {
        /// The name.
        uri: String,
    },
}

impl ResourceRoots {
    /// Makes an empty list, under which nothing can be named.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a folder at the end of the search order; a folder already there is not added twice.
    ///
    /// # Errors
    /// [`RootError`] when it is not a folder that can be entered.
    pub fn add(&mut self, folder: &Path) -> Result<(), RootError> {
        let canonical = entered(folder)?;
        if !self.folders.contains(&canonical) {
            self.folders.push(canonical);
        }
        Ok(())
    }

    /// Adds a folder in which a Fuel client keeps what it has downloaded.
    ///
    /// # Errors
    /// [`RootError`] when it is not a folder that can be entered.
    pub fn add_fuel_cache(&mut self, folder: &Path) -> Result<(), RootError> {
        self.fuel_caches.push(entered(folder)?);
        Ok(())
    }

    /// Returns the same roots with `folder` before all others; as they are when it cannot be
    /// entered, because then it holds nothing that could be found.
    pub fn with_first(&self, folder: &Path) -> Self {
        let mut roots = self.clone();
        if let Ok(canonical) = entered(folder) {
            roots.folders.retain(|other| *other != canonical);
            roots.folders.insert(0, canonical);
        }
        roots
    }

    /// Returns the folders in the order of search.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Lists the models in the caches of Fuel servers as address and folder, at most `limit` of each.
    pub fn cached_models(&self, limit: usize) -> Vec<(String, PathBuf)> {
        let listed = self.fuel_caches.iter().flat_map(|cache| fuel::models_in(cache, limit));
        listed.filter_map(|(uri, path)| Some((uri, self.allowed(&path)?))).collect()
    }

    /// Finds the file or folder that `uri` means in a file that lies in `referring_folder`.
    ///
    /// Understands `model://name/…`, `package://name/…`, `file://…`, addresses of Fuel servers that
    /// a cache holds, and plain paths; relative
    /// paths are tried against `referring_folder` and then against each root. The name of a model
    /// or package is that of a folder in a root, or of a root that is a ROS package itself.
    ///
    /// # Errors
    /// [`ResolveError`]; the text does not tell a missing file from a forbidden one.
    pub fn resolve(
        &self,
        uri: &str,
        referring_folder: Option<&Path>,
    ) -> Result<PathBuf, ResolveError> {
        let not_found = || ResolveError::NotFound { uri: uri.to_owned() };
        let (scheme, rest) = match uri.split_once("://") {
            Some((scheme, rest)) => (scheme, percent_decoded(rest).ok_or_else(not_found)?),
            None => ("", uri.to_owned()),
        };
        if rest.is_empty() || rest.contains('\0') {
            return Err(not_found());
        }
        let found = match scheme {
            "model" | "package" => {
                let path = Path::new(&rest);
                self.under_roots(path).or_else(|| self.in_package(path))
            }
            "file" | "" => self.plain(Path::new(&rest), referring_folder),
            "http" | "https" => {
                let network = || ResolveError::Network { uri: uri.to_owned() };
                return self.in_fuel_cache(&rest).ok_or_else(network);
            }
            _ => return Err(ResolveError::UnknownScheme { uri: uri.to_owned() }),
        };
        found.ok_or_else(not_found)
    }

    /// Finds the folder that `uri` means, as a parameter of a plugin names one: a relative path is
    /// tried against each root, and the folder of the world file is one of them.
    ///
    /// # Errors
    /// [`ResolveError`]; a file is no folder, and reads like a missing one.
    pub fn folder(&self, uri: &str) -> Result<PathBuf, ResolveError> {
        let uri = uri.trim();
        let found = self.resolve(uri, None)?;
        match found.is_dir() {
            true => Ok(found),
            false => Err(ResolveError::NotFound { uri: uri.to_owned() }),
        }
    }

    /// Finds a file directly in a folder of [`ResourceRoots::folder`] by its plain name: no part of a
    /// path, and no link that leads elsewhere.
    pub fn file_in(&self, folder: &Path, name: &str) -> Option<PathBuf> {
        let mut parts = Path::new(name).components();
        let is_plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
            && !name.contains(['/', '\\', '\0']);
        let found = self.allowed(&folder.join(name)).filter(|_| is_plain)?;
        (found.parent() == Some(folder) && found.is_file()).then_some(found)
    }

    /// Writes a name for `path` that does not depend on the file that uses it: `model://…` under
    /// the first root that holds it.
    pub fn portable_uri(&self, path: &Path) -> Option<String> {
        let inner = self.folders.iter().find_map(|root| path.strip_prefix(root).ok())?;
        let parts: Option<Vec<&str>> =
            inner.components().map(|part| part.as_os_str().to_str()).collect();
        let parts: Vec<String> = parts?.iter().map(|part| part.replace('%', "%25")).collect();
        (!parts.is_empty()).then(|| format!("model://{}", parts.join("/")))
    }

    fn plain(&self, path: &Path, referring_folder: Option<&Path>) -> Option<PathBuf> {
        if path.is_absolute() {
            return self.allowed(path);
        }
        let beside = referring_folder.and_then(|folder| self.allowed(&folder.join(path)));
        beside.or_else(|| self.under_roots(path))
    }

    fn under_roots(&self, path: &Path) -> Option<PathBuf> {
        // Joining an absolute path would replace the root.
        let relative: PathBuf =
            path.components().filter(|part| !matches!(part, Component::RootDir)).collect();
        self.folders.iter().find_map(|root| self.allowed(&root.join(&relative)))
    }

    /// Looks in the roots that are the package which `path` names first.
    fn in_package(&self, path: &Path) -> Option<PathBuf> {
        let mut parts = path.components();
        let Component::Normal(name) = parts.next()? else { return None };
        let inside = parts.as_path();
        let packages = self.folders.iter().filter(|root| package::is_called(root, name));
        packages.into_iter().find_map(|root| self.allowed(&root.join(inside)))
    }

    fn in_fuel_cache(&self, rest: &str) -> Option<PathBuf> {
        let address = FuelAddress::parse(rest)?;
        let places = self.fuel_caches.iter().flat_map(|cache| address.places(cache));
        places.into_iter().find_map(|place| self.allowed(&place))
    }

    /// Returns the canonical form of `path` when it exists under a root or in a cache.
    fn allowed(&self, path: &Path) -> Option<PathBuf> {
        let canonical = path.canonicalize().ok()?;
        let mut folders = self.folders.iter().chain(&self.fuel_caches);
        folders.any(|root| canonical.starts_with(root)).then_some(canonical)
    }
}

/// Returns the canonical form of a folder that can be entered.
fn entered(folder: &Path) -> Result<PathBuf, RootError> {
    let path = folder.to_owned();
    match folder.canonicalize() {
        Ok(canonical) if canonical.is_dir() => Ok(canonical),
        Ok(_) => Err(RootError::NotAFolder { path }),
        Err(source) => Err(RootError::Unreachable { source, path }),
    }
}

/// Decodes `%20` and the like; none when an escape is broken or the result is not UTF-8.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        let digits =
            part.get(..2).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder `in` that is the root, with `box/mesh.stl` and `w/a b.obj`, beside a secret.
    fn setup() -> (tempfile::TempDir, ResourceRoots) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("in");
        std::fs::create_dir_all(root.join("box")).unwrap();
        std::fs::create_dir_all(root.join("w")).unwrap();
        for name in ["in/box/mesh.stl", "in/w/a b.obj", "secret"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        let mut roots = ResourceRoots::new();
        roots.add(&root).unwrap();
        (folder, roots)
    }

    fn relative(roots: &ResourceRoots, uri: &str) -> String {
        let root = &roots.folders()[0];
        match roots.resolve(uri, Some(&root.join("w"))) {
            Ok(path) => path.strip_prefix(root).unwrap().display().to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn finds_what_is_under_the_roots() {
        let (_folder, roots) = setup();
        for (uri, expected) in [
            ("model://box/mesh.stl", "box/mesh.stl"),
            ("package://box/mesh.stl", "box/mesh.stl"),
            ("model://box", "box"),
            ("file://box/mesh.stl", "box/mesh.stl"),
            ("a b.obj", "w/a b.obj"),
            ("file://a%20b.obj", "w/a b.obj"),
            ("../box/mesh.stl", "box/mesh.stl"),
            ("box/mesh.stl", "box/mesh.stl"),
        ] {
            assert_eq!(relative(&roots, uri), expected, "{uri}");
        }
        let absolute = roots.folders()[0].join("box/mesh.stl");
        let uri = format!("file://{}", absolute.display());
        assert_eq!(roots.resolve(&uri, None).unwrap(), absolute);
        assert_eq!(roots.portable_uri(&absolute).unwrap(), "model://box/mesh.stl");
    }

    #[test]
    fn a_root_can_be_the_package_itself() {
        let (folder, mut roots) = setup();
        let package = folder.path().join("checkout");
        std::fs::create_dir_all(package.join("meshes")).unwrap();
        std::fs::write(package.join("meshes/arm.stl"), "").unwrap();
        roots.add(&package).unwrap();
        let find = |uri: &str| roots.resolve(uri, None).is_ok();
        assert!(!find("package://checkout/meshes/arm.stl"), "a folder is not a package yet");
        let manifest = "<package><!-- <name>no</name> --><name> arm_description </name></package>";
        std::fs::write(package.join("package.xml"), manifest).unwrap();
        for name in ["package://checkout", "package://arm_description", "model://arm_description"] {
            assert!(find(&format!("{name}/meshes/arm.stl")), "{name}");
            assert!(!find(&format!("{name}/../secret")), "{name}");
        }
        assert!(!find("package://other/meshes/arm.stl"));
        assert!(!find("package://no/meshes/arm.stl"));
    }

    #[test]
    fn outside_reads_like_missing() {
        let (folder, roots) = setup();
        let secret = folder.path().join("secret");
        std::os::unix::fs::symlink(&secret, folder.path().join("in/link")).unwrap();
        let absolute = format!("file://{}", secret.display());
        for uri in [
            "model://../secret",
            "model://%2e%2e/secret",
            "model://box/../../secret",
            "../../secret",
            "model://link",
            &absolute,
            &secret.display().to_string(),
            "model:///etc/passwd",
            "model://",
            "model://box%",
            "model://box%00",
            "model://box/nothing.stl",
        ] {
            let expected = format!("nothing under the resource folders is called {uri:?}");
            assert_eq!(relative(&roots, uri), expected);
        }
    }

    #[test]
    fn folders_of_plugins_are_found_and_only_plain_names_in_them() {
        let (folder, roots) = setup();
        let root = &roots.folders()[0];
        std::os::unix::fs::symlink(folder.path().join("secret"), root.join("box/link")).unwrap();
        let found = roots.folder(" box ").unwrap();
        assert_eq!(found, root.join("box"));
        assert_eq!(roots.folder("model://box").unwrap(), found);
        for bad in ["nothing", "box/mesh.stl", "..", "", "/etc"] {
            let expected = format!("nothing under the resource folders is called {bad:?}");
            assert_eq!(roots.folder(bad).unwrap_err().to_string(), expected);
        }
        assert_eq!(roots.file_in(&found, "mesh.stl"), Some(found.join("mesh.stl")));
        let outside = ["", ".", "..", "link", "./mesh.stl", "../w", "nothing", "/etc/passwd"];
        for bad in
            outside.into_iter().chain(["../box/mesh.stl", "..\\mesh.stl", "mesh.stl/", "a\0"])
        {
            assert_eq!(roots.file_in(&found, bad), None, "{bad:?}");
        }
    }

    #[test]
    fn does_not_download() {
        let (_folder, roots) = setup();
        assert_eq!(
            relative(&roots, "https://fuel.example/box"),
            "\"https://fuel.example/box\" is on the network, and Retake does not download"
        );
        assert_eq!(
            relative(&roots, "ftp://box"),
            "\"ftp://box\" has a scheme that Retake does not read"
        );
    }

    #[test]
    fn what_was_downloaded_before_is_found() {
        let (folder, mut roots) = setup();
        let model = folder.path().join("cache/fuel.gazebosim.org/me/models/box/2");
        std::fs::create_dir_all(&model).unwrap();
        std::fs::write(model.join("model.sdf"), "").unwrap();
        roots.add_fuel_cache(&folder.path().join("cache")).unwrap();
        let found = roots.resolve("https://fuel.gazebosim.org/1.0/Me/models/Box", None).unwrap();
        assert_eq!(found, model.canonicalize().unwrap());
        let listed = [("https://fuel.gazebosim.org/1.0/me/models/box".to_owned(), found.clone())];
        assert_eq!(roots.cached_models(10), listed);
        assert_eq!(roots.resolve(&listed[0].0, None).as_ref(), Ok(&found));
        assert!(roots.cached_models(0).is_empty());
        let beside = roots.resolve("model.sdf", Some(&found)).unwrap();
        assert!(beside.ends_with("2/model.sdf"));
        let out = "https://fuel.gazebosim.org/1.0/Me/models/Box/2/files/../../../../../../secret";
        assert!(matches!(roots.resolve(out, None), Err(ResolveError::Network { .. })));
    }

    #[test]
    fn a_root_must_be_a_folder() {
        let (folder, mut roots) = setup();
        assert!(matches!(
            roots.add(&folder.path().join("none")),
            Err(RootError::Unreachable { .. })
        ));
        assert!(matches!(
            roots.add(&folder.path().join("secret")),
            Err(RootError::NotAFolder { .. })
        ));
    }
}
