//! Fixed joints away: the links that they hold become part of those that hold them.

use std::borrow::Cow;

use retake_diag::Diagnostic;
use retake_math::Pose;

use super::FixedJoints;
use super::extension::Extensions;
use super::mass::Mass;
use super::plugin_frames::PluginFrames;
use super::robot::{JointKind, Robot, Shape, WORLD};
use crate::sdf::Context;

/// Most fixed joints in a row: each moves all that hangs on it by one.
const MAX_RUN: usize = 256;

/// Which links are lumped into the one that they hang on, by index.
pub(super) type Lumped = Vec<bool>;

/// Lumps what hangs on fixed joints; none when there are too many in a row.
pub(super) fn lump<'d>(
    cx: &mut Context<'_>,
    robot: &mut Robot<'d>,
    extensions: &mut Extensions<'d>,
    fixed_joints: FixedJoints,
) -> Option<Lumped> {
    let lumped: Lumped = (0..robot.links.len())
        .map(|link| is_lumped(robot, extensions, link, fixed_joints))
        .collect();
    refuse_long_runs(cx, robot, &lumped)?;
    let mut plugins = PluginFrames::of(extensions);
    for link in robot.upwards() {
        let (true, Some(joint)) = (lumped[link], robot.links[link].joint) else { continue };
        let parent_from_link = robot.joints[joint].parent_from_joint;
        let parent = robot.joints[joint].parent;
        let names = (robot.links[link].name, robot.links[parent].name);
        extensions.lump(names, parent_from_link);
        plugins.rename(extensions, names, parent_from_link);
        lump_mass(robot, (link, parent), parent_from_link);
        lump_shapes(robot, (link, parent), parent_from_link);
        hang_higher(robot, link, &lumped);
    }
    Some(lumped)
}

/// Says whether a link hangs on a fixed joint that goes away.
fn is_lumped(
    robot: &Robot<'_>,
    extensions: &Extensions<'_>,
    link: usize,
    fixed_joints: FixedJoints,
) -> bool {
    let Some(joint) = robot.links[link].joint.map(|joint| &robot.joints[joint]) else {
        return false;
    };
    let name = joint.name;
    let stays = extensions.preserved.contains(name) || extensions.made_revolute.contains(name);
    let parent = &robot.links[joint.parent];
    if stays || joint.kind != JointKind::Fixed || parent.name == WORLD {
        return false;
    }
    let has_mass = |mass: &Option<Mass>| mass.as_ref().is_some_and(Mass::is_enough);
    match fixed_joints {
        FixedJoints::Lumped => true,
        // A link without mass cannot be simulated by itself.
        FixedJoints::Kept => !has_mass(&parent.mass) || !has_mass(&robot.links[link].mass),
    }
}

fn refuse_long_runs(cx: &mut Context<'_>, robot: &Robot<'_>, lumped: &Lumped) -> Option<()> {
    let mut runs = vec![0; robot.links.len()];
    for link in robot.downwards() {
        let (true, Some(parent)) = (lumped[link], robot.parent_of(link)) else { continue };
        runs[link] = runs[parent] + 1;
        if runs[link] > MAX_RUN {
            let message = format!("more than {MAX_RUN} fixed joints in a row");
            let error = Diagnostic::error("urdf-too-deep", message);
            let help = "Join the links that do not move against one another";
            cx.diagnostics.push(error.at(robot.links[link].node.place()).help(help));
            return None;
        }
    }
    Some(())
}

fn lump_mass(robot: &mut Robot<'_>, (link, parent): (usize, usize), parent_from_link: Pose) {
    let Some(mass) = robot.links[link].mass.clone() else { return };
    let offset = robot.links[parent].node.offset();
    let total = robot.links[parent].mass.get_or_insert_with(|| Mass::none(offset));
    total.add(&mass, parent_from_link);
}

fn lump_shapes(robot: &mut Robot<'_>, (link, parent): (usize, usize), parent_from_link: Pose) {
    let from = &mut robot.links[link];
    let name = from.name;
    let visuals = std::mem::take(&mut from.visuals);
    let collisions = std::mem::take(&mut from.collisions);
    let moved = |shape| moved_shape(shape, name, parent_from_link);
    let into = &mut robot.links[parent];
    into.visuals.extend(visuals.into_iter().map(moved));
    into.collisions.extend(collisions.into_iter().map(moved));
}

/// Moves a shape into the next link; the first one that it was on gives it its name.
fn moved_shape<'d>(mut shape: Shape<'d>, link: &'d str, parent_from_link: Pose) -> Shape<'d> {
    if shape.name.is_empty() {
        shape.name = Cow::Borrowed(link);
    }
    shape.link_from_shape = parent_from_link * shape.link_from_shape;
    shape
}

/// Hangs the joints that stay on a lumped link on the link that it becomes part of.
fn hang_higher(robot: &mut Robot<'_>, link: usize, lumped: &Lumped) {
    for child in robot.links[link].children.clone() {
        let (false, Some(joint)) = (lumped[child], robot.links[child].joint) else { continue };
        let mut at = link;
        while let (true, Some(above)) = (lumped[at], robot.links[at].joint) {
            let parent_from_at = robot.joints[above].parent_from_joint;
            let hung = &mut robot.joints[joint];
            hung.parent_from_joint = parent_from_at * hung.parent_from_joint;
            at = robot.joints[above].parent;
        }
        robot.joints[joint].parent = at;
    }
}
