//! The definitions that bridges know, by name.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::definition::Definition;
use super::error::MessageError;

/// The interfaces, as text.
const TEXT: &str = include_str!("../../definitions/interfaces.txt");

/// Which ROS a definition is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flavour {
    /// ROS 1.
    Ros1,
    /// ROS 2.
    Ros2,
}

/// All definitions of one flavour, by `package/Name`.
#[derive(Debug)]
pub struct Library {
    pub(super) flavour: Flavour,
    messages: BTreeMap<String, Definition>,
    /// Whether a type comes of a `msg`, `srv` or `action`.
    kinds: BTreeMap<String, &'static str>,
    texts: BTreeMap<String, String>,
}

/// The types of a service's two messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceNames {
    /// Type of the request.
    pub request: String,
    /// Type of the response.
    pub response: String,
}

/// Returns the definitions of a flavour.
pub fn library(flavour: Flavour) -> &'static Library {
    static ROS1: LazyLock<Library> = LazyLock::new(|| Library::read(Flavour::Ros1, TEXT));
    static ROS2: LazyLock<Library> = LazyLock::new(|| Library::read(Flavour::Ros2, TEXT));
    match flavour {
        Flavour::Ros1 => &ROS1,
        Flavour::Ros2 => &ROS2,
    }
}

impl Library {
    fn read(flavour: Flavour, text: &str) -> Self {
        let (messages, kinds, texts) = Default::default();
        let mut library = Self { flavour, messages, kinds, texts };
        for part in text.split("\n== ").skip(1) {
            let (head, body) = part.split_once('\n').unwrap_or((part, ""));
            let mut words = head.split_whitespace();
            let name = words.next().unwrap_or_default();
            let meant = match words.next() {
                Some("ros1") => flavour == Flavour::Ros1,
                Some(_) => flavour == Flavour::Ros2,
                None => true,
            };
            if meant {
                library.add(name, body.trim_end());
            }
        }
        library
    }

    /// Adds the types of one file: `package/kind/Name`.
    fn add(&mut self, path: &str, body: &str) {
        let mut parts = path.split('/');
        let (package, kind, name) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
        );
        self.texts.insert(path.to_owned(), body.to_owned());
        // A separator may stand first, when nothing is asked for.
        let body = format!("\n{body}\n");
        let sections: Vec<&str> = body.split("\n---\n").collect();
        let section = |place: usize| sections.get(place).copied().unwrap_or_default();
        let link = if self.flavour == Flavour::Ros1 { "" } else { "_" };
        match kind {
            "srv" => {
                self.put("srv", package, &format!("{name}{link}Request"), section(0));
                self.put("srv", package, &format!("{name}{link}Response"), section(1));
            }
            "action" => {
                self.put("action", package, &format!("{name}{link}Goal"), section(0));
                self.put("action", package, &format!("{name}{link}Result"), section(1));
                self.put("action", package, &format!("{name}{link}Feedback"), section(2));
                self.add_action(package, name);
            }
            _ => self.put("msg", package, name, section(0)),
        }
    }

    /// Adds the messages that carry the parts of an action.
    fn add_action(&mut self, package: &str, name: &str) {
        let header = "std_msgs/Header header";
        let id = "unique_identifier_msgs/UUID goal_id";
        let made: Vec<(&str, String)> = match self.flavour {
            Flavour::Ros1 => vec![
                ("ActionGoal", format!("{header}\nactionlib_msgs/GoalID goal_id\n{name}Goal goal")),
                (
                    "ActionResult",
                    format!("{header}\nactionlib_msgs/GoalStatus status\n{name}Result result"),
                ),
                (
                    "ActionFeedback",
                    format!("{header}\nactionlib_msgs/GoalStatus status\n{name}Feedback feedback"),
                ),
                (
                    "Action",
                    format!(
                        "{name}ActionGoal action_goal\n{name}ActionResult action_result\n\
                         {name}ActionFeedback action_feedback"
                    ),
                ),
            ],
            Flavour::Ros2 => vec![
                ("_SendGoal_Request", format!("{id}\n{name}_Goal goal")),
                ("_SendGoal_Response", "bool accepted\nbuiltin_interfaces/Time stamp".to_owned()),
                ("_GetResult_Request", id.to_owned()),
                ("_GetResult_Response", format!("int8 status\n{name}_Result result")),
                ("_FeedbackMessage", format!("{id}\n{name}_Feedback feedback")),
            ],
        };
        for (ending, text) in made {
            self.put("action", package, &format!("{name}{ending}"), &text);
        }
    }

    fn put(&mut self, kind: &'static str, package: &str, name: &str, text: &str) {
        let definition = Definition::read(package, text);
        let definition = definition.expect("the definitions are read by a test");
        self.messages.insert(format!("{package}/{name}"), definition);
        self.kinds.insert(format!("{package}/{name}"), kind);
    }

    /// Finds a definition by `package/Name`; the kind in the middle, as ROS 2 writes it, may stand.
    ///
    /// # Errors
    /// [`MessageError::UnknownType`].
    pub fn find(&self, type_name: &str) -> Result<&Definition, MessageError> {
        let unknown = || MessageError::UnknownType { type_name: type_name.to_owned() };
        self.messages.get(&plain(type_name)).ok_or_else(unknown)
    }

    /// Returns the name of a type as ROS 2 writes it: `package/msg/Name`.
    pub fn full_name(&self, type_name: &str) -> String {
        let name = plain(type_name);
        let kind = self.kinds.get(&name).copied().unwrap_or("msg");
        name.replacen('/', &format!("/{kind}/"), 1)
    }

    /// Returns the names of all message types.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.messages.keys().map(String::as_str)
    }

    /// Returns the text of every file: its path `package/kind/Name`, and what it says.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns the types of the messages of a service.
    pub fn service(&self, type_name: &str) -> ServiceNames {
        let name = plain(type_name);
        let link = if self.flavour == Flavour::Ros1 { "" } else { "_" };
        ServiceNames {
            request: format!("{name}{link}Request"),
            response: format!("{name}{link}Response"),
        }
    }

    /// Returns the type of a part of an action: its `Goal`, `Result` or `Feedback`.
    pub fn action_part(&self, type_name: &str, part: &str) -> String {
        let link = if self.flavour == Flavour::Ros1 { "" } else { "_" };
        format!("{}{link}{part}", plain(type_name))
    }
}

/// Takes the kind out of `package/msg/Name`.
pub(super) fn plain(type_name: &str) -> String {
    match type_name.split('/').collect::<Vec<_>>()[..] {
        [package, _, name] => format!("{package}/{name}"),
        _ => type_name.to_owned(),
    }
}
