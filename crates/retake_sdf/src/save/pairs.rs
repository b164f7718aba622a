//! Which element of one tree is which of another.
//!
//! Elements are known by tag and name. Those without a name stand one for one in their order; a
//! thing that is gone and one that is new are the same when nothing but name and place differ.

use std::collections::BTreeMap;

use retake_description::Element;

use super::words::same_text;
use crate::sdf::Origin;
use crate::xml::Node;

/// Two elements that are one, or one that the other side does not have.
pub(super) type Pair = (Option<usize>, Option<usize>);

/// Says whether two elements say the same.
pub(super) fn same(a: &Element, b: &Element) -> bool {
    a.attributes == b.attributes
        && same_text(&a.text, &b.text)
        && a.children.len() == b.children.len()
        && a.children.iter().zip(&b.children).all(|(a, b)| a.name == b.name && same(a, b))
}

/// Pairs children before with children after, in the order of those after; what is gone comes
/// first. None when the order of those that stay has changed.
pub(super) fn paired(before: &[Element], after: &[Element]) -> Option<Vec<Pair>> {
    let mut partner: Vec<Option<usize>> = vec![None; after.len()];
    let mut gone: Vec<usize> = Vec::new();
    let mut groups: BTreeMap<Key<'_>, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (index, element) in before.iter().enumerate() {
        groups.entry(key(element)).or_default().0.push(index);
    }
    for (index, element) in after.iter().enumerate() {
        groups.entry(key(element)).or_default().1.push(index);
    }
    for (old, new) in groups.values() {
        let (pairs, unpaired) = one_for_one((old, before), (new, after));
        pairs.into_iter().for_each(|(old, new)| partner[new] = Some(old));
        gone.extend(unpaired);
    }
    gone.sort_unstable();
    let (mut renamed, mut left) = (partner.clone(), gone.clone());
    for (index, element) in after.iter().enumerate().filter(|(_, e)| name_of(e).is_some()) {
        if renamed[index].is_none()
            && let Some(at) = left.iter().position(|&old| is_renamed(&before[old], element))
        {
            renamed[index] = Some(left.remove(at));
        }
    }
    // What comes at another place than its likeness went from is another thing.
    let ways = [(renamed, left), (partner, gone)];
    let (partner, gone) = ways.into_iter().find(|(partner, _)| keeps_order(partner, after))?;
    let stay = partner.into_iter().enumerate().map(|(new, old)| (old, Some(new)));
    Some(gone.iter().map(|&old| (Some(old), None)).chain(stay).collect())
}

type Key<'e> = (&'e str, Option<&'e str>);

fn key(element: &Element) -> Key<'_> {
    (&element.name, name_of(element))
}

/// Returns the name of a thing that has one.
pub(super) fn name_of(element: &Element) -> Option<&str> {
    element.attribute("name").filter(|name| !name.is_empty())
}

/// Pairs elements that nothing tells apart: equal ones at both ends, the others in their order.
fn one_for_one(
    (old, before): (&[usize], &[Element]),
    (new, after): (&[usize], &[Element]),
) -> (Vec<(usize, usize)>, Vec<usize>) {
    let equal = |(a, b): &(&usize, &usize)| same(&before[**a], &after[**b]);
    let shorter = old.len().min(new.len());
    let head = old.iter().zip(new).take_while(equal).count();
    let tail = old.iter().rev().zip(new.iter().rev());
    let tail = tail.take(shorter - head).take_while(equal).count();
    let middle = shorter - head - tail;
    let (old_head, old_tail) = old.split_at(old.len() - tail);
    let (new_head, new_tail) = new.split_at(new.len() - tail);
    let front = old_head.iter().zip(new_head).take(head + middle);
    let pairs = front.chain(old_tail.iter().zip(new_tail)).map(|(a, b)| (*a, *b)).collect();
    (pairs, old_head.iter().skip(head + middle).copied().collect())
}

fn is_renamed(before: &Element, after: &Element) -> bool {
    let unnamed = |element: &Element| {
        let mut attributes = element.attributes.clone();
        attributes.retain(|(key, _)| key != "name");
        attributes
    };
    let placeless = |element: &Element| {
        element.children.iter().filter(|child| child.name != "pose").cloned().collect::<Vec<_>>()
    };
    before.name == after.name
        && unnamed(before) == unnamed(after)
        && before.text == after.text
        && placeless(before) == placeless(after)
}

/// Says whether things of one list come in the same order before and after.
fn keeps_order(partner: &[Option<usize>], after: &[Element]) -> bool {
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    partner.iter().zip(after).all(|(old, element)| {
        let Some(old) = *old else { return true };
        last.insert(list_of(&element.name), old).is_none_or(|previous| previous < old)
    })
}

/// Returns the list that an element is in: actors stand among the models.
pub(super) fn list_of(tag: &str) -> &str {
    if tag == "actor" { "model" } else { tag }
}

/// Finds the element of the author's text that each of `children` was read from.
pub(super) fn located<'d>(
    parent: Node<'d>,
    children: &[Element],
    origins: &BTreeMap<usize, Origin>,
) -> Vec<Option<Node<'d>>> {
    let mut written: BTreeMap<(&str, Option<&str>), Vec<Node<'d>>> = BTreeMap::new();
    for node in parent.children() {
        let key = match origins.get(&node.offset()) {
            Some(origin) => (origin.tag, Some(origin.name.as_str())),
            None => (node.name(), node.attribute("name").filter(|name| !name.is_empty())),
        };
        written.entry(key).or_default().push(node);
    }
    written.values_mut().for_each(|nodes| nodes.reverse());
    let mut found: Vec<Option<Node<'d>>> = Vec::with_capacity(children.len());
    for child in children {
        let node = written.get_mut(&key(child)).and_then(Vec::pop);
        found.push(node);
    }
    // Things that have no name in the file were given one.
    for (child, node) in children.iter().zip(&mut found).filter(|(_, node)| node.is_none()) {
        *node = written.get_mut(&(child.name.as_str(), None)).and_then(Vec::pop);
    }
    found
}
