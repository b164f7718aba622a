//! The tree of nodes: what is where.

use std::collections::{BTreeMap, HashMap};

use glam::{DMat4, DVec3};

use super::super::parts::{Budget, Mesh, MeshPart};
use super::super::{Fault, push_part};
use super::document::{Document, Node};
use super::effects::Looks;
use super::geometry::{self, SourceCache};
use super::malformed;
use super::sources::exactly;

/// Most nodes inside one another, instances included; a circle of instances ends here.
const MAX_DEPTH: usize = 128;
/// Most nodes that are visited: instances of instances multiply.
const MAX_VISITS: usize = 200_000;

type Shape = Vec<(Option<String>, MeshPart)>;

pub(super) struct Reader<'d, 'm> {
    document: &'d Document<'d>,
    looks: Looks<'m>,
    mesh: &'m mut Mesh,
    sources: SourceCache,
    /// Geometries that were read, before their transforms.
    shapes: HashMap<usize, Shape>,
    budget: Budget,
    visits: usize,
    unnamed: usize,
}

impl<'d, 'm> Reader<'d, 'm> {
    pub(super) fn new(document: &'d Document<'d>, looks: Looks<'m>, mesh: &'m mut Mesh) -> Self {
        Self {
            document,
            looks,
            mesh,
            sources: SourceCache::default(),
            shapes: HashMap::new(),
            budget: Budget::default(),
            visits: 0,
            unnamed: 0,
        }
    }

    /// Reads the scene that the file shows; without one, every geometry as it is.
    pub(super) fn read(&mut self, root: Node<'d>, mesh_from_scene: DMat4) -> Result<(), Fault> {
        let shown = root.child("scene").and_then(|scene| scene.child("instance_visual_scene"));
        let scene = match shown.and_then(|instance| instance.attribute("url")) {
            Some(url) => match self.document.find(url) {
                Some(scene) => Some(scene),
                None => return malformed(format!("no scene is called {url:?}")),
            },
            None => self.document.all().find(|node| node.name() == "visual_scene"),
        };
        match scene {
            Some(scene) => {
                scene.named("node").try_for_each(|node| self.node(node, mesh_from_scene, 0))
            }
            None => self.all_geometries(mesh_from_scene),
        }
    }

    fn all_geometries(&mut self, mesh_from_scene: DMat4) -> Result<(), Fault> {
        let document = self.document;
        for geometry in document.all().filter(|node| node.name() == "geometry") {
            let name = geometry.attribute("name").or(geometry.attribute("id"));
            let name = name.unwrap_or_default().to_owned();
            self.place(geometry, &name, &BTreeMap::new(), mesh_from_scene)?;
        }
        Ok(())
    }

    fn node(&mut self, node: Node<'d>, mesh_from_parent: DMat4, depth: usize) -> Result<(), Fault> {
        self.visits += 1;
        if depth > MAX_DEPTH {
            return malformed(format!("nodes are nested deeper than {MAX_DEPTH}, or in a circle"));
        }
        if self.visits > MAX_VISITS {
            return malformed(format!("the scene has more than {MAX_VISITS} nodes"));
        }
        let mesh_from_node = mesh_from_parent * transform(node)?;
        for child in node.named("node") {
            self.node(child, mesh_from_node, depth + 1)?;
        }
        for instance in node.named("instance_node") {
            let url = instance.attribute("url").unwrap_or_default();
            match self.document.find(url).filter(|node| node.name() == "node") {
                Some(instance) => self.node(instance, mesh_from_node, depth + 1)?,
                None => self.mesh.warn(format!("no node is called {url:?}")),
            }
        }
        for instance in node.children() {
            match instance.name() {
                "instance_geometry" => self.instance(instance, instance, mesh_from_node)?,
                "instance_controller" => self.skin(instance, mesh_from_node)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Draws a skin as it was bound.
    fn skin(&mut self, instance: Node<'d>, mesh_from_node: DMat4) -> Result<(), Fault> {
        let url = instance.attribute("url").unwrap_or_default();
        let controller = self.document.find(url);
        let Some(skin) = controller.and_then(|controller| controller.child("skin")) else {
            self.mesh.warn(format!("no skin is called {url:?}"));
            return Ok(());
        };
        let bind = match skin.child("bind_shape_matrix") {
            Some(matrix) => row_major(exactly(matrix)?),
            None => DMat4::IDENTITY,
        };
        self.instance(instance, skin, mesh_from_node * bind)
    }

    /// Places the geometry that `source` names, with the materials that `instance` binds.
    fn instance(
        &mut self,
        instance: Node<'d>,
        source: Node<'d>,
        mesh_from_part: DMat4,
    ) -> Result<(), Fault> {
        let url = source.attribute("url").filter(|_| source.name() != "skin");
        let url = url.or(source.attribute("source")).unwrap_or_default();
        let Some(geometry) = self.document.find(url).filter(|node| node.name() == "geometry")
        else {
            self.mesh.warn(format!("no geometry is called {url:?}"));
            return Ok(());
        };
        let name = self.name_of(instance);
        self.place(geometry, &name, &bindings(instance), mesh_from_part)
    }

    fn place(
        &mut self,
        geometry: Node<'d>,
        name: &str,
        bindings: &BTreeMap<&str, &str>,
        mesh_from_part: DMat4,
    ) -> Result<(), Fault> {
        let shape = match self.shapes.remove(&geometry.index()) {
            Some(known) => {
                let triangles = known.iter().map(|(_, part)| part.indices.len() as u64).sum();
                self.budget.spend(triangles)?;
                known
            }
            None => {
                let Self { document, sources, budget, .. } = self;
                geometry::parts(document, geometry, sources, budget)?
            }
        };
        for (symbol, part) in &shape {
            let symbol = symbol.as_deref();
            let material = symbol.and_then(|symbol| {
                // Files without bindings name the material itself.
                let target = bindings.get(symbol).copied().unwrap_or(symbol);
                self.looks.material(self.document, target, self.mesh)
            });
            let mut part = MeshPart { name: name.to_owned(), material, ..part.clone() };
            part.transform(&mesh_from_part)?;
            push_part(self.mesh, part)?;
        }
        self.shapes.insert(geometry.index(), shape);
        Ok(())
    }

    /// Names a part as Gazebo does: after its node, or the nearest named one around it.
    fn name_of(&mut self, instance: Node<'d>) -> String {
        let nodes = std::iter::successors(instance.parent(), |node| node.parent());
        let mut nodes = nodes.take_while(|node| node.name() == "node");
        if let Some(name) = nodes.find_map(|node| node.attribute("name")) {
            return name.to_owned();
        }
        self.unnamed += 1;
        format!("unnamed_submesh_{}", self.unnamed - 1)
    }
}

/// Reads which material each symbol stands for.
fn bindings<'d>(instance: Node<'d>) -> BTreeMap<&'d str, &'d str> {
    let bound = instance.named("bind_material").filter_map(|bind| bind.child("technique_common"));
    let materials = bound.flat_map(|common| common.named("instance_material"));
    materials
        .filter_map(|material| Some((material.attribute("symbol")?, material.attribute("target")?)))
        .collect()
}

/// Multiplies the transforms of a node in the order of the file.
fn transform(node: Node<'_>) -> Result<DMat4, Fault> {
    let mut parent_from_node = DMat4::IDENTITY;
    for step in node.children() {
        parent_from_node *= match step.name() {
            "matrix" => row_major(exactly(step)?),
            "translate" => DMat4::from_translation(DVec3::from_array(exactly(step)?)),
            "scale" => DMat4::from_scale(DVec3::from_array(exactly(step)?)),
            "rotate" => {
                let [x, y, z, degrees] = exactly(step)?;
                let axis = DVec3::new(x, y, z).try_normalize();
                axis.map_or(DMat4::IDENTITY, |axis| {
                    DMat4::from_axis_angle(axis, degrees.to_radians())
                })
            }
            _ => continue,
        };
    }
    Ok(parent_from_node)
}

fn row_major(numbers: [f64; 16]) -> DMat4 {
    DMat4::from_cols_array(&numbers).transpose()
}
