//! Meshes, terrain and textures of the world's shapes, for the page to draw.
//!
//! A page names entities, never files: what is served is what the world shows. Files are read on
//! threads that may wait, few at a time, and kept packed as long as they fit.

mod image;
mod pack;
mod terrain;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use retake_assets::{Mesh, ResourceRoots, Submesh, Texture, load_mesh_parts};
use retake_components::{Shape, VisualMaterial};
use retake_description::Geometry;
use retake_ecm::EntityId;
use tokio::sync::Semaphore;

use super::hub::Hub;
use crate::lock::locked;

/// Bytes of packed meshes and their images that are kept; past it the oldest go.
const MAX_CACHED_BYTES: usize = 256 * 1024 * 1024;
/// Files that are read at once.
const READERS: usize = 2;
/// Edges sharper than this stay sharp in meshes that have no normals.
const CREASE_RAD: f32 = 0.7;

/// Packed meshes by what they were made of.
pub(super) struct MeshCache {
    kept: Mutex<Kept>,
    readers: Semaphore,
}

#[derive(Default)]
struct Kept {
    meshes: VecDeque<(Source, Arc<Packed>)>,
    bytes: usize,
}

/// A mesh as the page takes it, and the images that it names.
struct Packed {
    bytes: Bytes,
    textures: Vec<Texture>,
}

/// What a packed mesh was made of; a file that was written since is another source.
#[derive(Clone, PartialEq)]
struct Source {
    shape: Geometry,
    written: Option<SystemTime>,
}

impl Default for MeshCache {
    fn default() -> Self {
        Self { kept: Mutex::default(), readers: Semaphore::new(READERS) }
    }
}

/// Serves the mesh or terrain of a visual or collision of the world, unscaled.
pub(super) async fn serve(
    State(hub): State<Arc<Hub>>,
    entity: Result<Path<u64>, PathRejection>,
) -> Response {
    match packed(&hub, entity.ok().map(|Path(id)| id)).await {
        Ok(packed) => {
            let headers = [(CONTENT_TYPE, "application/octet-stream"), (CACHE_CONTROL, "no-cache")];
            (headers, packed.bytes.clone()).into_response()
        }
        Err(reason) => (StatusCode::NOT_FOUND, reason).into_response(),
    }
}

/// Serves an image that a mesh names.
pub(super) async fn serve_texture(
    State(hub): State<Arc<Hub>>,
    names: Result<Path<(u64, usize)>, PathRejection>,
) -> Response {
    let Ok(Path((entity, number))) = names else { return no_image() };
    let packed = packed(&hub, Some(entity)).await.ok();
    match packed.and_then(|packed| packed.textures.get(number).cloned()) {
        Some(texture) => send_image(texture).await,
        None => no_image(),
    }
}

/// Serves the colour texture of a visual's own material.
pub(super) async fn serve_albedo(
    State(hub): State<Arc<Hub>>,
    entity: Result<Path<u64>, PathRejection>,
) -> Response {
    let Ok(Path(entity)) = entity else { return no_image() };
    let view = hub.view();
    let material = view.ecm.get::<VisualMaterial>(EntityId::from_raw(entity));
    let pbr = material.and_then(|material| material.0.pbr.as_ref());
    match pbr.and_then(|pbr| pbr.albedo_path.clone()) {
        Some(path) => send_image(Texture::File(path)).await,
        None => no_image(),
    }
}

async fn send_image(texture: Texture) -> Response {
    match tokio::task::spawn_blocking(move || image::read(texture)).await {
        Ok(Ok((kind, bytes))) => {
            ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], bytes).into_response()
        }
        Ok(Err(cause)) => {
            tracing::warn!(cause, "a texture is not shown");
            (StatusCode::NOT_FOUND, cause).into_response()
        }
        Err(_) => no_image(),
    }
}

fn no_image() -> Response {
    (StatusCode::NOT_FOUND, "No such texture").into_response()
}

/// Returns the packed mesh of an entity, or why there is none.
async fn packed(hub: &Arc<Hub>, entity: Option<u64>) -> Result<Arc<Packed>, String> {
    let shape = entity.and_then(|id| shape_of(hub, EntityId::from_raw(id)));
    let shape = shape.ok_or_else(|| "No such mesh".to_owned())?;
    let path = match &shape {
        Geometry::Mesh { uri, path, .. } | Geometry::Heightmap { uri, path, .. } => {
            if path.as_os_str().is_empty() {
                return Err(format!("{uri:?} was not found under the resource folders"));
            }
            path.clone()
        }
        _ => return Err("No such mesh".to_owned()),
    };
    hub.meshes.packed(shape, path, &hub.options.roots).await
}

/// Finds the shape of an entity of the world; the world's loader has resolved its file.
///
/// What only a collision cares about is left out, so that it shares the mesh with the visual.
fn shape_of(hub: &Hub, entity: EntityId) -> Option<Geometry> {
    let mut shape = hub.view().ecm.get::<Shape>(entity)?.0.clone();
    if let Geometry::Mesh { scale, collide_as, .. } = &mut shape {
        *scale = retake_math::Vec3::ONE;
        *collide_as = Default::default();
    }
    Some(shape)
}

impl MeshCache {
    async fn packed(
        &self,
        shape: Geometry,
        path: PathBuf,
        roots: &ResourceRoots,
    ) -> Result<Arc<Packed>, String> {
        let stopped = |_| "The host is closing".to_owned();
        let _reader = self.readers.acquire().await.map_err(stopped)?;
        let source = Source { shape, written: written_at(path).await };
        if let Some(found) = self.find(&source) {
            return Ok(found);
        }
        let (wanted, roots) = (source.shape.clone(), roots.clone());
        let read = tokio::task::spawn_blocking(move || read(&wanted, &roots)).await;
        let read = read.unwrap_or_else(|_| Err("The mesh could not be read".to_owned()));
        let packed = Arc::new(read.inspect_err(|cause| {
            tracing::warn!(cause, "a mesh is not shown");
        })?);
        self.keep(source, Arc::clone(&packed));
        Ok(packed)
    }

    fn find(&self, source: &Source) -> Option<Arc<Packed>> {
        let kept = locked(&self.kept);
        kept.meshes.iter().find(|(known, _)| known == source).map(|(_, packed)| packed.clone())
    }

    fn keep(&self, source: Source, packed: Arc<Packed>) {
        let mut kept = locked(&self.kept);
        kept.bytes += packed.size();
        kept.meshes.push_back((source, packed));
        while kept.bytes > MAX_CACHED_BYTES {
            let Some((_, oldest)) = kept.meshes.pop_front() else { break };
            kept.bytes -= oldest.size();
        }
    }
}

impl Packed {
    fn size(&self) -> usize {
        let inside = self.textures.iter().map(|texture| match texture {
            Texture::Embedded(bytes) => bytes.len(),
            Texture::File(_) => 0,
        });
        self.bytes.len() + inside.sum::<usize>()
    }
}

async fn written_at(path: PathBuf) -> Option<SystemTime> {
    let ask = move || std::fs::metadata(path).and_then(|found| found.modified()).ok();
    tokio::task::spawn_blocking(ask).await.ok()?
}

fn read(shape: &Geometry, roots: &ResourceRoots) -> Result<Packed, String> {
    let mut mesh = match shape {
        Geometry::Mesh { path, submesh, center_submesh, .. } => {
            let center = *center_submesh;
            let submesh = submesh.as_deref().map(|name| Submesh { name, center });
            load_mesh_parts(path, submesh, roots).map_err(|error| error.to_string())?
        }
        Geometry::Heightmap { path, size, .. } => terrain::read(path, *size)?,
        _ => Mesh::default(),
    };
    // Done here rather than in the page, which would stand still meanwhile.
    mesh.parts.iter_mut().for_each(|part| part.add_normals(CREASE_RAD));
    let bytes = pack::pack(&mesh);
    Ok(Packed { bytes, textures: mesh.textures })
}
