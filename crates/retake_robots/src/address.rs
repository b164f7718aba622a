//! Where a robot is, as people write it.

use std::fmt;
use std::str::FromStr;

/// A model of this world and its twin outside: `VIRTUAL=retake:WORLD/MODEL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotAddress {
    /// Model of this world.
    pub robot: String,
    /// World, process id or address of the other server.
    pub server: String,
    /// Model in the other world.
    pub model: String,
}

/// Why a text is no address of a robot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is no robot: {problem}. Write VIRTUAL=retake:WORLD/MODEL, as in arm=retake:lab/arm"
)]
pub struct AddressError {
    text: String,
    problem: &'static str,
}

impl FromStr for RobotAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let wrong = |problem| AddressError { text: text.to_owned(), problem };
        let (robot, place) = text.split_once('=').ok_or_else(|| wrong("it has no ="))?;
        let place = place
            .strip_prefix("retake:")
            .ok_or_else(|| wrong("after the = stands another way than retake:"))?;
        let (server, model) =
            place.split_once('/').ok_or_else(|| wrong("it names a world without a model"))?;
        if robot.is_empty() || server.is_empty() || model.is_empty() {
            return Err(wrong("a name is empty"));
        }
        let [robot, server, model] = [robot, server, model].map(str::to_owned);
        Ok(Self { robot, server, model })
    }
}

impl fmt::Display for RobotAddress {
    /// Writes the place outside alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "retake:{}/{}", self.server, self.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let shown = match text.parse::<RobotAddress>() {
            Ok(address) => format!("{} at {address}", address.robot),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn an_address_names_both_models() {
        check("arm=retake:lab/left arm", expect!["arm at retake:lab/left arm"]);
        check("arm=retake:127.0.0.1:8643/arm", expect!["arm at retake:127.0.0.1:8643/arm"]);
    }

    #[test]
    fn what_is_no_address_is_told_how_to_be_one() {
        check(
            "arm",
            expect![[
                r#""arm" is no robot: it has no =. Write VIRTUAL=retake:WORLD/MODEL, as in arm=retake:lab/arm"#
            ]],
        );
        check(
            "arm=ros:lab/arm",
            expect![[
                r#""arm=ros:lab/arm" is no robot: after the = stands another way than retake:. Write VIRTUAL=retake:WORLD/MODEL, as in arm=retake:lab/arm"#
            ]],
        );
        check(
            "arm=retake:lab",
            expect![[
                r#""arm=retake:lab" is no robot: it names a world without a model. Write VIRTUAL=retake:WORLD/MODEL, as in arm=retake:lab/arm"#
            ]],
        );
        check(
            "=retake:lab/",
            expect![[
                r#""=retake:lab/" is no robot: a name is empty. Write VIRTUAL=retake:WORLD/MODEL, as in arm=retake:lab/arm"#
            ]],
        );
    }
}
