//! Format-neutral description of a world.
//!
//! What a loader produces and a spawner consumes: plain values, no entities, no engine, no XML.
//! Frames are already resolved: every pose is relative to the thing that holds it, every joint
//! names links, every axis is in its joint's frame. What no type here knows is carried as
//! [`Element`] so that it can be written back.

pub mod bounds;
mod element;
mod geometry;
mod joint;
mod light;
mod link;
mod material;
mod model;
mod profile;
mod surface;
mod world;

pub use element::Element;
pub use geometry::{ConvexParts, Geometry, MeshUse, Polyline};
pub use joint::{Joint, JointAxis, JointDynamics, JointKind, JointLimits, Mimic, WORLD_LINK};
pub use light::{Attenuation, Light, LightKind, LightSource, SpotCone};
pub use link::{Collision, Link, Sensor, VelocityDecay, Visual};
pub use material::{Color, Material, Pbr};
pub use model::{Frame, Model};
pub use profile::PhysicsProfile;
pub use surface::{Bounce, Contact, Friction, Surface};
pub use world::{Plugin, Scene, SphericalCoordinates, World};
