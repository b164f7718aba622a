//! The fields that a component has at present.

use retake_ecm::{Component, Ecm, EntityId};
use retake_msgs::FieldValue;
use rmpv::Value;

use super::path::joined;
use super::tree::{read, variant};
use super::{EditableComponent, Field, FieldShape, editable_component};
use crate::{Shape, VisualMaterial};

/// A field of an entity's component, and what it is.
#[derive(Clone, Debug)]
pub struct FieldAt {
    /// What is said of it.
    pub field: &'static Field,
    /// Where in the component, with positions in lists.
    pub path: String,
    /// What it is.
    pub value: FieldValue,
}

/// Returns the fields of a component of an entity, in the order of its tree; none when the entity
/// has no such component or nobody can edit it.
pub fn fields_of(ecm: &Ecm, entity: EntityId, component: &str) -> Vec<FieldAt> {
    match (editable_component(component), ecm.value_of(entity, component)) {
        (Some(component), Some(tree)) => leaves(component, &tree),
        _ => Vec::new(),
    }
}

/// Returns the fields in the tree of a component.
pub(crate) fn leaves(component: &EditableComponent, tree: &Value) -> Vec<FieldAt> {
    let mut walk = Walk { component, found: Vec::new(), undescribed: Vec::new() };
    walk.visit(String::new(), tree);
    walk.found
}

/// Returns the paths in the tree of a component that no field describes.
#[cfg(test)]
pub(super) fn undescribed(component: &EditableComponent, tree: &Value) -> Vec<String> {
    let mut walk = Walk { component, found: Vec::new(), undescribed: Vec::new() };
    walk.visit(String::new(), tree);
    walk.undescribed
}

/// What follows from a field beside it: the file that a name means.
const DERIVED: [(&str, &str); 3] = [
    (Shape::NAME, "mesh.path"),
    (Shape::NAME, "heightmap.path"),
    (VisualMaterial::NAME, "pbr.albedo_path"),
];

struct Walk<'a> {
    component: &'a EditableComponent,
    found: Vec<FieldAt>,
    undescribed: Vec<String>,
}

impl Walk<'_> {
    fn visit(&mut self, path: String, tree: &Value) {
        if DERIVED.contains(&(self.component.name, path.as_str())) {
            return;
        }
        let Some(field) = self.component.field(&path) else { return self.descend(&path, tree) };
        let Some(value) = read(field, tree) else { return self.undescribed.push(path) };
        let inside = match field.shape {
            FieldShape::Part => Some((path.clone(), tree)),
            FieldShape::Variant(_) => {
                let name = variant(tree).unwrap_or_default();
                let inside = tree.as_map().and_then(|entries| entries.first());
                inside.map(|(_, inside)| (joined(&path, name), inside))
            }
            _ => None,
        };
        self.found.push(FieldAt { field, path, value });
        if let Some((path, inside)) = inside.filter(|(_, inside)| !inside.is_nil()) {
            self.descend(&path, inside);
        }
    }

    fn descend(&mut self, path: &str, tree: &Value) {
        match tree {
            Value::Map(entries) => {
                for (key, value) in entries {
                    self.visit(joined(path, key.as_str().unwrap_or_default()), value);
                }
            }
            Value::Array(entries) => {
                for (index, value) in entries.iter().enumerate() {
                    self.visit(joined(path, &index.to_string()), value);
                }
            }
            _ => self.undescribed.push(path.to_owned()),
        }
    }
}
