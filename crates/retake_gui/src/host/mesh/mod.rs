//! Triangles of mesh geometries, for the page to draw.

use std::collections::VecDeque;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use retake_assets::{Submesh, TriMesh, load_mesh};
use retake_components::Shape;
use retake_description::Geometry;
use retake_ecm::EntityId;
use tokio::sync::Semaphore;

use super::http::EntityPath;
use super::hub::Hub;
use crate::lock::locked;

/// Bytes of packed meshes that are kept; past it the oldest go.
const MAX_CACHED_BYTES: usize = 256 * 1024 * 1024;
/// Mesh files that are read at once.
const READERS: usize = 2;

/// Packed meshes by what they were made of.
pub(super) struct MeshCache {
    kept: Mutex<Kept>,
    readers: Semaphore,
}

#[derive(Default)]
struct Kept {
    meshes: VecDeque<(Source, Bytes)>,
    bytes: usize,
}

/// What a packed mesh was made of; a file that was written since is another source.
#[derive(Clone, PartialEq)]
struct Source {
    path: PathBuf,
    submesh: Option<String>,
    center: bool,
    written: Option<SystemTime>,
}

impl Default for MeshCache {
    fn default() -> Self {
        Self { kept: Mutex::default(), readers: Semaphore::new(READERS) }
    }
}

/// Serves the mesh of a visual or collision of the world, unscaled.
pub(super) async fn serve(State(hub): State<Arc<Hub>>, entity: EntityPathResult) -> Response {
    let source = entity.ok().and_then(|Path(id)| source_of(&hub, EntityId::from_raw(id)));
    let Some(source) = source else {
        return (StatusCode::NOT_FOUND, "No such mesh").into_response();
    };
    match hub.meshes.packed(source).await {
        Some(bytes) => {
            let headers = [(CONTENT_TYPE, "application/octet-stream"), (CACHE_CONTROL, "no-cache")];
            (headers, bytes).into_response()
        }
        None => (StatusCode::NOT_FOUND, "No such mesh").into_response(),
    }
}

type EntityPathResult = Result<EntityPath, axum::extract::rejection::PathRejection>;

/// Finds the mesh file of an entity of the world; the world's loader has resolved its name.
fn source_of(hub: &Hub, entity: EntityId) -> Option<Source> {
    let view = hub.view();
    match &view.ecm.get::<Shape>(entity)?.0 {
        Geometry::Mesh { path, submesh, center_submesh, .. } if !path.as_os_str().is_empty() => {
            Some(Source {
                path: path.clone(),
                submesh: submesh.clone(),
                center: *center_submesh,
                written: None,
            })
        }
        _ => None,
    }
}

impl MeshCache {
    async fn packed(&self, mut source: Source) -> Option<Bytes> {
        let _reader = self.readers.acquire().await.ok()?;
        source.written = written_at(source.path.clone()).await;
        if let Some(found) = self.find(&source) {
            return Some(found);
        }
        let wanted = source.clone();
        let packed = tokio::task::spawn_blocking(move || read(&wanted)).await.ok()??;
        self.keep(source, packed.clone());
        Some(packed)
    }

    fn find(&self, source: &Source) -> Option<Bytes> {
        let kept = locked(&self.kept);
        kept.meshes.iter().find(|(known, _)| known == source).map(|(_, bytes)| bytes.clone())
    }

    fn keep(&self, source: Source, packed: Bytes) {
        let mut kept = locked(&self.kept);
        kept.bytes += packed.len();
        kept.meshes.push_back((source, packed));
        while kept.bytes > MAX_CACHED_BYTES {
            let Some((_, oldest)) = kept.meshes.pop_front() else { break };
            kept.bytes -= oldest.len();
        }
    }
}

async fn written_at(path: PathBuf) -> Option<SystemTime> {
    let ask = move || std::fs::metadata(path).and_then(|found| found.modified()).ok();
    tokio::task::spawn_blocking(ask).await.ok()?
}

fn read(source: &Source) -> Option<Bytes> {
    let path: &FilePath = &source.path;
    let submesh = source.submesh.as_deref();
    let submesh = submesh.map(|name| Submesh { name, center: source.center });
    match load_mesh(path, submesh) {
        Ok(mesh) => Some(pack(&mesh)),
        Err(cause) => {
            tracing::warn!(%cause, "a mesh is not shown");
            None
        }
    }
}

/// Packs counts, positions and indices, little-endian.
fn pack(mesh: &TriMesh) -> Bytes {
    let mut bytes = Vec::with_capacity(8 + mesh.positions.len() * 12 + mesh.indices.len() * 12);
    let counts = [mesh.positions.len(), mesh.indices.len() * 3];
    for count in counts {
        // The reader accepts fewer triangles than a u32 counts.
        bytes.extend_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
    }
    mesh.positions.iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
    mesh.indices.iter().flatten().for_each(|index| bytes.extend(index.to_le_bytes()));
    bytes.into()
}
