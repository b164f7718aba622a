//! The table itself.

mod bodies;
mod joints;
mod looks;
mod things;
mod worlds;

use retake_description::bounds::Bound;

use super::{EditableComponent, Field, FieldShape};

/// Every component that can be edited, in the order in which people look for them.
pub(super) const COMPONENTS: &[&EditableComponent] = &[
    &things::NAME,
    &things::PARENT,
    &things::POSE,
    &things::MODEL,
    &things::CANONICAL_LINK,
    &bodies::LINK,
    &bodies::INERTIAL,
    &bodies::GEOMETRY,
    &bodies::SURFACE,
    &looks::VISUAL,
    &looks::MATERIAL,
    &looks::LIGHT,
    &joints::JOINT,
    &joints::JOINT_POSITION,
    &things::SENSOR,
    &things::PLUGIN,
    &worlds::GRAVITY,
    &worlds::SCENE,
    &worlds::WORLD_TEXT,
];

/// Longest text of a field, in bytes.
const MOST_TEXT: usize = 4096;

const ANY: Bound = Bound { least: -f64::MAX, most: f64::MAX, words: "a finite number" };
const NOT_NEGATIVE: Bound = Bound { least: 0.0, most: f64::MAX, words: "0 or more" };
const SHARE: Bound = Bound { least: 0.0, most: 1.0, words: "0 to 1" };

impl Field {
    const fn new(path: &'static str, label: &'static str, shape: FieldShape) -> Self {
        Self { path, label, help: "", shape, unit: "", optional: false, loose: false }
    }

    const fn number(path: &'static str, label: &'static str, bound: Bound) -> Self {
        Self::new(path, label, FieldShape::Number { bound, infinite: false })
    }

    /// A number that may be infinite.
    const fn limit(path: &'static str, label: &'static str, bound: Bound) -> Self {
        Self::new(path, label, FieldShape::Number { bound, infinite: true })
    }

    const fn integer(path: &'static str, label: &'static str, bound: Bound) -> Self {
        Self::new(path, label, FieldShape::Integer { bound })
    }

    const fn flag(path: &'static str, label: &'static str) -> Self {
        Self::new(path, label, FieldShape::Flag)
    }

    const fn part(path: &'static str, label: &'static str) -> Self {
        Self::new(path, label, FieldShape::Part)
    }

    const fn text(path: &'static str, label: &'static str) -> Self {
        Self::new(path, label, FieldShape::Text { most: MOST_TEXT })
    }

    const fn choice(
        path: &'static str,
        label: &'static str,
        choices: &'static [&'static str],
    ) -> Self {
        Self::new(path, label, FieldShape::Choice(choices))
    }

    const fn variant(
        path: &'static str,
        label: &'static str,
        choices: &'static [&'static str],
    ) -> Self {
        Self::new(path, label, FieldShape::Variant(choices))
    }

    const fn vector(path: &'static str, label: &'static str, bound: Bound) -> Self {
        Self::new(path, label, FieldShape::Vector { count: 3, bound, unit: false })
    }

    const fn pair(path: &'static str, label: &'static str, bound: Bound) -> Self {
        Self::new(path, label, FieldShape::Vector { count: 2, bound, unit: false })
    }

    /// A vector of which only the direction counts.
    const fn direction(path: &'static str, label: &'static str) -> Self {
        Self::new(path, label, FieldShape::Vector { count: 3, bound: ANY, unit: true })
    }

    const fn color(path: &'static str, label: &'static str) -> Self {
        Self::new(path, label, FieldShape::Color)
    }

    const fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    const fn loose(self) -> Self {
        Self { loose: true, ..self }
    }
}
