//! Images that materials name: each is taken once, and those inside of the file fit a budget.

use std::collections::BTreeMap;

use gltf_json::Image;

use super::super::Fault;
use super::super::neighbours::Neighbours;
use super::super::parts::{Mesh, Texture};
use super::data::{Buffers, Extent, inline};

/// Longest image inside of a file, in bytes.
const MAX_IMAGE_BYTES: u64 = 64 << 20;
/// Most bytes that all images inside of a file take together: views of its data may overlap, so
/// that a short file could ask for any number of them.
const MAX_IMAGES_BYTES: u64 = 256 << 20;

/// The images of a file as far as they were asked for.
pub(super) struct Images<'a> {
    files: &'a Neighbours,
    /// Places in the mesh by the number of the image; none for those that are left out.
    known: BTreeMap<usize, Option<usize>>,
    /// Places in the mesh by where in the buffers the image lies.
    views: BTreeMap<Extent, usize>,
    /// Bytes that images may still take.
    left: u64,
}

impl<'a> Images<'a> {
    pub(super) fn new(files: &'a Neighbours) -> Self {
        let (known, views) = Default::default();
        Self { files, known, views, left: MAX_IMAGES_BYTES }
    }

    /// Returns the place of a texture's image in the mesh; what cannot be had is a warning there.
    pub(super) fn place(
        &mut self,
        texture: usize,
        buffers: &mut Buffers<'_>,
        mesh: &mut Mesh,
    ) -> Option<usize> {
        let (number, image) = buffers.image_of(texture)?;
        if let Some(&known) = self.known.get(&number) {
            return known;
        }
        let place = self.add(image, buffers, mesh);
        let place = place.map_err(|warning| mesh.warn(warning)).ok();
        self.known.insert(number, place);
        place
    }

    fn add(
        &mut self,
        image: &Image,
        buffers: &mut Buffers<'_>,
        mesh: &mut Mesh,
    ) -> Result<usize, String> {
        match (&image.uri, image.buffer_view) {
            (_, Some(view)) => self.view(view.value(), buffers, mesh),
            (Some(uri), None) if uri.starts_with("data:") => self.inline(uri, mesh),
            (Some(uri), None) => {
                self.files.image(uri).map(|path| mesh.texture(Texture::File(path)))
            }
            (None, None) => Err("an image has no data".to_owned()),
        }
    }

    fn view(
        &mut self,
        view: usize,
        buffers: &mut Buffers<'_>,
        mesh: &mut Mesh,
    ) -> Result<usize, String> {
        let extent = buffers.extent(view).map_err(said)?;
        if let Some(&known) = self.views.get(&extent) {
            return Ok(known);
        }
        let bytes = buffers.view(view).map_err(said)?;
        self.spend(bytes.len() as u64)?;
        let place = embed(bytes, mesh);
        self.views.insert(extent, place);
        Ok(place)
    }

    fn inline(&mut self, uri: &str, mesh: &mut Mesh) -> Result<usize, String> {
        // Four letters stand for three bytes; the address in front of them is short.
        self.spend(uri.len() as u64 / 4 * 3)?;
        match inline(uri, MAX_IMAGE_BYTES).map_err(said)? {
            Some(bytes) => Ok(embed(&bytes, mesh)),
            None => Err("an image has no data".to_owned()),
        }
    }

    /// Counts the bytes of an image, before memory is taken for them.
    fn spend(&mut self, bytes: u64) -> Result<(), String> {
        if bytes > MAX_IMAGE_BYTES {
            return Err(format!("an image has more bytes than the limit of {MAX_IMAGE_BYTES}"));
        }
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or_else(|| {
            let named = self.files.mesh_name();
            format!(
                "the images inside of {named} take more than {MAX_IMAGES_BYTES} bytes together; those past the limit are left out"
            )
        })?;
        Ok(())
    }
}

/// Adds an image without comparing it with others: those may be many and alike but for an end.
fn embed(bytes: &[u8], mesh: &mut Mesh) -> usize {
    mesh.textures.push(Texture::Embedded(bytes.into()));
    mesh.textures.len() - 1
}

fn said(fault: Fault) -> String {
    match fault {
        Fault::Malformed(what) => what,
        other => format!("{other:?}"),
    }
}
