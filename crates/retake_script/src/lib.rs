//! Scripts in Luau whose whole memory is plain data.
//!
//! A [`Script`] is called with a [`Memory`], and gives the memory after the call: nothing else of
//! the past reaches it. The file is run from its top in each call, globals and libraries are frozen,
//! `state` is made anew from the memory, and random numbers come out of it too. So a virtual machine
//! can be thrown away at any instant, and the next one goes on to the last bit.
//!
//! What a script can see and do beyond that is a list of [`Function`]s of its [`Host`]. Deliberately
//! not here: what a world is. This crate alone knows the engine of the language.

mod budget;
mod convert;
mod error;
mod limits;
mod random;
mod sandbox;
mod script;
mod value;

pub use error::ScriptError;
pub use limits::Limits;
pub use script::{Call, Function, Handler, Host, Memory, Outcome, Script};
pub use value::{Key, Table, Value};
