//! Joints that a user has taken in hand.

use retake_ecm::Component;
use serde::{Deserialize, Serialize};

/// On a joint that a user commands: systems leave it alone until the user gives it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserDriven;

impl Component for UserDriven {
    const NAME: &'static str = "user_driven";
}
