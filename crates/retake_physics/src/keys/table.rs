//! Every setting, those that an engine here uses first.

use retake_description::bounds;

use super::KeyKind::{self, Choice, Count, Flag, Number, Vector, ZeroOrNumber};
#[cfg(feature = "mujoco")]
use super::MUJOCO;
use super::ProfileKey;
use super::{RAPIER, TPE};

#[cfg(not(feature = "mujoco"))]
const ALL: &[&str] = &[RAPIER, TPE];
#[cfg(feature = "mujoco")]
const ALL: &[&str] = &[RAPIER, TPE, MUJOCO];
/// Engines that know forces.
#[cfg(not(feature = "mujoco"))]
const WITH_FORCES: &[&str] = RAPIER_ONLY;
#[cfg(feature = "mujoco")]
const WITH_FORCES: &[&str] = &[RAPIER, MUJOCO];
#[cfg(feature = "mujoco")]
const MUJOCO_ONLY: &[&str] = &[MUJOCO];
#[cfg(not(feature = "mujoco"))]
const ENGINES: &[&str] = &["rapier", "tpe", "ode", "bullet", "dart", "simbody"];
#[cfg(feature = "mujoco")]
const ENGINES: &[&str] = &["rapier", "mujoco", "tpe", "ode", "bullet", "dart", "simbody"];
const RAPIER_ONLY: &[&str] = &[RAPIER];
const NONE: &[&str] = &[];

const STEP: KeyKind = Number(bounds::STEP_SECS.least, bounds::STEP_SECS.most);
const PACE: KeyKind = ZeroOrNumber(bounds::REAL_TIME_FACTOR.least, bounds::REAL_TIME_FACTOR.most);
const ACCELERATION: KeyKind = Vector(bounds::ACCELERATION.least, bounds::ACCELERATION.most);
/// Any number that is not negative, of a setting that nobody here uses.
const POSITIVE: KeyKind = Number(0.0, 1e12);
const SHARE: KeyKind = Number(0.0, 1.0);
const SWEEPS: KeyKind = Count(0, 1_000_000);

const fn key(
    key: &'static str,
    kind: KeyKind,
    (default, unit): (&'static str, &'static str),
    engines: &'static [&'static str],
    about: &'static str,
) -> ProfileKey {
    ProfileKey { key, kind, unit, default, about, engines }
}

/// Every setting that a profile can have.
pub const PROFILE_KEYS: &[ProfileKey] = &[
    key(
        "type",
        Choice(ENGINES),
        ("rapier", ""),
        ALL,
        "Engine; rapier stands in for those that are not here",
    ),
    key("max_step_size", STEP, ("0.001", "s"), ALL, "Length of a step"),
    key(
        "real_time_factor",
        PACE,
        ("1", ""),
        ALL,
        "Simulated seconds for each real one; 0 is as fast as possible",
    ),
    key(
        "gravity",
        ACCELERATION,
        ("", "m/s²"),
        WITH_FORCES,
        "Gravity instead of the world's while the profile is in force",
    ),
    key("rapier/substeps", Count(1, 64), ("2", ""), RAPIER_ONLY, "Real sub-steps of each step"),
    key(
        "rapier/solver_iterations",
        Count(1, 64),
        ("8", ""),
        RAPIER_ONLY,
        "Sweeps of the constraint solver in each sub-step",
    ),
    key(
        "rapier/contact_frequency_factor",
        Number(0.001, 0.25),
        ("0.1", ""),
        RAPIER_ONLY,
        "Stiffness of contacts: their natural frequency times the sub-step",
    ),
    key(
        "rapier/contact_damping_ratio",
        Number(0.1, 100.0),
        ("10", ""),
        RAPIER_ONLY,
        "Damping ratio of contacts",
    ),
    key(
        "rapier/friction_model",
        Choice(&["patch", "coulomb"]),
        ("patch", ""),
        RAPIER_ONLY,
        "Friction between free bodies: of each patch of contacts or of each point",
    ),
    key(
        "rapier/continuous_collision",
        Flag,
        ("true", ""),
        RAPIER_ONLY,
        "Whether fast bodies are stopped at what never moves, however thin it is",
    ),
    key(
        "rapier/sleeping",
        Flag,
        ("true", ""),
        RAPIER_ONLY,
        "Whether free bodies that rest may fall asleep",
    ),
    #[cfg(feature = "mujoco")]
    key("mujoco/substeps", Count(1, 64), ("1", ""), MUJOCO_ONLY, "Real sub-steps of each step"),
    #[cfg(feature = "mujoco")]
    key(
        "mujoco/solver_iterations",
        Count(1, 64),
        ("32", ""),
        MUJOCO_ONLY,
        "Most iterations of Newton's method in each sub-step",
    ),
    key("real_time_update_rate", POSITIVE, ("1000", "Hz"), NONE, "Steps for each real second"),
    key("max_contacts", SWEEPS, ("20", ""), NONE, "Most contacts between two collisions"),
    key(
        "magnetic_field",
        Vector(-1e6, 1e6),
        ("5.5645e-6 0.0000228758 -0.0000423884", "T"),
        NONE,
        "Magnetic field, of old files",
    ),
    key("ode/solver/type", Choice(&["quick", "world"]), ("quick", ""), NONE, "Solver of ODE"),
    key("ode/solver/min_step_size", POSITIVE, ("0.0001", "s"), NONE, "Shortest step of ODE"),
    key("ode/solver/iters", SWEEPS, ("50", ""), NONE, "Sweeps of ODE's quick solver"),
    key("ode/solver/precon_iters", SWEEPS, ("0", ""), NONE, "Sweeps of ODE's preconditioner"),
    key("ode/solver/sor", POSITIVE, ("1.3", ""), NONE, "Over-relaxation of ODE's solver"),
    key(
        "ode/solver/thread_position_correction",
        Flag,
        ("false", ""),
        NONE,
        "Whether ODE corrects positions in a thread of its own",
    ),
    key("ode/solver/island_threads", Count(0, 1024), ("0", ""), NONE, "Threads of ODE's islands"),
    key(
        "ode/solver/use_dynamic_moi_rescaling",
        Flag,
        ("false", ""),
        NONE,
        "Whether ODE rescales moments of inertia",
    ),
    key(
        "ode/solver/friction_model",
        Choice(&["pyramid_model", "box_model", "cone_model"]),
        ("pyramid_model", ""),
        NONE,
        "Friction of ODE",
    ),
    key("ode/constraints/cfm", POSITIVE, ("0", ""), NONE, "Constraint force mixing of ODE"),
    key("ode/constraints/erp", SHARE, ("0.2", ""), NONE, "Error reduction of ODE"),
    key(
        "ode/constraints/contact_max_correcting_vel",
        POSITIVE,
        ("100", "m/s"),
        NONE,
        "Greatest speed at which ODE pushes bodies apart",
    ),
    key(
        "ode/constraints/contact_surface_layer",
        POSITIVE,
        ("0.001", "m"),
        NONE,
        "Depth that ODE lets bodies overlap",
    ),
    key(
        "bullet/solver/type",
        Choice(&["sequential_impulse"]),
        ("sequential_impulse", ""),
        NONE,
        "Solver of Bullet",
    ),
    key("bullet/solver/min_step_size", POSITIVE, ("0.0001", "s"), NONE, "Shortest step of Bullet"),
    key("bullet/solver/iters", SWEEPS, ("50", ""), NONE, "Sweeps of Bullet's solver"),
    key("bullet/solver/sor", POSITIVE, ("1.3", ""), NONE, "Over-relaxation of Bullet's solver"),
    key("bullet/constraints/cfm", POSITIVE, ("0", ""), NONE, "Constraint force mixing of Bullet"),
    key("bullet/constraints/erp", SHARE, ("0.2", ""), NONE, "Error reduction of Bullet"),
    key(
        "bullet/constraints/contact_surface_layer",
        POSITIVE,
        ("0.001", "m"),
        NONE,
        "Depth that Bullet lets bodies overlap",
    ),
    key(
        "bullet/constraints/split_impulse",
        Flag,
        ("true", ""),
        NONE,
        "Whether Bullet pushes bodies apart without giving them speed",
    ),
    key(
        "bullet/constraints/split_impulse_penetration_threshold",
        Number(-1e12, 1e12),
        ("-0.01", "m"),
        NONE,
        "Depth from which Bullet does so",
    ),
    key(
        "dart/collision_detector",
        Choice(&["fcl", "dart", "bullet", "ode"]),
        ("fcl", ""),
        NONE,
        "Collision detector of DART",
    ),
    key(
        "dart/solver/solver_type",
        Choice(&["dantzig", "pgs"]),
        ("dantzig", ""),
        NONE,
        "Solver of DART",
    ),
    key("simbody/min_step_size", POSITIVE, ("0.0001", "s"), NONE, "Shortest step of Simbody"),
    key("simbody/accuracy", POSITIVE, ("0.001", ""), NONE, "Relative accuracy of Simbody"),
    key(
        "simbody/max_transient_velocity",
        POSITIVE,
        ("0.01", "m/s"),
        NONE,
        "Slip speed of sticking contacts in Simbody",
    ),
    key("simbody/contact/stiffness", POSITIVE, ("100000000", "Pa"), NONE, "Contacts of Simbody"),
    key("simbody/contact/dissipation", POSITIVE, ("100", "s/m"), NONE, "Contacts of Simbody"),
    key(
        "simbody/contact/plastic_coef_restitution",
        SHARE,
        ("0.5", ""),
        NONE,
        "Contacts of Simbody",
    ),
    key(
        "simbody/contact/plastic_impact_velocity",
        POSITIVE,
        ("0.5", "m/s"),
        NONE,
        "Contacts of Simbody",
    ),
    key("simbody/contact/static_friction", POSITIVE, ("0.9", ""), NONE, "Contacts of Simbody"),
    key("simbody/contact/dynamic_friction", POSITIVE, ("0.9", ""), NONE, "Contacts of Simbody"),
    key("simbody/contact/viscous_friction", POSITIVE, ("0", ""), NONE, "Contacts of Simbody"),
    key(
        "simbody/contact/override_impact_capture_velocity",
        POSITIVE,
        ("0.001", "m/s"),
        NONE,
        "Contacts of Simbody",
    ),
    key(
        "simbody/contact/override_stiction_transition_velocity",
        POSITIVE,
        ("0.001", "m/s"),
        NONE,
        "Contacts of Simbody",
    ),
];
