//! Byte offsets to lines and columns.

/// Distance of extra marks inside long lines, in bytes.
///
/// Every named thing asks for its place, so a file that is one long line must not be slow.
const MARK_EVERY: usize = 1 << 9;

/// Where lines start, with extra marks inside long ones.
pub(super) struct Places {
    marks: Vec<Mark>,
}

#[derive(Clone, Copy)]
struct Mark {
    offset: usize,
    line: u32,
    column: u32,
}

impl Places {
    /// Notes the lines of `text`.
    pub(super) fn new(text: &str) -> Self {
        let mut marks = vec![Mark { offset: 0, line: 1, column: 1 }];
        let mut start = 0;
        let mut line = 1;
        for (offset, _) in text.match_indices('\n') {
            mark_long_line(&mut marks, text, start..offset, line);
            start = offset + 1;
            line += 1;
            marks.push(Mark { offset: start, line, column: 1 });
        }
        mark_long_line(&mut marks, text, start..text.len(), line);
        Self { marks }
    }

    /// Returns line and column of a byte offset, both from one, the column in characters.
    pub(super) fn at(&self, text: &str, offset: usize) -> (u32, u32) {
        let after = self.marks.partition_point(|mark| mark.offset <= offset);
        let mark = self.marks[after.saturating_sub(1)];
        let between = text.get(mark.offset..offset).unwrap_or_default();
        (mark.line, mark.column + between.chars().count() as u32)
    }
}

fn mark_long_line(marks: &mut Vec<Mark>, text: &str, range: std::ops::Range<usize>, line: u32) {
    if range.len() <= MARK_EVERY {
        return;
    }
    let mut last = range.start;
    let positions = text[range.clone()].char_indices().zip(1..);
    for ((inner, _), column) in positions {
        let offset = range.start + inner;
        if offset >= last + MARK_EVERY {
            marks.push(Mark { offset, line, column });
            last = offset;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_characters_also_in_long_lines() {
        let text = format!("ä\n{}x", "ä".repeat(100_000));
        let places = Places::new(&text);
        assert_eq!(places.at(&text, 0), (1, 1));
        assert_eq!(places.at(&text, 2), (1, 2));
        assert_eq!(places.at(&text, 3), (2, 1));
        assert_eq!(places.at(&text, text.len() - 1), (2, 100_001));
        assert_eq!(places.marks.len(), 392, "columns are counted from a mark that is near");
    }
}
