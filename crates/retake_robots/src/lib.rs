//! Robots outside the simulation, and what may be sent to them.
//!
//! A model of the world may have a twin outside. [`RobotGateway`] is the only way to it: people and
//! programs ask it, on a thread of its own, and it refuses whatever is not allowed. [`RobotLink`] is
//! the way to one robot; [`BusRobot`] is the one for robots that another Retake simulates.
//!
//! Deliberately not here: the Ecm, the server and anything that steps. What is armed is no part of
//! a world's state, and no step, undo, redo or reset can send anything, because nothing that does
//! these knows this crate.

mod address;
mod bus_robot;
mod check;
mod gateway;
mod link;
mod mailbox;
mod services;
mod twin;

pub use address::{AddressError, RobotAddress};
pub use bus_robot::BusRobot;
pub use gateway::{Bound, Motions, RobotGateway};
pub use link::{Answer, Ask, Order, Permit, RobotEvent, RobotLink};
pub use mailbox::Teller;

/// Longest time without joint states after which a robot counts as lost, unless told otherwise, in s.
pub const LOST_AFTER_SECS: f64 = 0.5;

/// How long a robot goes on without hearing from us, unless a goal says otherwise, in s.
pub const KEEP_ALIVE_SECS: f64 = 0.2;
