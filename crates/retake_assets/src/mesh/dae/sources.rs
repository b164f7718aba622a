//! Lists of numbers: `<source>`, `<p>`, matrices.

use super::super::Fault;
use super::document::Node;
use super::malformed;

/// Reads numbers that must all be finite.
pub(super) fn numbers(node: Node<'_>) -> Result<Vec<f32>, Fault> {
    let mut numbers = Vec::new();
    for word in node.text().split_ascii_whitespace() {
        match word.parse::<f32>() {
            Ok(number) if number.is_finite() => numbers.push(number),
            _ => {
                let shown: String = word.chars().take(40).collect();
                return malformed(format!("{shown:?} in <{}> is not a finite number", node.name()));
            }
        }
    }
    Ok(numbers)
}

/// Reads exactly `N` numbers.
pub(super) fn exactly<const N: usize>(node: Node<'_>) -> Result<[f64; N], Fault> {
    let numbers = numbers(node)?;
    let held = numbers.len();
    let wide: Vec<f64> = numbers.into_iter().map(f64::from).collect();
    let exact = wide.try_into().ok();
    let wrong = || format!("<{}> has {held} numbers instead of {N}", node.name());
    exact.ok_or_else(|| Fault::Malformed(wrong()))
}

/// Reads indices.
pub(super) fn indices(node: Node<'_>) -> Result<Vec<u32>, Fault> {
    let mut indices = Vec::new();
    for word in node.text().split_ascii_whitespace() {
        match word.parse::<u32>() {
            Ok(index) => indices.push(index),
            Err(_) => {
                let shown: String = word.chars().take(40).collect();
                return malformed(format!("{shown:?} in <{}> is not an index", node.name()));
            }
        }
    }
    Ok(indices)
}

/// Reads a `<source>` as items of `N` numbers, leaving out what its stride holds besides.
pub(super) fn items<const N: usize>(source: Node<'_>) -> Result<Vec<[f32; N]>, Fault> {
    let Some(array) = source.child("float_array") else {
        let id = source.attribute("id").unwrap_or("without id");
        return malformed(format!("the source {id} has no <float_array>"));
    };
    let numbers = numbers(array)?;
    let accessor = source.child("technique_common").and_then(|common| common.child("accessor"));
    let whole = |name: &str, otherwise: usize| -> Result<usize, Fault> {
        match accessor.and_then(|accessor| accessor.attribute(name)) {
            Some(text) => {
                text.trim().parse().or_else(|_| malformed(format!("bad {name} {text:?}")))
            }
            None => Ok(otherwise),
        }
    };
    let (stride, offset) = (whole("stride", N)?, whole("offset", 0)?);
    if stride < N {
        return malformed(format!("a stride of {stride} cannot hold {N} numbers"));
    }
    let held = numbers.get(offset..).unwrap_or_default();
    // The last item may lack what the stride would hold after it.
    let items = held.chunks(stride).filter_map(|item| item.first_chunk::<N>().copied());
    let count = whole("count", usize::MAX)?;
    Ok(items.take(count).collect())
}
