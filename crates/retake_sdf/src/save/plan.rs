//! From the difference of two trees to changes of the author's text.
//!
//! Each difference is first tried where it is: a word, an attribute, a line. What has been tried
//! and did not come out as wanted, because a frame, a version or an include stood in between, is
//! tried again one element further out, which is then written in full.

use std::collections::{BTreeMap, BTreeSet};

use retake_description::Element;

use super::pairs::{Pair, list_of, located, name_of, paired, same};
use super::source::{Edit, Source};
use super::words::{reworded, same_text};
use super::{Change, ChangeKind};
use crate::sdf::Origin;
use crate::xml::Node;

/// What was tried already, by the path of the element.
#[derive(Default)]
pub(super) struct Tried {
    in_place: BTreeMap<String, u32>,
    whole: BTreeSet<String>,
}

/// The element around this one has to be written in full.
pub(super) struct Widen;

/// How often a change is tried in place: once keeping what can be kept, once without.
const TRIES_IN_PLACE: u32 = 2;

/// Plans changes of one text.
pub(super) struct Planner<'a> {
    source: &'a Source<'a>,
    origins: &'a BTreeMap<usize, Origin>,
    tried: &'a mut Tried,
    pub(super) edits: Vec<Edit>,
    pub(super) changes: Vec<Change>,
}

/// An element as it is, as it should be, and where it stands.
#[derive(Clone, Copy)]
struct Site<'s> {
    path: &'s str,
    before: &'s Element,
    after: &'s Element,
    node: Node<'s>,
}

impl<'a> Planner<'a> {
    /// Makes a planner for a text, what its includes brought, and what was tried on it before.
    pub(super) fn new(
        source: &'a Source<'a>,
        origins: &'a BTreeMap<usize, Origin>,
        tried: &'a mut Tried,
    ) -> Self {
        Self { source, origins, tried, edits: Vec::new(), changes: Vec::new() }
    }

    /// Changes what is written at `node` so that it says `after` and no longer `before`.
    pub(super) fn settle(
        &mut self,
        path: &str,
        (before, after): (&Element, &Element),
        node: Node<'_>,
    ) -> Result<(), Widen> {
        if same(before, after) {
            return Ok(());
        }
        if self.tried.whole.contains(path) {
            return Err(Widen);
        }
        let mark = (self.edits.len(), self.changes.len());
        if self.refine(path, (before, after), node).is_ok() {
            return Ok(());
        }
        self.edits.truncate(mark.0);
        self.changes.truncate(mark.1);
        self.tried.whole.insert(path.to_owned());
        let kind = match node.name() {
            "include" => ChangeKind::Expanded,
            _ => ChangeKind::Rewritten { comments_lost: self.source.comments_in(node) },
        };
        self.edits.push(self.source.replace(node, after));
        self.note(path, kind);
        Ok(())
    }

    /// Changes only what differs inside of an element.
    fn refine(
        &mut self,
        path: &str,
        (before, after): (&Element, &Element),
        node: Node<'_>,
    ) -> Result<(), Widen> {
        let site = Site { path, before, after, node };
        match (node.name(), after.name.as_str()) {
            ("include", _) => self.include(site),
            ("pose", _) => self.pose(site),
            (written, wanted) if written != wanted => Err(Widen),
            _ => {
                self.own(site)?;
                self.children(site)
            }
        }
    }

    /// Changes the one model or light of a file that has no world; all else of the world around
    /// it has no place there.
    pub(super) fn refine_lone(
        &mut self,
        (before, after): (&Element, &Element),
        root: Node<'_>,
    ) -> Result<(), Widen> {
        if before.attributes != after.attributes {
            return Err(Widen);
        }
        let nodes = located(root, &before.children, self.origins);
        for (old, new) in paired(&before.children, &after.children).ok_or(Widen)? {
            let (old, new) = (old.ok_or(Widen)?, &after.children[new.ok_or(Widen)?]);
            match nodes[old] {
                _ if same(&before.children[old], new) => {}
                Some(node) => {
                    self.settle(&child_path("", new), (&before.children[old], new), node)?;
                }
                None => return Err(Widen),
            }
        }
        Ok(())
    }

    /// Changes attributes and text.
    fn own(&mut self, site: Site<'_>) -> Result<(), Widen> {
        let (before, after, node) = (site.before, site.after, site.node);
        let same_words = same_text(&before.text, &after.text);
        if before.attributes == after.attributes && same_words {
            return Ok(());
        }
        let attempt = self.attempt(site.path)?;
        for (name, value) in &after.attributes {
            if before.attribute(name) != Some(value) {
                self.edits.push(self.source.set_attribute(node, name, value));
            }
        }
        let gone = before.attributes.iter().filter(|(name, _)| after.attribute(name).is_none());
        let source = self.source;
        self.edits.extend(gone.filter_map(|(name, _)| source.remove_attribute(node, name)));
        if !same_words {
            self.text(site, attempt)?;
        }
        self.note(site.path, ChangeKind::Edited);
        Ok(())
    }

    fn text(&mut self, site: Site<'_>, attempt: u32) -> Result<(), Widen> {
        if site.node.children().next().is_some() {
            return Err(Widen);
        }
        let written = self.source.inside(site.node);
        let kept = match attempt {
            0 => reworded(written, &site.before.text, &site.after.text),
            _ => None,
        };
        let text = kept.unwrap_or_else(|| in_the_margins(written, &site.after.text));
        self.edits.push(self.source.set_inside(site.node, &text));
        Ok(())
    }

    /// Changes a pose: the position alone when nothing else differs and no frame is named.
    fn pose(&mut self, site: Site<'_>) -> Result<(), Widen> {
        let attempt = self.attempt(site.path)?;
        let node = site.node;
        let frame = node.attribute("relative_to").or_else(|| node.attribute("frame"));
        let written = self.source.inside(node);
        let kept = match frame {
            None if attempt == 0 => kept_pose(node, written, (site.before, site.after)),
            _ => None,
        };
        let text = match kept {
            Some(text) => text,
            None => {
                self.pose_format(node, site.after);
                in_the_margins(written, &site.after.text)
            }
        };
        self.edits.push(self.source.set_inside(node, &text));
        self.note(site.path, ChangeKind::Edited);
        Ok(())
    }

    /// Makes the attributes of a pose those of one in its default frame.
    fn pose_format(&mut self, node: Node<'_>, after: &Element) {
        let source = self.source;
        let wanted = after.attribute("rotation_format");
        let stale = ["relative_to", "frame", "degrees"].into_iter();
        let stale = stale.chain(wanted.is_none().then_some("rotation_format"));
        self.edits.extend(stale.filter_map(|name| source.remove_attribute(node, name)));
        if let Some(format) = wanted.filter(|_| node.attribute("rotation_format") != wanted) {
            self.edits.push(source.set_attribute(node, "rotation_format", format));
        }
    }

    fn children(&mut self, site: Site<'_>) -> Result<(), Widen> {
        let (before, after) = (&site.before.children, &site.after.children);
        let pairs = paired(before, after).ok_or(Widen)?;
        let nodes = located(site.node, before, self.origins);
        let anchors = Anchors::new(site.node, &pairs, &nodes, after);
        for pair in pairs {
            let (old, new) = (pair.0.map(|i| &before[i]), pair.1.map(|i| &after[i]));
            let node = pair.0.and_then(|index| nodes[index]);
            let Some(shown) = old.or(new) else { continue };
            let path = child_path(site.path, shown);
            match (old, new, node) {
                (Some(_), Some(new), None) if new.name == "gravity" && gravity_parts(site) => {
                    self.attempt(&path)?;
                    self.insert(&path, new, anchors.place(pair, new));
                }
                (Some(old), Some(new), _) if same(old, new) => {}
                (Some(old), Some(new), Some(node)) => self.settle(&path, (old, new), node)?,
                (Some(_), None, Some(node)) => self.remove(&path, node)?,
                // What came along with a merged model has no element of its own.
                (Some(_), None, None) => return Err(Widen),
                (Some(old), Some(new), None) if is_given(new) => {
                    let attempt = self.attempt(&path)?;
                    let part = if attempt == 0 { difference(old, new) } else { new.clone() };
                    self.insert(&path, &part, anchors.place(pair, &part));
                }
                (Some(_), Some(_), None) => return Err(Widen),
                (None, Some(new), _) => {
                    self.attempt(&path)?;
                    self.insert(&path, new, anchors.place(pair, new));
                }
                (None, None, _) => {}
            }
            if shown.name == "pose" {
                self.drop_placement(site.node, (old, new));
            }
        }
        Ok(())
    }

    /// A pose that is written anew is that of the model and no longer of its placement frame.
    fn drop_placement(
        &mut self,
        holder: Node<'_>,
        (old, new): (Option<&Element>, Option<&Element>),
    ) {
        let unchanged = matches!((old, new), (Some(old), Some(new)) if same(old, new));
        if unchanged {
            return;
        }
        let source = self.source;
        self.edits.extend(source.remove_attribute(holder, "placement_frame"));
        let frame = holder.child("placement_frame");
        self.edits.extend(frame.map(|frame| source.remove(frame)));
    }

    fn remove(&mut self, path: &str, node: Node<'_>) -> Result<(), Widen> {
        self.attempt(path)?;
        match node.name() {
            // Nothing would mean something else in an include, and the line is easier to find.
            "pose" => {
                self.pose_format(node, &Element::default());
                self.edits.push(self.source.set_inside(node, NO_POSE));
                self.note(path, ChangeKind::Edited);
            }
            _ => {
                self.edits.push(self.source.remove(node));
                self.note(path, ChangeKind::Removed);
            }
        }
        Ok(())
    }

    fn insert(&mut self, path: &str, element: &Element, place: Place<'_>) {
        let edit = match place {
            Place::After(node) => self.source.insert_after(node, element),
            Place::Before(node) => self.source.insert_before(node, element),
            Place::Into(node) => self.source.insert_into(node, element),
        };
        self.edits.push(edit);
        self.note(path, ChangeKind::Inserted);
    }

    /// Changes what an include says itself: name, pose, static and plugins. All else lies in the
    /// other file, so that the include has to give way to what it brought.
    fn include(&mut self, site: Site<'_>) -> Result<(), Widen> {
        self.attempt(site.path)?;
        let (before, after) = (site.before, site.after);
        let others = |element: &Element| {
            let named = element.attributes.iter().filter(|(key, _)| key != "name");
            named.cloned().collect::<Vec<_>>()
        };
        if others(before) != others(after) || before.text != after.text {
            return Err(Widen);
        }
        if let (old, Some(new)) = (name_of(before), name_of(after))
            && old != Some(new)
        {
            let name = Element { text: new.to_owned(), ..named_element("name") };
            self.say(site, &name);
        }
        let pairs = paired(&before.children, &after.children).ok_or(Widen)?;
        for (old, new) in pairs {
            let (old, new) = (old.map(|i| &before.children[i]), new.map(|i| &after.children[i]));
            match (old, new) {
                (Some(old), Some(new)) if same(old, new) => {}
                (_, Some(new)) if matches!(new.name.as_str(), "pose" | "static") => {
                    self.say(site, new);
                }
                (Some(old), None) if old.name == "pose" => {
                    let here = Element { text: NO_POSE.to_owned(), ..named_element("pose") };
                    self.say(site, &here);
                }
                (None, Some(new)) if new.name == "plugin" => self.add(site, new),
                _ => return Err(Widen),
            }
            if old.or(new).is_some_and(|child| child.name == "pose") {
                self.drop_placement(site.node, (old, new));
            }
        }
        self.note(site.path, ChangeKind::Edited);
        Ok(())
    }

    /// Makes an include say something: in the element that says it, or in a new one.
    fn say(&mut self, site: Site<'_>, element: &Element) {
        match site.node.child(&element.name) {
            Some(node) if element.name == "pose" => {
                self.pose_format(node, element);
                let text = in_the_margins(self.source.inside(node), &element.text);
                self.edits.push(self.source.set_inside(node, &text));
            }
            Some(node) => {
                let text = in_the_margins(self.source.inside(node), &element.text);
                self.edits.push(self.source.set_inside(node, &text));
            }
            None => self.add(site, element),
        }
    }

    fn add(&mut self, site: Site<'_>, element: &Element) {
        let edit = match site.node.children().last() {
            Some(last) => self.source.insert_after(last, element),
            None => self.source.insert_into(site.node, element),
        };
        self.edits.push(edit);
    }

    /// Counts a try in place; refuses when there were enough.
    fn attempt(&mut self, path: &str) -> Result<u32, Widen> {
        let count = self.tried.in_place.entry(path.to_owned()).or_default();
        *count += 1;
        if *count > TRIES_IN_PLACE { Err(Widen) } else { Ok(*count - 1) }
    }

    fn note(&mut self, path: &str, kind: ChangeKind) {
        self.changes.push(Change { path: path.to_owned(), kind });
    }
}

/// A pose that changes nothing, written out.
const NO_POSE: &str = "0 0 0 0 0 0";

/// Says whether something may be there that the file says nothing of: settings, and the profile of
/// a world without any.
fn is_given(element: &Element) -> bool {
    name_of(element).is_none() || element.name == "physics"
}

/// Says whether a profile gets a gravity of its own, which is read as that of the world where the
/// file has none there.
fn gravity_parts(site: Site<'_>) -> bool {
    let with_gravity = |world: &Element| {
        let profiles = world.children.iter().filter(|child| child.name == "physics");
        profiles.filter(|profile| profile.child("gravity").is_some()).count()
    };
    with_gravity(site.after) > with_gravity(site.before)
}

fn named_element(name: &str) -> Element {
    Element { name: name.to_owned(), ..Element::default() }
}

/// Where a new element goes.
#[derive(Clone, Copy)]
enum Place<'d> {
    After(Node<'d>),
    Before(Node<'d>),
    Into(Node<'d>),
}

/// What new children can be put beside: those that stay.
struct Anchors<'d, 'e> {
    parent: Node<'d>,
    after: &'e [Element],
    /// The element that each of `after` stands in.
    nodes: Vec<Option<Node<'d>>>,
    /// The first child that stays.
    first: Option<Node<'d>>,
}

impl<'d, 'e> Anchors<'d, 'e> {
    fn new(
        parent: Node<'d>,
        pairs: &[Pair],
        nodes: &[Option<Node<'d>>],
        after: &'e [Element],
    ) -> Self {
        let mut of_after = vec![None; after.len()];
        let mut removed = BTreeSet::new();
        for pair in pairs {
            let node = pair.0.and_then(|old| nodes[old]);
            match pair.1 {
                Some(new) => of_after[new] = node,
                None => removed.extend(node.map(Node::offset)),
            }
        }
        let first = parent.children().find(|child| !removed.contains(&child.offset()));
        Self { parent, after, nodes: of_after, first }
    }

    /// Finds where a new element goes: behind the one before it in its list, before the one behind
    /// it, or else behind whatever comes before it.
    fn place(&self, (_, new): Pair, element: &Element) -> Place<'d> {
        let at = new.unwrap_or(self.after.len());
        let list = list_of(&element.name);
        let in_list = |index: &usize| list_of(&self.after[*index].name) == list;
        let node = |index: usize| self.nodes[index];
        let before = (0..at).rev();
        let behind = at + 1..self.after.len();
        if let Some(previous) = before.clone().filter(in_list).find_map(node) {
            return Place::After(previous);
        }
        if let Some(next) = behind.filter(in_list).find_map(node) {
            return Place::Before(next);
        }
        match (before.into_iter().find_map(node), self.first) {
            (Some(previous), _) => Place::After(previous),
            (None, Some(first)) => Place::Before(first),
            (None, None) => Place::Into(self.parent),
        }
    }
}

/// Adds the step to a child to a path, as in `model[arm]/link[base]`.
fn child_path(path: &str, child: &Element) -> String {
    let name = name_of(child).map_or_else(String::new, |name| format!("[{name}]"));
    let step = format!("{}{name}", child.name);
    if path.is_empty() { step } else { format!("{path}/{step}") }
}

/// Reduces an element to what of it differs from what the author left to defaults.
fn difference(before: &Element, after: &Element) -> Element {
    let Some(pairs) = paired(&before.children, &after.children) else { return after.clone() };
    if after.children.is_empty() {
        return after.clone();
    }
    let differing = pairs.into_iter().filter_map(|(old, new)| {
        let (old, new) = (old.map(|i| &before.children[i]), &after.children[new?]);
        match old {
            Some(old) if same(old, new) => None,
            Some(old) => Some(difference(old, new)),
            None => Some(new.clone()),
        }
    });
    Element { children: differing.collect(), ..after.clone() }
}

/// Puts into a pose as the author wrote it what differs; none when it is written in another way.
fn kept_pose(
    node: Node<'_>,
    written: &str,
    (before, after): (&Element, &Element),
) -> Option<String> {
    if let Some((before, after)) = moved_only(before, after) {
        return with_position(written, &before, &after);
    }
    let format = |element: &Element| element.attribute("rotation_format").map(str::to_owned);
    let own_format = node.attribute("rotation_format").map(str::to_owned);
    let alike = format(before) == format(after) && own_format == format(after);
    let alike = alike && node.attribute("degrees").is_none();
    if alike { reworded(written, &before.text, &after.text) } else { None }
}

/// Returns the positions of two poses that differ in nothing else.
fn moved_only(before: &Element, after: &Element) -> Option<(String, String)> {
    let split = |element: &Element| {
        let words: Vec<String> = element.text.split_whitespace().map(str::to_owned).collect();
        (words.len() > 3).then(|| (words[..3].join(" "), words[3..].join(" ")))
    };
    let (position_before, turn_before) = split(before)?;
    let (position_after, turn_after) = split(after)?;
    let same_turn = before.attributes == after.attributes && turn_before == turn_after;
    same_turn.then_some((position_before, position_after))
}

/// Puts a position into a pose as the author wrote it.
fn with_position(written: &str, before: &str, after: &str) -> Option<String> {
    let mut words = written.split_whitespace();
    let fourth = words.nth(3)?;
    let split = fourth.as_ptr() as usize - written.as_ptr() as usize;
    let (position, turn) = written.split_at(split);
    Some(format!("{}{turn}", reworded(position, before, after)?))
}

/// Puts a text between the blanks that stood around the old one.
fn in_the_margins(written: &str, text: &str) -> String {
    let kept = written.trim();
    let start = written.len() - written.trim_start().len();
    let (head, tail) = match kept.is_empty() {
        true => ("", ""),
        false => (&written[..start], &written[start + kept.len()..]),
    };
    format!("{head}{}{tail}", crate::write::escaped(text))
}
