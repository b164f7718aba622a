//! Extensions of links that are lumped: where sensors sit and which link plugins name.

use std::collections::BTreeMap;

use retake_math::{Pose, Vec3, quat_from_rpy};

use super::extension::{Extension, Extensions, Rest};
use super::value::{number_in, urdf_rpy, vec3_in, written_short};
use crate::xml::NewElement;

/// Elements of a plugin that name a link.
const LINK_NAMES: [&str; 2] = ["bodyName", "frameName"];
/// Element that tells a plugin that its offsets count from the new link.
const CORRECTED: &str = "ignition::corrected_offsets";

/// Plugins by the link that they name.
pub(super) struct PluginFrames {
    by_link: BTreeMap<String, Vec<User>>,
}

/// Where a plugin names a link: index of the extension, index in it, and the element.
#[derive(Clone, Copy)]
struct User(usize, usize, &'static str);

impl PluginFrames {
    /// Finds the plugins that name a link.
    pub(super) fn of(extensions: &Extensions<'_>) -> Self {
        let mut by_link: BTreeMap<String, Vec<User>> = BTreeMap::new();
        for (index, extension) in extensions.all.iter().enumerate() {
            let rest = extension.rest.iter().enumerate();
            for (inner, rest) in rest.filter(|(_, rest)| rest.element.name == "plugin") {
                for tag in LINK_NAMES {
                    let Some(child) = rest.element.child(tag) else { continue };
                    by_link.entry(value_of(child)).or_default().push(User(index, inner, tag));
                }
            }
        }
        Self { by_link }
    }

    /// Makes plugins that name the first link name the second, in which it now lies.
    pub(super) fn rename<'d>(
        &mut self,
        extensions: &mut Extensions<'d>,
        (link, parent): (&'d str, &'d str),
        parent_from_link: Pose,
    ) {
        let Some(users) = self.by_link.remove(link) else { return };
        for &User(index, inner, tag) in &users {
            let extension = &mut extensions.all[index];
            let offset = extension.lumped_at;
            let plugin = &mut extension.rest[inner].element;
            rename_in(plugin, (tag, parent), (parent_from_link, offset));
        }
        self.by_link.entry(parent.to_owned()).or_default().extend(users);
    }
}

fn rename_in<'d>(
    plugin: &mut NewElement<'d>,
    (tag, parent): (&'d str, &'d str),
    (parent_from_link, mut link_from_frame): (Pose, Pose),
) {
    let at = plugin.offset;
    let written = |element: NewElement<'_>| vec3_in(&value_of(&element)).unwrap_or(Vec3::ZERO);
    if let Some(element) = plugin.remove("xyzOffset") {
        link_from_frame.position = written(element);
    }
    if let Some(element) = plugin.remove("rpyOffset") {
        link_from_frame.rotation = quat_from_rpy(written(element));
    }
    plugin.remove(CORRECTED);
    let moved = parent_from_link * link_from_frame;
    plugin.set(tag, parent, at);
    plugin.set("xyzOffset", written_short(moved.position.to_array()), at);
    plugin.set("rpyOffset", written_short(urdf_rpy(moved.rotation).to_array()), at);
    plugin.set(CORRECTED, "1", at);
}

fn value_of(element: &NewElement<'_>) -> String {
    element.attribute("value").unwrap_or(&element.text).trim().to_owned()
}

impl<'d> Extensions<'d> {
    /// Gives what refers to the first link to the second, in which it now lies.
    pub(super) fn lump(&mut self, (link, parent): (&'d str, &'d str), parent_from_link: Pose) {
        let Some(moved) = self.by_reference.remove(link) else { return };
        for &index in &moved {
            let extension = &mut self.all[index];
            extension.lumped_at = parent_from_link * extension.lumped_at;
            extension.place_sensors();
        }
        self.by_reference.entry(parent).or_default().extend(moved);
    }
}

impl Extension<'_> {
    /// Writes the poses of sensors and projectors for the link that they were lumped into.
    fn place_sensors(&mut self) {
        let lumped_at = self.lumped_at;
        let placed = |rest: &&mut Rest<'_>| matches!(rest.element.name, "sensor" | "projector");
        for rest in self.rest.iter_mut().filter(placed) {
            let Some(inner) = rest.pose_before_lumping() else { continue };
            let pose = lumped_at * inner;
            let ([x, y, z], rpy_rad) = (pose.position.to_array(), urdf_rpy(pose.rotation));
            let text = written_short([x, y, z, rpy_rad.x, rpy_rad.y, rpy_rad.z]);
            rest.element.set("pose", text, rest.element.offset);
        }
    }
}

impl Rest<'_> {
    /// Reads the pose once; none when it is relative to something else or cannot be read.
    fn pose_before_lumping(&mut self) -> Option<Pose> {
        if self.written_pose.is_none() {
            self.written_pose = match self.element.child("pose") {
                None => Some(Pose::IDENTITY),
                Some(pose) if pose.attribute("relative_to").is_some() => None,
                Some(pose) => pose_in(&pose.text),
            };
        }
        self.written_pose
    }
}

fn pose_in(text: &str) -> Option<Pose> {
    let mut words = text.split_whitespace().map(number_in);
    let mut next = || words.next()?;
    let position = Vec3::new(next()?, next()?, next()?);
    let rpy_rad = Vec3::new(next()?, next()?, next()?);
    Some(Pose::new(position, quat_from_rpy(rpy_rad)).normalized())
}
