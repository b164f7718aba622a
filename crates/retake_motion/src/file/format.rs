//! The formats that are known, and how they are told apart.

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Our own, in TOML.
    Native,
    /// A serialised `FollowJointTrajectory` goal, in JSON.
    GoalJson,
    /// Motions of `play_motion2` or `play_motion`, in YAML.
    PlayMotionYaml,
    /// A motion of Webots.
    Webots,
    /// A table with a column for each joint.
    Csv,
    /// A compound action, in JSON.
    CompoundJson,
}

impl Format {
    /// Every format, with its word and the ending of its files.
    pub const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Native, "native", ".motion.toml"),
        (Self::GoalJson, "goal-json", ".json"),
        (Self::PlayMotionYaml, "play-motion", ".yaml"),
        (Self::Webots, "webots", ".motion"),
        (Self::Csv, "csv", ".csv"),
        (Self::CompoundJson, "compound-json", ".json"),
    ];

    /// Endings that files of others have as well, or instead.
    const MORE_ENDINGS: [(Self, &'static str); 2] =
        [(Self::Native, ".toml"), (Self::PlayMotionYaml, ".yml")];

    /// Returns the word that the command line uses.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(format, ..)| *format == self).map_or("", |(_, word, _)| word)
    }

    /// Finds the format by its word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == word).map(|(format, ..)| *format)
    }

    /// Returns the ending of its files, with the point.
    pub fn ending(self) -> &'static str {
        Self::ALL.iter().find(|(format, ..)| *format == self).map_or("", |(.., ending)| ending)
    }

    /// Finds the format of a file that is to be written, by its name.
    ///
    /// A `.json` file is a goal; compound actions are asked for by their word.
    pub fn of_name(file_name: &str) -> Option<Self> {
        let endings = Self::ALL.into_iter().map(|(format, _, ending)| (format, ending));
        let mut endings = endings.chain(Self::MORE_ENDINGS);
        endings.find(|(_, ending)| file_name.ends_with(ending)).map(|(format, _)| format)
    }

    /// Finds the format of a file by its name, or by what it says where that is not enough.
    pub fn of(file_name: &str, text: &str) -> Option<Self> {
        match Self::of_name(file_name) {
            Some(Self::GoalJson) => Some(json(text)),
            Some(format) => Some(format),
            None => sniff(text),
        }
    }

    /// Returns the name of a file without its folders and the ending of any format.
    pub fn stem(file_name: &str) -> &str {
        let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
        let endings = Self::ALL.into_iter().map(|(.., ending)| ending);
        let mut endings = endings.chain(Self::MORE_ENDINGS.map(|(_, ending)| ending));
        endings.find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
    }
}

fn json(text: &str) -> Format {
    let compound = text.contains("\"action_list\"") || text.contains("\"seq_num\"");
    match compound && !text.contains("\"joint_names\"") {
        true => Format::CompoundJson,
        false => Format::GoalJson,
    }
}

fn sniff(text: &str) -> Option<Format> {
    let text = text.trim_start();
    let has_line = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
    if text.starts_with("#WEBOTS_MOTION") {
        Some(Format::Webots)
    } else if text.starts_with('{') || text.starts_with("[\n") {
        Some(json(text))
    } else if text.starts_with("time")
        && text.lines().next().is_some_and(|line| !line.contains('='))
    {
        Some(Format::Csv)
    } else if has_line("motions:") {
        Some(Format::PlayMotionYaml)
    } else if has_line("format") {
        Some(Format::Native)
    } else {
        None
    }
}
