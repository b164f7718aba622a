//! Samples and what is done to them.

#![expect(clippy::ptr_arg, reason = "all changes have one shape, so that they stand in one list")]

use fastrand::Rng;

use crate::words::{INTEGERS, NESTS, WORDS};

/// Longest input that is made.
const MAX_BYTES: usize = 256 * 1024;
/// Most that is put one inside the other.
const MAX_DEPTH: usize = 20_000;

type Change = fn(&mut Vec<u8>, &[Vec<u8>], &mut Rng);

/// What can be done to bytes.
const TO_BYTES: &[Change] = &[
    flip_a_bit,
    set_a_byte,
    set_a_number,
    insert_bytes,
    remove,
    repeat,
    exchange,
    cut_off,
    splice,
];

/// What can be done to texts.
const TO_TEXTS: &[Change] = &[
    replace_a_word,
    replace_a_word,
    swap_words,
    remove_words,
    repeat_words,
    repeat_a_line,
    remove_a_line,
    exchange_lines,
    nest,
    insert_a_word,
];

/// Returns one of the samples, damaged.
pub(crate) fn damaged(samples: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = samples.get(rng.usize(..samples.len().max(1))).cloned().unwrap_or_default();
    let is_text = std::str::from_utf8(&bytes).is_ok();
    // Mostly little: what is damaged in many places is refused at the first of them.
    let changes = 1 + rng.usize(..3) * rng.usize(..4);
    for _ in 0..changes {
        let change = match is_text && rng.u8(..10) < 8 {
            true => TO_TEXTS[rng.usize(..TO_TEXTS.len())],
            false => TO_BYTES[rng.usize(..TO_BYTES.len())],
        };
        change(&mut bytes, samples, rng);
        bytes.truncate(MAX_BYTES);
    }
    bytes
}

fn at(bytes: &[u8], rng: &mut Rng) -> usize {
    rng.usize(..=bytes.len())
}

/// A stretch of the bytes, mostly a short one.
fn stretch(bytes: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let start = at(bytes, rng);
    let most = match rng.u8(..4) {
        0 => bytes.len(),
        _ => 16,
    };
    let end = (start + rng.usize(..=most)).min(bytes.len());
    start..end
}

fn flip_a_bit(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let place = at(bytes, rng);
    if let Some(byte) = bytes.get_mut(place) {
        *byte ^= 1 << rng.u8(..8);
    }
}

fn set_a_byte(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let place = at(bytes, rng);
    if let Some(byte) = bytes.get_mut(place) {
        *byte = rng.u8(..);
    }
}

fn set_a_number(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let number = INTEGERS[rng.usize(..INTEGERS.len())].to_le_bytes();
    let width = [2, 4, 8][rng.usize(..3)];
    let place = at(bytes, rng);
    let end = (place + width).min(bytes.len());
    bytes[place..end].copy_from_slice(&number[..end - place]);
}

fn insert_bytes(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let place = at(bytes, rng);
    let more: Vec<u8> = (0..rng.usize(1..16)).map(|_| rng.u8(..)).collect();
    bytes.splice(place..place, more);
}

fn remove(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    bytes.drain(stretch(bytes, rng));
}

fn repeat(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let copied = bytes[stretch(bytes, rng)].to_vec();
    let times = 1 + rng.usize(..8) * rng.usize(..8);
    let place = at(bytes, rng);
    bytes.splice(place..place, copied.repeat(times));
}

fn exchange(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let (one, other) = (stretch(bytes, rng), at(bytes, rng));
    let moved: Vec<u8> = bytes.drain(one).collect();
    let other = other.min(bytes.len());
    bytes.splice(other..other, moved);
}

fn cut_off(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    bytes.truncate(at(bytes, rng));
}

/// Goes on as another sample does.
fn splice(bytes: &mut Vec<u8>, samples: &[Vec<u8>], rng: &mut Rng) {
    let Some(other) = samples.get(rng.usize(..samples.len().max(1))) else { return };
    bytes.truncate(at(bytes, rng));
    bytes.extend_from_slice(&other[at(other, rng)..]);
}

/// Where the words of a text are, and what is between them left out.
fn words(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let mut found = Vec::new();
    let mut start = None;
    for (place, byte) in bytes.iter().enumerate() {
        match (is_part(byte), start) {
            (true, None) => start = Some(place),
            (false, Some(began)) => {
                found.push(began..place);
                start = None;
            }
            _ => {}
        }
    }
    found.extend(start.map(|began| began..bytes.len()));
    found
}

fn a_word(bytes: &[u8], rng: &mut Rng) -> Option<std::ops::Range<usize>> {
    let all = words(bytes);
    let chosen = rng.usize(..all.len().max(1));
    all.into_iter().nth(chosen)
}

/// A word from the list, from another place of this text, or a long one.
fn another_word(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    match rng.u8(..10) {
        0..7 => WORDS[rng.usize(..WORDS.len())].as_bytes().to_vec(),
        7 | 8 => a_word(bytes, rng).map(|word| bytes[word].to_vec()).unwrap_or_default(),
        _ => b"x".repeat(1 << rng.usize(4..15)),
    }
}

fn replace_a_word(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    if let Some(word) = a_word(bytes, rng) {
        let other = another_word(bytes, rng);
        bytes.splice(word, other);
    }
}

fn insert_a_word(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let place = at(bytes, rng);
    let word = another_word(bytes, rng);
    bytes.splice(place..place, word);
}

fn swap_words(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let (Some(one), Some(other)) = (a_word(bytes, rng), a_word(bytes, rng)) else { return };
    let (first, last) = if one.start < other.start { (one, other) } else { (other, one) };
    if first.end <= last.start {
        let (early, late) = (bytes[first.clone()].to_vec(), bytes[last.clone()].to_vec());
        bytes.splice(last, early);
        bytes.splice(first, late);
    }
}

fn remove_words(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let (Some(one), Some(other)) = (a_word(bytes, rng), a_word(bytes, rng)) else { return };
    let (start, end) = (one.start.min(other.start), one.end.max(other.end));
    // Seldom more than a few: a text without its middle is soon refused.
    if end - start < 200 || rng.u8(..8) == 0 {
        bytes.drain(start..end);
    }
}

fn repeat_words(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let (Some(one), Some(other)) = (a_word(bytes, rng), a_word(bytes, rng)) else { return };
    let span = one.start.min(other.start)..one.end.max(other.end);
    let place = span.end;
    let copied = bytes[span].repeat(1 + rng.usize(..4));
    bytes.splice(place..place, copied);
}

fn lines(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut start = 0;
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let ends = ends.chain([bytes.len()]);
    ends.map(|end| std::mem::replace(&mut start, end)..end)
        .filter(|line| !line.is_empty())
        .collect()
}

/// Some lines that follow one another.
fn some_lines(bytes: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let all = lines(bytes);
    let first = rng.usize(..all.len().max(1));
    let last = (first + rng.usize(..4) * rng.usize(..4)).min(all.len().saturating_sub(1));
    match (all.get(first), all.get(last)) {
        (Some(first), Some(last)) => first.start..last.end,
        _ => 0..0,
    }
}

fn repeat_a_line(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let span = some_lines(bytes, rng);
    let place = span.end;
    let copied = bytes[span].repeat(1 + rng.usize(..6) * rng.usize(..6));
    bytes.splice(place..place, copied);
}

fn remove_a_line(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    bytes.drain(some_lines(bytes, rng));
}

fn exchange_lines(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let moved: Vec<u8> = bytes.drain(some_lines(bytes, rng)).collect();
    let place = some_lines(bytes, rng).start;
    bytes.splice(place..place, moved);
}

fn nest(bytes: &mut Vec<u8>, _: &[Vec<u8>], rng: &mut Rng) {
    let (open, close) = NESTS[rng.usize(..NESTS.len())];
    let depth = 1 << rng.usize(..=MAX_DEPTH.ilog2() as usize);
    let word = a_word(bytes, rng).unwrap_or(0..0);
    let mut inside = open.as_bytes().repeat(depth);
    inside.extend_from_slice(&bytes[word.clone()]);
    inside.extend_from_slice(&close.as_bytes().repeat(depth));
    bytes.splice(word, inside);
}
