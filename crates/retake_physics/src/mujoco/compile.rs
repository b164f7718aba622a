//! From models to a compiled MuJoCo model with its memory.
//!
//! Everything is made in one order and from the models alone, so that equal models give equal bits.
//! Masses are always told: shapes only collide.

mod addresses;
mod bodies;
mod holds;
mod shapes;

use std::sync::Arc;

use mujoco_rs::prelude::{MjData, MjSpec, MjtCone, MjtDisableBit, SpecItem};

pub(super) use self::addresses::{Addresses, Built, PulledAxis, Touching};
use self::bodies::Tree;
use self::holds::Sites;
use super::model::{Closure, Geom, Model};
use super::ties::Place;

/// Bytes of MuJoCo's memory for each body; what is not used costs nothing.
const BYTES_PER_BODY: usize = 1 << 20;
/// Least and most of its memory: with less than it needs it ends the process.
const MEMORY: (usize, usize) = (64 << 20, 2 << 30);
/// How hard equality constraints and limits are held: the share of an error that one step undoes.
const RIGID: [f64; 5] = [0.9999, 0.9999, 0.001, 0.5, 2.0];

/// Compiles models and the joints between them.
pub(super) fn compile(models: Vec<Arc<Model>>, bonds: Vec<Arc<Closure>>) -> Result<Built, String> {
    let mut spec = MjSpec::new();
    set_options(&mut spec, models.iter().map(|model| model.bodies.len()).sum());
    let sites = holds::sites(&models, &bonds);
    for model in &models {
        add_model(&mut spec, model, &sites);
    }
    for (name, pose) in sites.get(&None).into_iter().flatten() {
        holds::add_site(spec.world_body_mut(), name, *pose);
    }
    let closures = models.iter().flat_map(|model| &model.closures);
    for closure in closures.chain(bonds.iter().map(Arc::as_ref)) {
        holds::add_closure(&mut spec, closure);
    }
    holds::separate_bonds(&mut spec, &models, &bonds);
    let compiled = spec.compile().map_err(|error| error.to_string())?;
    let addresses = models.iter().map(|model| addresses::addresses(&compiled, model)).collect();
    let addresses: Option<Vec<Addresses>> = addresses;
    let addresses = addresses.ok_or("a body or joint was lost on the way")?;
    let geoms = addresses::geoms(&compiled, &models).ok_or("a shape was lost on the way")?;
    let axes = addresses::axes(&models, &addresses);
    let bare_weight = compiled.dof_invweight0().to_vec();
    let data = MjData::try_new(Box::new(compiled)).map_err(|error| error.to_string())?;
    Ok(Built { data, models, bonds, addresses, geoms, axes, bare_weight })
}

/// Says why MuJoCo does not take a model on its own.
pub(super) fn check(model: &Model) -> Result<(), String> {
    let mut spec = MjSpec::new();
    set_options(&mut spec, model.bodies.len());
    let sites = Sites::new();
    add_model(&mut spec, model, &sites);
    spec.compile().map(|_| ()).map_err(|error| error.to_string())
}

fn add_model(spec: &mut MjSpec, model: &Model, sites: &Sites) {
    shapes::add_assets(spec, model);
    let tree = Tree { model, sites };
    for (index, body) in model.bodies.iter().enumerate() {
        if body.carrier.is_none() {
            tree.add(spec.world_body_mut(), index);
        }
    }
    holds::add_exclusions(spec, model);
    for (number, tie) in model.ties.iter().enumerate() {
        holds::add_tie(spec, model, number, tie);
    }
}

fn set_options(spec: &mut MjSpec, bodies: usize) {
    let memory = bodies.saturating_mul(BYTES_PER_BODY).clamp(MEMORY.0, MEMORY.1);
    spec.set_memory(memory as _);
    let compiler = spec.compiler_mut();
    compiler.set_degree(false);
    compiler.set_balanceinertia(true);
    let option = spec.option_mut();
    option.cone = MjtCone::mjCONE_ELLIPTIC as i32;
    option.impratio = 10.0;
    // No step is that long, so that the first one sets whatever depends on its length.
    option.timestep = 1.0;
    // Passive forces are added here, implicitly, together with the drives.
    option.disableflags = MjtDisableBit::mjDSBL_AUTORESET as i32
        | MjtDisableBit::mjDSBL_EULERDAMP as i32
        | MjtDisableBit::mjDSBL_SENSOR as i32;
}

/// Names an item, by which others are told of it and it is found again.
fn set_name(item: &mut impl SpecItem, text: &str) {
    // Names are made of ids that are there only once, so that none is refused; one that were would
    // not be found after the compilation, which is told.
    item.set_name(text).ok();
}

fn body_name(model: &Model, index: usize) -> String {
    format!("body{}_{index}", model.entity.raw())
}

fn coord_name(model: &Model, (body, coord): Place) -> String {
    format!("coord{}_{body}_{coord}", model.entity.raw())
}

fn geom_name(geom: &Geom, part: usize) -> String {
    format!("geom{}_{part}", geom.collision.raw())
}
