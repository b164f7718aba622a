//! Shapes of files, read and made once, by any thread, as long as they fit.
//!
//! A cache and nothing else: what it gives depends on the files and the numbers alone, so whether a
//! shape was kept or is made anew changes no bit of a simulation. Loaders fill it ahead of time with
//! [`ShapeLibrary::prepare`]; the bridge takes from it while it steps.

mod files;
mod kept;
mod room;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use retake_description::Geometry;
use retake_math::Vec3;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::{MeshData, PreparedShape, ShapeMaker, ShapeSource};
use files::{Content, FileKey, Size, Stamp};
use kept::{Kept, Slot};
pub(crate) use room::{MOST_SHAPES_MIB, ShapeRoom};

/// Most threads that make shapes at once.
const MAX_THREADS: usize = 8;

/// Shapes that take time, shared between the threads that make them and the one that steps.
pub struct ShapeLibrary {
    maker: ShapeMaker,
    kept: Mutex<Kept>,
    /// How much files hold, also of those that had to give way: what fits must be known without
    /// reading them again.
    sizes: Mutex<BTreeMap<FileKey, (Option<Stamp>, Size)>>,
}

/// How far a load of several shapes has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadProgress {
    /// Shapes that are ready or failed.
    pub done: usize,
    /// Shapes of the whole load.
    pub total: usize,
}

impl fmt::Display for LoadProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Loading meshes {}/{}", self.done, self.total)
    }
}

/// Whether a file that is known already is looked at again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// It may have changed: whoever loads wants it as it is now.
    Again,
    /// As it was when it was loaded: a step must not wait for a disk.
    Never,
}

impl ShapeLibrary {
    /// Makes an empty library whose shapes `maker` makes.
    pub fn new(maker: ShapeMaker) -> Self {
        Self { maker, kept: Mutex::default(), sizes: Mutex::default() }
    }

    /// Says whether a geometry takes time to make, so that it should be prepared.
    pub fn is_slow(geometry: &Geometry) -> bool {
        matches!(
            geometry,
            Geometry::Mesh { .. }
                | Geometry::Heightmap { .. }
                | Geometry::Polyline(_)
                | Geometry::Ellipsoid { .. }
        )
    }

    /// Makes a shape ready, reading its file anew when that has changed.
    ///
    /// Several threads that want the same shape wait for the first of them.
    ///
    /// # Errors
    /// The reason why there is no such shape; it is remembered like a shape.
    pub fn prepare(&self, geometry: &Geometry) -> Result<PreparedShape, String> {
        self.find(geometry, Look::Again)
    }

    /// Returns a shape as it was prepared; one that never was, or had to give way, is made now.
    ///
    /// # Errors
    /// The reason why there is no such shape.
    pub fn get(&self, geometry: &Geometry) -> Result<PreparedShape, String> {
        self.find(geometry, Look::Never)
    }

    /// Makes all shapes ready that take time, on several threads, and tells after each one.
    ///
    /// Returns the shapes: holding them keeps them in the library. What has no shape is left out,
    /// and said when it is to collide. When there is no room for all of them together, none is made:
    /// no engine takes them.
    pub fn prepare_all<'a>(
        &self,
        geometries: impl IntoIterator<Item = &'a Geometry>,
        tell: &(dyn Fn(LoadProgress) + Sync),
    ) -> Vec<PreparedShape> {
        let mut seen = BTreeSet::new();
        let slow = geometries.into_iter().filter(|geometry| Self::is_slow(geometry));
        let jobs: Vec<&Geometry> = slow.filter(|geometry| seen.insert(encoded(geometry))).collect();
        self.measure_all(&jobs);
        if ShapeRoom::default().add(self, jobs.iter().copied()).is_err() {
            return Vec::new();
        }
        let (done, shapes) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        on_threads(&jobs, &|geometry| {
            if let Ok(shape) = self.prepare(geometry) {
                lock(&shapes).push(shape);
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            tell(LoadProgress { done, total: jobs.len() });
        });
        shapes.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns how much the files of shapes hold, on several threads.
    pub(crate) fn measure_all(&self, geometries: &[&Geometry]) {
        let mut seen = BTreeSet::new();
        let of_files = geometries.iter().filter_map(|geometry| {
            let (_, key) = FileKey::of(geometry)?;
            seen.insert(key).then_some(*geometry)
        });
        let jobs: Vec<&Geometry> = of_files.collect();
        on_threads(&jobs, &|geometry| {
            self.bytes(geometry, Look::Again);
        });
    }

    /// Returns about how many bytes a shape takes when it is made; nothing when its file is not
    /// readable, as then there is no shape.
    fn bytes(&self, geometry: &Geometry, look: Look) -> usize {
        let Some((uri, key)) = FileKey::of(geometry) else {
            return room::shape_bytes(geometry, Size::default());
        };
        let known = lock(&self.sizes).get(&key).copied();
        let known = known.filter(|(stamp, _)| is_good(*stamp, &key, look));
        let size = known.map_or_else(|| self.measure(uri, key, look), |(_, size)| size);
        room::shape_bytes(geometry, size)
    }

    fn measure(&self, uri: &str, key: FileKey, look: Look) -> Size {
        let stamp = Stamp::of(key.path());
        let size = self.file(uri, key.clone(), look).map_or_else(|_| Size::default(), |f| f.size());
        lock(&self.sizes).insert(key, (stamp, size));
        size
    }

    fn find(&self, geometry: &Geometry, look: Look) -> Result<PreparedShape, String> {
        match geometry {
            Geometry::Mesh { scale, collide_as, .. } => {
                let file = self.file_of(geometry, look)?;
                let Content::Mesh(triangles) = &file.content else { return Err(wrong_kind()) };
                self.shape(&("mesh", file.digest, scale, collide_as), |maker| {
                    let mesh = scaled(triangles, *scale);
                    maker(&ShapeSource::Mesh { mesh: &mesh, collide_as: *collide_as })
                })
            }
            Geometry::Heightmap { size, position, .. } => {
                let file = self.file_of(geometry, look)?;
                let Content::Terrain(heights) = &file.content else { return Err(wrong_kind()) };
                let (size, position) = (*size, *position);
                self.shape(&("terrain", file.digest, size, position), |maker| {
                    maker(&ShapeSource::Terrain { heights, size, position })
                })
            }
            plain => self.shape(&plain, |maker| maker(&ShapeSource::Plain(plain))),
        }
    }

    fn file_of(&self, geometry: &Geometry, look: Look) -> Result<files::Read, String> {
        let (uri, key) = FileKey::of(geometry).ok_or_else(wrong_kind)?;
        self.file(uri, key, look)
    }

    /// Returns what a file holds.
    fn file(&self, uri: &str, key: FileKey, look: Look) -> Result<files::Read, String> {
        if key.path().as_os_str().is_empty() {
            return Err(format!("{uri:?} was not found, so the shape does not collide"));
        }
        let known = lock(&self.kept).file(&key).filter(|(stamp, _)| is_good(*stamp, &key, look));
        let slot = match known {
            Some((_, slot)) => slot,
            None => {
                let stamp = Stamp::of(key.path());
                lock(&self.kept).add_file(key.clone(), stamp)
            }
        };
        self.made(slot, || files::read(&key), files::Read::bytes)
    }

    /// Returns the shape with the given key, made by `make` when there is none.
    fn shape(
        &self,
        key: &impl Serialize,
        make: impl FnOnce(ShapeMaker) -> Result<PreparedShape, String>,
    ) -> Result<PreparedShape, String> {
        let key = encoded(key);
        let source = xxh3_128(&key);
        let slot: Slot<PreparedShape> = lock(&self.kept).shape(key);
        let make = || make(self.maker).map(|shape| shape.made_from(source));
        self.made(slot, make, PreparedShape::bytes)
    }

    /// Returns what is in a slot, made by `make` when it is empty.
    fn made<T: Clone>(
        &self,
        slot: Slot<T>,
        make: impl FnOnce() -> Result<T, String>,
        bytes: fn(&T) -> usize,
    ) -> Result<T, String> {
        let mut is_new = false;
        let made = slot.get_or_init(|| {
            is_new = true;
            make()
        });
        let made = made.clone();
        drop(slot);
        if is_new {
            lock(&self.kept).made(made.as_ref().map_or(0, bytes));
        }
        made
    }
}

/// Says whether what is known of a file still holds.
fn is_good(stamp: Option<Stamp>, key: &FileKey, look: Look) -> bool {
    match look {
        Look::Never => true,
        Look::Again => stamp.is_some() && stamp == Stamp::of(key.path()),
    }
}

/// Does all jobs, several at once; this thread helps.
fn on_threads<'a>(jobs: &[&'a Geometry], job: &(dyn Fn(&'a Geometry) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(geometry) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            job(geometry);
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        for _ in 1..threads.min(jobs.len()).min(MAX_THREADS) {
            // Without another thread this one does it all.
            thread::Builder::new().name("load".to_owned()).spawn_scoped(scope, work).ok();
        }
        work();
    });
}

fn wrong_kind() -> String {
    "the file is of another kind".to_owned()
}

/// Bytes that are equal for equal values.
fn encoded(value: &impl Serialize) -> Vec<u8> {
    rmp_serde::to_vec(value).expect("plain values without maps are encodable")
}

fn scaled(mesh: &retake_assets::TriMesh, scale: Vec3) -> MeshData {
    let corner = |p: &[f32; 3]| Vec3::from_array(p.map(f64::from)) * scale;
    MeshData {
        positions: mesh.positions.iter().map(corner).collect(),
        indices: mesh.indices.clone(),
    }
}

/// A panic while the lock was held leaves plain data behind, which is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
