//! Visuals and lights.

use std::f64::consts::PI;

use retake_description::bounds::Bound;
use retake_ecm::Component;

use super::{ANY, NOT_NEGATIVE, SHARE};
use crate::fields::{EditableComponent, Field, FieldShape};
use crate::{Kind, LightEmission, VisualMaterial, VisualProperties};

pub(super) const VISUAL: EditableComponent = EditableComponent {
    name: VisualProperties::NAME,
    kinds: &[Kind::Visual],
    fields: &[
        Field::number("transparency", "Transparency", SHARE)
            .loose()
            .help("0 is opaque, 1 cannot be seen"),
        Field::flag("cast_shadows", "Casts shadows").help("Whether it throws shadows"),
    ],
};

pub(super) const MATERIAL: EditableComponent = EditableComponent {
    name: VisualMaterial::NAME,
    kinds: &[Kind::Visual],
    fields: &[
        Field::color("ambient", "Ambient").help("Colour under ambient light"),
        Field::color("diffuse", "Diffuse").help("Colour under direct light"),
        Field::color("specular", "Specular").help("Colour of highlights"),
        Field::color("emissive", "Emissive").help("Colour that it emits"),
        Field::part("pbr", "Physically based").help("Whether metalness and roughness count"),
        Field::number("pbr.metalness", "Metalness", SHARE)
            .loose()
            .help("0 is an insulator, 1 a metal"),
        Field::number("pbr.roughness", "Roughness", SHARE)
            .loose()
            .help("0 is a mirror, 1 is chalk"),
        Field::new("pbr.albedo_map", "Colour texture", FieldShape::File)
            .optional()
            .help("Image of its colours"),
        Field::text("script", "Script").optional().help("Name of a Gazebo material script"),
    ],
};

const ANGLE: Bound = Bound { least: 0.0, most: 2.0 * PI, words: "0 to 2π rad" };

pub(super) const LIGHT: EditableComponent = EditableComponent {
    name: LightEmission::NAME,
    kinds: &[Kind::Light],
    fields: &[
        Field::choice("kind", "Kind", &["point", "directional", "spot"])
            .help("How its rays spread"),
        Field::color("diffuse", "Colour").help("Colour of the light"),
        Field::color("specular", "Specular").help("Colour of its highlights"),
        Field::number("intensity", "Intensity", NOT_NEGATIVE)
            .loose()
            .help("Strength relative to the colour"),
        Field::number("attenuation.range", "Range", NOT_NEGATIVE)
            .unit("m")
            .loose()
            .help("How far it reaches"),
        Field::number("attenuation.constant", "Constant attenuation", NOT_NEGATIVE)
            .loose()
            .help("Constant term of how it fades"),
        Field::number("attenuation.linear", "Linear attenuation", NOT_NEGATIVE)
            .unit("1/m")
            .loose()
            .help("Linear term of how it fades"),
        Field::number("attenuation.quadratic", "Quadratic attenuation", NOT_NEGATIVE)
            .unit("1/m²")
            .loose()
            .help("Quadratic term of how it fades"),
        Field::vector("direction", "Direction", ANY)
            .help("Where directional and spot lights shine, in the light's frame"),
        Field::number("spot.inner_angle", "Inner angle", ANGLE)
            .unit("rad")
            .loose()
            .help("Full brightness inside of this angle"),
        Field::number("spot.outer_angle", "Outer angle", ANGLE)
            .unit("rad")
            .loose()
            .help("Darkness outside of this angle"),
        Field::number("spot.falloff", "Falloff", NOT_NEGATIVE)
            .loose()
            .help("Shape of the fall between the two angles"),
        Field::flag("cast_shadows", "Casts shadows").help("Whether it throws shadows"),
    ],
};
