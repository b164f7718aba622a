//! Materials: the common profile of `<effect>`.

use std::collections::BTreeMap;

use super::super::neighbours::{self, Neighbours};
use super::super::parts::{Mesh, MeshMaterial, Texture};
use super::document::{Document, Node};
use super::sources::numbers;

/// Reads materials once each.
pub(super) struct Looks<'m> {
    files: &'m Neighbours,
    /// Places of materials by the element that defines them; none for those that say nothing.
    known: BTreeMap<usize, Option<usize>>,
}

impl<'m> Looks<'m> {
    pub(super) fn new(files: &'m Neighbours) -> Self {
        Self { files, known: BTreeMap::new() }
    }

    /// Returns the place of the material that an address names.
    pub(super) fn material(
        &mut self,
        document: &Document<'_>,
        address: &str,
        mesh: &mut Mesh,
    ) -> Option<usize> {
        if self.files.looks() == neighbours::Looks::Unwanted {
            return None;
        }
        let node = document.find(address).filter(|node| node.name() == "material")?;
        if let Some(&known) = self.known.get(&node.index()) {
            return known;
        }
        let read = self.read(document, node, mesh);
        let place = read.map(|material| {
            mesh.materials.push(material);
            mesh.materials.len() - 1
        });
        self.known.insert(node.index(), place);
        place
    }

    fn read(
        &self,
        document: &Document<'_>,
        material: Node<'_>,
        mesh: &mut Mesh,
    ) -> Option<MeshMaterial> {
        let url = material.child("instance_effect")?.attribute("url")?;
        let effect = document.find(url).filter(|node| node.name() == "effect")?;
        let profile = effect.child("profile_COMMON")?;
        let technique = profile.child("technique")?;
        let shading = ["lambert", "phong", "blinn", "constant"];
        let shading = shading.into_iter().find_map(|name| technique.child(name))?;
        let name = material.attribute("name").or(material.attribute("id")).unwrap_or_default();
        let mut look = MeshMaterial { name: name.to_owned(), ..MeshMaterial::default() };
        if let Some(diffuse) = shading.child("diffuse") {
            if let Some([red, green, blue, _]) = color(diffuse) {
                look.base_color = [red, green, blue, 1.0];
            }
            if let Some(texture) = diffuse.child("texture") {
                look.texture = self.texture(document, profile, texture, mesh);
            }
        }
        if let Some([red, green, blue, _]) = shading.child("emission").and_then(color) {
            look.emissive = [red, green, blue];
        }
        look.base_color[3] = opacity(shading);
        look.double_sided = is_double_sided(effect);
        Some(look)
    }

    /// Follows a texture through sampler and surface to its image.
    fn texture(
        &self,
        document: &Document<'_>,
        profile: Node<'_>,
        texture: Node<'_>,
        mesh: &mut Mesh,
    ) -> Option<usize> {
        let parameter =
            |sid: &str| profile.named("newparam").find(|node| node.attribute("sid") == Some(sid));
        let name = texture.attribute("texture")?;
        let sampler = parameter(name).and_then(|node| node.child("sampler2D"));
        let source = sampler.and_then(|sampler| sampler.child("source")).map(Node::text);
        let surface = source.and_then(parameter).and_then(|node| node.child("surface"));
        let image = surface.and_then(|surface| surface.child("init_from")).map(Node::text);
        // COLLADA 1.5 has the image in the sampler; some exporters leave out what is between.
        let instance = sampler.and_then(|sampler| sampler.child("instance_image"));
        let image = image.or(instance.and_then(|instance| instance.attribute("url")));
        let image = document.find(image.unwrap_or(name)).filter(|node| node.name() == "image");
        let from = image?.child("init_from")?;
        let file = from.child("ref").map_or(from.text(), Node::text);
        match self.files.image(file) {
            Ok(path) => Some(mesh.texture(Texture::File(path))),
            Err(warning) => {
                mesh.warn(warning);
                None
            }
        }
    }
}

/// Reads `<color>`; what is malformed there is not worth losing the mesh.
fn color(of: Node<'_>) -> Option<[f32; 4]> {
    let numbers = numbers(of.child("color")?).ok()?;
    let at = |place: usize, otherwise: f32| numbers.get(place).copied().unwrap_or(otherwise);
    (numbers.len() >= 3)
        .then(|| [at(0, 0.0), at(1, 0.0), at(2, 0.0), at(3, 1.0)])
        .map(|color| color.map(|value| value.clamp(0.0, 1.0)))
}

/// Tells the opacity; without a stated mode everything is opaque, as in Gazebo.
fn opacity(shading: Node<'_>) -> f32 {
    let Some(transparent) = shading.child("transparent") else { return 1.0 };
    let Some([red, green, blue, alpha]) = color(transparent) else { return 1.0 };
    let value = shading.child("transparency").and_then(|node| node.child("float"));
    let value = value.and_then(|node| node.text().parse::<f32>().ok());
    let amount = value.filter(|value| value.is_finite()).unwrap_or(1.0);
    // The weights of the three colours are those that the format prescribes.
    let luminance = 0.212_671 * red + 0.715_16 * green + 0.072_169 * blue;
    let opacity = match transparent.attribute("opaque") {
        Some("A_ONE") => alpha * amount,
        Some("A_ZERO") => 1.0 - alpha * amount,
        Some("RGB_ONE") => luminance * amount,
        Some("RGB_ZERO") => 1.0 - luminance * amount,
        _ => 1.0,
    };
    opacity.clamp(0.0, 1.0)
}

/// Finds the `<double_sided>` that modelling programs put into their own profiles.
fn is_double_sided(effect: Node<'_>) -> bool {
    let extras = effect.named("extra");
    let extras = extras.chain(effect.named("profile_COMMON").flat_map(|p| p.named("extra")));
    let mut techniques = extras.flat_map(|extra| extra.named("technique"));
    techniques.any(|technique| {
        technique.child("double_sided").is_some_and(|node| matches!(node.text(), "1" | "true"))
    })
}
