//! URDF told in elements of SDF.
//!
//! The rules are those of libsdformat, also where they surprise: names of what is lumped, links
//! without mass that are left out, rounding. The result is a document as if the user had written
//! it in SDF, with places in the URDF file; the reader of SDF does the rest. There is no second
//! way to a description, and no xacro: files with macros are refused with a word on how to
//! expand them.

mod emit;
mod extension;
mod joint;
mod link;
mod lump;
mod mass;
mod plugin_frames;
mod robot;
mod setting;
mod tree;
mod value;

use std::ops::Deref;

use retake_diag::Diagnostic;

use self::emit::Emitter;
use self::extension::Extensions;
use crate::load::FileFormat;
use crate::sdf::{Context, warn_of_others};
use crate::xml::{Document, Node};

/// What becomes of the fixed joints of a URDF file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixedJoints {
    /// The links that they hold become part of the links that hold them, as in Gazebo.
    #[default]
    Lumped,
    /// They stay wherever both links have mass.
    Kept,
}

/// A document of SDF, as it was read or as it was made of URDF.
pub(crate) enum SdfDocument<'d> {
    Read(&'d Document<'d>),
    Made(Document<'d>),
}

impl<'d> Deref for SdfDocument<'d> {
    type Target = Document<'d>;

    fn deref(&self) -> &Document<'d> {
        match self {
            Self::Read(document) => document,
            Self::Made(document) => document,
        }
    }
}

impl SdfDocument<'_> {
    /// Returns what it was written in.
    pub(crate) fn format(&self) -> FileFormat {
        match self {
            Self::Read(_) => FileFormat::Sdf,
            Self::Made(_) => FileFormat::Urdf,
        }
    }
}

/// Tells a document in SDF if it is URDF; none when that cannot be done, which is reported.
pub(crate) fn as_sdf<'d>(
    cx: &mut Context<'_>,
    document: &'d Document<'d>,
) -> Option<SdfDocument<'d>> {
    if document.roots().any(|root| matches!(root.name(), "sdf" | "gazebo")) {
        return Some(SdfDocument::Read(document));
    }
    let Some(node) = document.roots().find(|root| root.name() == "robot") else {
        return Some(SdfDocument::Read(document));
    };
    refuse_macros(cx, document)?;
    warn_of_others(cx, document, node);
    let mut robot = robot::robot(cx, node)?;
    let mut extensions = Extensions::of(cx, node);
    extensions.warn_of_unknown(cx, &robot);
    let fixed_joints = cx.fixed_joints;
    let lumped = lump::lump(cx, &mut robot, &mut extensions, fixed_joints)?;
    let work_left = cx.max_elements.saturating_mul(WORK_PER_ELEMENT);
    let (robot, extensions, lumped) = (&robot, &extensions, &lumped);
    let root = Emitter { robot, extensions, lumped, work_left }.sdf(cx)?;
    Some(SdfDocument::Made(Document::made(document, root)))
}

/// How much may be made of a file, for each element that it may have.
const WORK_PER_ELEMENT: usize = 4;

/// Refuses a file that xacro has not expanded yet.
fn refuse_macros(cx: &mut Context<'_>, document: &Document<'_>) -> Option<()> {
    let is_macro = |node: &Node<'_>| {
        let computed = |(_, value): (&str, &str)| value.contains("${");
        node.name().starts_with("xacro:") || node.attributes().any(computed)
    };
    let Some(found) = document.nodes().find(is_macro) else { return Some(()) };
    let message = format!("{} has xacro macros, which are not expanded here", document.file());
    let error = Diagnostic::error("urdf-xacro", message).at(found.place());
    let name = document.file().rsplit('/').next().unwrap_or_default();
    let stem = [".urdf.xacro", ".xacro.urdf", ".xacro", ".urdf"].iter();
    let stem = stem.fold(name, |name, end| name.strip_suffix(end).unwrap_or(name));
    let target = if name == format!("{stem}.urdf") {
        "expanded.urdf".to_owned()
    } else {
        format!("{stem}.urdf")
    };
    cx.diagnostics.push(error.help(format!("Expand it first: xacro {name} > {target}")));
    None
}
