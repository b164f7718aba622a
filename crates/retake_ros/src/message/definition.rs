//! Reading the text of message definitions.

/// The fields of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// Fields in order.
    pub fields: Vec<Field>,
    /// Constants in order: type, name and value as they are written.
    pub constants: Vec<(String, String, String)>,
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name.
    pub name: String,
    /// What one element is.
    pub kind: Kind,
    /// How many there are.
    pub count: Count,
}

/// What an element of a field is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, text or time.
    Primitive(Primitive),
    /// A message, by package and name: `std_msgs/Header`.
    Message(String),
}

/// How many elements a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// One, and no array.
    One,
    /// An array of as many as there are.
    Any,
    /// An array of just so many.
    Exactly(usize),
}

impl Count {
    /// Returns what stands behind the type for it.
    pub fn suffix(self) -> String {
        match self {
            Self::One => String::new(),
            Self::Any => "[]".to_owned(),
            Self::Exactly(many) => format!("[{many}]"),
        }
    }
}

/// What is not made of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// `bool`
    Bool,
    /// Signed integers of so many bytes.
    Int(u8),
    /// Unsigned integers of so many bytes.
    Uint(u8),
    /// Numbers of so many bytes.
    Float(u8),
    /// `string`
    Text,
    /// `builtin_interfaces/Time`, or `time` of ROS 1.
    Time,
    /// `builtin_interfaces/Duration`, or `duration` of ROS 1.
    Duration,
}

impl Primitive {
    /// Finds a primitive by the name that definitions use.
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "bool" => Self::Bool,
            "int8" => Self::Int(1),
            "int16" => Self::Int(2),
            "int32" => Self::Int(4),
            "int64" => Self::Int(8),
            "uint8" => Self::Uint(1),
            "uint16" => Self::Uint(2),
            "uint32" => Self::Uint(4),
            "uint64" => Self::Uint(8),
            "float32" => Self::Float(4),
            "float64" => Self::Float(8),
            "string" => Self::Text,
            "builtin_interfaces/Time" => Self::Time,
            "builtin_interfaces/Duration" => Self::Duration,
            _ => return None,
        })
    }

    /// Returns the name that definitions of ROS 1 use.
    pub fn ros1_name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int(1) => "int8",
            Self::Int(2) => "int16",
            Self::Int(4) => "int32",
            Self::Int(_) => "int64",
            Self::Uint(1) => "uint8",
            Self::Uint(2) => "uint16",
            Self::Uint(4) => "uint32",
            Self::Uint(_) => "uint64",
            Self::Float(4) => "float32",
            Self::Float(_) => "float64",
            Self::Text => "string",
            Self::Time => "time",
            Self::Duration => "duration",
        }
    }
}

impl Definition {
    /// Reads the text of a definition in a package.
    ///
    /// # Errors
    /// The line that makes no sense.
    pub fn read(package: &str, text: &str) -> Result<Self, String> {
        let mut definition = Self::default();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let wrong = || format!("{line:?} is neither a field nor a constant");
            let (kind, rest) = line.split_once(char::is_whitespace).ok_or_else(wrong)?;
            match rest.split_once('=') {
                Some((name, value)) => definition.constants.push((
                    kind.to_owned(),
                    name.trim().to_owned(),
                    value.trim().to_owned(),
                )),
                None => definition.fields.push(field(package, kind, rest.trim())),
            }
        }
        Ok(definition)
    }
}

fn field(package: &str, kind: &str, name: &str) -> Field {
    let (element, count) = match kind.split_once('[') {
        None => (kind, Count::One),
        Some((element, "]")) => (element, Count::Any),
        Some((element, many)) => {
            let many = many.trim_end_matches(']').parse();
            (element, many.map_or(Count::Any, Count::Exactly))
        }
    };
    let kind = match Primitive::from_name(element) {
        Some(primitive) => Kind::Primitive(primitive),
        None if element.contains('/') => Kind::Message(element.to_owned()),
        None => Kind::Message(format!("{package}/{element}")),
    };
    Field { name: name.to_owned(), kind, count }
}
