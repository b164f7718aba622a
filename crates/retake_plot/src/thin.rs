//! Drawing no more points than can be told apart.
//!
//! Curves along time keep the first, the least, the greatest and the last sample of every quarter of
//! a pixel, so that thinning does not show before a picture is blown up four times. Curves that
//! turn back keep the extremes of both axes of every so many samples. No extreme is ever lost.

use std::ops::RangeInclusive;

/// Most points that are drawn of one curve; more are thinned.
pub const MAX_POINTS: usize = 100_000;
const COLUMNS_PER_PIXEL: f64 = 4.0;
const POINTS_PER_COLUMN: usize = 4;
const POINTS_PER_GROUP: usize = 6;

/// A point of the drawing, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vertex {
    pub x: f64,
    pub y: f64,
    /// Number of the stretch without gaps that it belongs to.
    pub stretch: usize,
}

/// Thins a curve that is seen in these pixels of the horizontal axis.
pub(crate) fn thin(
    vertices: impl Iterator<Item = Vertex> + Clone,
    seen_px: RangeInclusive<f64>,
) -> Vec<Vertex> {
    let (mut count, mut ascending, mut previous) = (0_usize, true, f64::NEG_INFINITY);
    for vertex in vertices.clone() {
        ascending &= vertex.x >= previous;
        previous = vertex.x;
        count += 1;
    }
    let (start, width) = (*seen_px.start(), seen_px.end() - seen_px.start());
    // One column more on either side gathers what lies outside.
    let columns =
        (width * COLUMNS_PER_PIXEL).clamp(1.0, (MAX_POINTS / POINTS_PER_COLUMN - 2) as f64);
    let most = if ascending { columns as usize * POINTS_PER_COLUMN } else { MAX_POINTS };
    if count <= most {
        return vertices.collect();
    }
    if ascending {
        let column = |_, vertex: &Vertex| {
            ((vertex.x - start) / width * columns).floor().clamp(-1.0, columns) as i64
        };
        return extremes(vertices, column);
    }
    let size = count.div_ceil(MAX_POINTS / POINTS_PER_GROUP);
    extremes(vertices, |index, _| (index / size) as i64)
}

/// Keeps the first, the last and the extremes of neighbours that fall into the same bucket.
fn extremes(
    vertices: impl Iterator<Item = Vertex>,
    bucket_of: impl Fn(usize, &Vertex) -> i64,
) -> Vec<Vertex> {
    let mut kept = Vec::new();
    let mut current: Option<(i64, Bucket)> = None;
    for (index, vertex) in vertices.enumerate() {
        let number = bucket_of(index, &vertex);
        match &mut current {
            Some((same, bucket)) if *same == number => bucket.add(index, vertex),
            other => {
                if let Some((_, full)) = other.take() {
                    full.empty_into(&mut kept);
                }
                *other = Some((number, Bucket::of_one(index, vertex)));
            }
        }
    }
    if let Some((_, last)) = current {
        last.empty_into(&mut kept);
    }
    kept
}

type Numbered = (usize, Vertex);

struct Bucket {
    first: Numbered,
    last: Numbered,
    least_x: Numbered,
    greatest_x: Numbered,
    least_y: Numbered,
    greatest_y: Numbered,
}

impl Bucket {
    fn of_one(index: usize, vertex: Vertex) -> Self {
        let only = (index, vertex);
        Self {
            first: only,
            last: only,
            least_x: only,
            greatest_x: only,
            least_y: only,
            greatest_y: only,
        }
    }

    fn add(&mut self, index: usize, vertex: Vertex) {
        let new = (index, vertex);
        self.last = new;
        if vertex.x < self.least_x.1.x {
            self.least_x = new;
        }
        // Of equals the later, so that along time this is the last sample and no point of its own.
        if vertex.x >= self.greatest_x.1.x {
            self.greatest_x = new;
        }
        if vertex.y < self.least_y.1.y {
            self.least_y = new;
        }
        if vertex.y > self.greatest_y.1.y {
            self.greatest_y = new;
        }
    }

    fn empty_into(self, kept: &mut Vec<Vertex>) {
        let mut all =
            [self.first, self.last, self.least_x, self.greatest_x, self.least_y, self.greatest_y];
        all.sort_by_key(|(index, _)| *index);
        let mut previous = None;
        for (index, vertex) in all {
            if previous != Some(index) {
                kept.push(vertex);
            }
            previous = Some(index);
        }
    }
}

#[cfg(test)]
mod tests;
