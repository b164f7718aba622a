//! Physics profiles: the one place that reads and changes them while a world runs.
//!
//! [`PresetManager`] works on the Ecm alone. Physics follows the Ecm, so that whatever is changed
//! here is in force after the next look at it; user commands see to that at once. Opening and
//! writing files is the caller's affair.

mod edit;
mod error;
mod gravity;
mod kept;
mod report;

use std::borrow::{Borrow, BorrowMut};
use std::collections::BTreeSet;

use retake_components::{CurrentProfile, PhysicsProfiles, WorldClock, world_entity};
use retake_description::PhysicsProfile;
use retake_diag::{Diagnostics, Severity};
use retake_ecm::{Ecm, EntityId};
use retake_math::SimTime;
use retake_physics::settings_of_profile;

use crate::user_commands::is_unprintable;
pub use error::PresetError;
pub(crate) use gravity::gravity_in_force;
pub(crate) use kept::KeptProfiles;
pub(crate) use report::{physics_state, tell};

/// Most profiles that can be made; a file may have more.
const MAX_PROFILES: usize = 100;
/// Longest text of a profile that can be made: all of them fit into one message.
const MAX_SDF_BYTES: usize = 64 * 1024;
/// Longest name of a profile.
const MAX_NAME: usize = 256;

/// Reads and changes the physics profiles of a world.
///
/// Over `&Ecm` it reads; over `&mut Ecm` it changes as well. What is refused changes nothing.
pub struct PresetManager<E> {
    ecm: E,
    world: EntityId,
}

/// A parameter of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileParam {
    /// The value as SDF writes it; empty when there is none, as gravity of most profiles.
    pub value: String,
    /// Whether the profile says it; else it is the default.
    pub written: bool,
}

impl<E: Borrow<Ecm>> PresetManager<E> {
    /// Looks at the world of an Ecm.
    ///
    /// # Errors
    /// [`PresetError::NoWorld`] when it holds none.
    pub fn new(ecm: E) -> Result<Self, PresetError> {
        let world = world_entity(ecm.borrow()).ok_or(PresetError::NoWorld)?;
        Ok(Self { ecm, world })
    }

    /// Returns the name of the profile in force.
    pub fn current_profile(&self) -> &str {
        self.ecm.borrow().get::<CurrentProfile>(self.world).map_or("", |current| &current.0)
    }

    /// Returns the names of all profiles, in the order of the file.
    pub fn all_profiles(&self) -> Vec<String> {
        self.profiles().iter().map(|profile| profile.name.clone()).collect()
    }

    /// Returns all profiles.
    pub fn profiles(&self) -> &[PhysicsProfile] {
        self.ecm.borrow().get::<PhysicsProfiles>(self.world).map_or(&[], |all| &all.0)
    }

    /// Returns a profile.
    ///
    /// # Errors
    /// [`PresetError::UnknownProfile`] lists those that there are.
    pub fn profile(&self, name: &str) -> Result<&PhysicsProfile, PresetError> {
        let found = self.profiles().iter().find(|profile| profile.name == name);
        found.ok_or_else(|| PresetError::UnknownProfile {
            name: name.to_owned(),
            known: self.all_profiles(),
        })
    }

    /// Returns a parameter of a profile, as it would be in force.
    ///
    /// # Errors
    /// [`PresetError`] for a profile or a key that is not known.
    pub fn profile_param(&self, profile: &str, key: &str) -> Result<ProfileParam, PresetError> {
        edit::param(self.profile(profile)?, edit::known(key)?)
    }

    /// Returns a profile as a `<physics>` element.
    ///
    /// # Errors
    /// [`PresetError::UnknownProfile`].
    pub fn profile_sdf(&self, name: &str) -> Result<String, PresetError> {
        Ok(retake_sdf::print_profile(self.profile(name)?))
    }

    /// Reads profiles from a text and checks every value that is known.
    fn read(&self, sdf: &str) -> Result<Vec<PhysicsProfile>, PresetError> {
        let taken: BTreeSet<&str> = self.profiles().iter().map(|p| p.name.as_str()).collect();
        let mut found = Diagnostics::new();
        let profiles = retake_sdf::parse_profiles(sdf, "profile", &taken, &mut found);
        let errors = found.items().iter().filter(|item| item.severity == Severity::Error);
        let errors: Vec<String> = errors.map(ToString::to_string).collect();
        if profiles.is_empty() || !errors.is_empty() {
            return Err(PresetError::BadSdf { findings: errors.join("; ") });
        }
        profiles.iter().try_for_each(edit::check)?;
        Ok(profiles)
    }

    fn read_one(&self, sdf: &str) -> Result<PhysicsProfile, PresetError> {
        let mut profiles = self.read(sdf)?;
        match (profiles.pop(), profiles.len()) {
            (Some(profile), 0) => Ok(profile),
            (_, others) => Err(PresetError::BadSdf {
                findings: format!("it holds {} profiles; one is expected", others + 1),
            }),
        }
    }

    fn check_new_name(&self, name: &str) -> Result<(), PresetError> {
        let usable = !name.trim().is_empty()
            && name.chars().count() <= MAX_NAME
            && !name.chars().any(is_unprintable);
        if !usable {
            let name = name.chars().take(40).collect();
            return Err(PresetError::BadName { name, most: MAX_NAME });
        }
        if self.profiles().iter().any(|profile| profile.name == name) {
            return Err(PresetError::NameTaken { name: name.to_owned() });
        }
        match self.profiles().len() >= MAX_PROFILES {
            true => Err(PresetError::TooMany { most: MAX_PROFILES }),
            false => Ok(()),
        }
    }
}

impl<E: BorrowMut<Ecm>> PresetManager<E> {
    /// Puts a profile in force.
    ///
    /// # Errors
    /// [`PresetError`] for a profile that is not known or that asks for something impossible.
    pub fn set_current_profile(&mut self, name: &str) -> Result<(), PresetError> {
        let profile = self.profile(name)?;
        settings_of_profile(profile)?;
        let (name, step_secs) = (profile.name.clone(), profile.max_step_size_secs);
        let world = self.world;
        let ecm = self.ecm.borrow_mut();
        if let Some(current) = ecm.get_mut::<CurrentProfile>(world) {
            current.0 = name;
        }
        if let Some(clock) = ecm.get_mut::<WorldClock>(world) {
            clock.step_size = SimTime::from_secs_f64(step_secs);
        }
        Ok(())
    }

    /// Sets a parameter of a profile; one in force changes at once.
    ///
    /// # Errors
    /// [`PresetError`] for a profile or key that is not known, and for a value that is not allowed.
    pub fn set_profile_param(
        &mut self,
        profile: &str,
        key: &str,
        value: &str,
    ) -> Result<(), PresetError> {
        let mut changed = self.profile(profile)?.clone();
        edit::set_param(&mut changed, edit::known(key)?, value)?;
        self.put(changed)
    }

    /// Sets a parameter of the profile in force.
    ///
    /// # Errors
    /// As [`PresetManager::set_profile_param`].
    pub fn set_current_profile_param(&mut self, key: &str, value: &str) -> Result<(), PresetError> {
        let current = self.current_profile().to_owned();
        self.set_profile_param(&current, key, value)
    }

    /// Makes a profile in which everything has its default.
    ///
    /// # Errors
    /// [`PresetError`] for a name that is taken or cannot be used.
    pub fn create_profile(&mut self, name: &str) -> Result<(), PresetError> {
        self.check_new_name(name)?;
        self.put(edit::empty(name))
    }

    /// Makes a profile with the values of another.
    ///
    /// # Errors
    /// As [`PresetManager::create_profile`], and when there is no such profile to copy.
    pub fn create_profile_copy(&mut self, name: &str, of: &str) -> Result<(), PresetError> {
        self.check_new_name(name)?;
        let copy = edit::copy(self.profile(of)?, name)?;
        self.put(copy)
    }

    /// Makes a profile from a `<physics>` element and returns its name; one without a name gets
    /// one that is free.
    ///
    /// # Errors
    /// [`PresetError`] for a text that cannot be used, and for a name that is taken.
    pub fn create_profile_from_sdf(&mut self, sdf: &str) -> Result<String, PresetError> {
        let profile = self.read_one(sdf)?;
        self.create(profile)
    }

    /// Makes a profile from a `<physics>` element under a name of the caller's.
    ///
    /// # Errors
    /// As [`PresetManager::create_profile_from_sdf`].
    pub fn create_named_from_sdf(&mut self, name: &str, sdf: &str) -> Result<String, PresetError> {
        let profile = PhysicsProfile { name: name.to_owned(), ..self.read_one(sdf)? };
        self.create(profile)
    }

    /// Makes or replaces every profile of a text; returns the names of those made and of those
    /// replaced.
    ///
    /// # Errors
    /// [`PresetError`] for a text that cannot be used; nothing of it is taken then, if the caller
    /// puts the Ecm back.
    pub fn load_profiles(&mut self, sdf: &str) -> Result<(Vec<String>, Vec<String>), PresetError> {
        let (mut made, mut replaced) = (Vec::new(), Vec::new());
        for profile in self.read(sdf)? {
            let name = profile.name.clone();
            if self.profile(&name).is_ok() {
                self.replace(&name, profile)?;
                replaced.push(name);
            } else {
                made.push(self.create(profile)?);
            }
        }
        Ok((made, replaced))
    }

    /// Removes a profile.
    ///
    /// # Errors
    /// [`PresetError::InForce`] for the one in force; also for one that is not known.
    pub fn remove_profile(&mut self, name: &str) -> Result<(), PresetError> {
        self.profile(name)?;
        if self.current_profile() == name {
            let others = self.all_profiles().into_iter().filter(|other| other != name).collect();
            return Err(PresetError::InForce { name: name.to_owned(), others });
        }
        let world = self.world;
        if let Some(all) = self.ecm.borrow_mut().get_mut::<PhysicsProfiles>(world) {
            all.0.retain(|profile| profile.name != name);
        }
        Ok(())
    }

    /// Puts what a `<physics>` element says in place of what a profile has; its name stays.
    ///
    /// # Errors
    /// [`PresetError`] for a profile that is not known or a text that cannot be used.
    pub fn set_profile_sdf(&mut self, name: &str, sdf: &str) -> Result<(), PresetError> {
        self.profile(name)?;
        let read = self.read_one(sdf)?;
        self.replace(name, read)
    }

    fn create(&mut self, mut profile: PhysicsProfile) -> Result<String, PresetError> {
        self.check_new_name(&profile.name)?;
        // A world starts with one profile; the one that is marked stays.
        profile.is_default &= self.profiles().iter().all(|other| !other.is_default);
        let name = profile.name.clone();
        self.put(profile)?;
        Ok(name)
    }

    fn replace(&mut self, name: &str, mut profile: PhysicsProfile) -> Result<(), PresetError> {
        name.clone_into(&mut profile.name);
        let others = self.profiles().iter().filter(|other| other.name != name);
        profile.is_default &= others.into_iter().all(|other| !other.is_default);
        self.put(profile)
    }

    /// Puts a profile in the place of the one with its name, or at the end.
    fn put(&mut self, profile: PhysicsProfile) -> Result<(), PresetError> {
        settings_of_profile(&profile)?;
        let name = profile.name.clone();
        let bytes = retake_sdf::print_profile(&profile).len();
        if bytes > MAX_SDF_BYTES {
            return Err(PresetError::TooLong { name, bytes, most: MAX_SDF_BYTES });
        }
        let world = self.world;
        if let Some(all) = self.ecm.borrow_mut().get_mut::<PhysicsProfiles>(world) {
            match all.0.iter_mut().find(|known| known.name == name) {
                Some(known) => *known = profile,
                None => all.0.push(profile),
            }
        }
        match self.current_profile() == name {
            true => self.set_current_profile(&name),
            false => Ok(()),
        }
    }
}
