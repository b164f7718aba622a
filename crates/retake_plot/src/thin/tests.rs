//! What must hold of thinning.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const SEEN: RangeInclusive<f64> = 0.0..=10.0;

/// Curves of very many points, of few seeds: some along time, some turning back, some with gaps.
fn any_curve() -> impl Strategy<Value = Vec<Vertex>> {
    (1_usize..200_000, any::<u64>(), any::<bool>(), 1_usize..5000).prop_map(
        |(count, seed, ascending, gap)| {
            let mut chance = seed;
            let mut next = || {
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (chance >> 40) as f64 / (1_u64 << 24) as f64
            };
            let mut x = -2.0;
            let step = 14.0 / count as f64;
            (0..count)
                .map(|index| {
                    x = if ascending { x + step * next() * 2.0 } else { next() * 14.0 - 2.0 };
                    Vertex { x, y: next(), stretch: index / gap }
                })
                .collect()
        },
    )
}

/// The least and the greatest height of every quarter of a pixel.
fn outline(vertices: &[Vertex]) -> BTreeMap<i64, (f64, f64)> {
    let mut outline = BTreeMap::new();
    for vertex in vertices.iter().filter(|vertex| SEEN.contains(&vertex.x)) {
        let column = (vertex.x * COLUMNS_PER_PIXEL).floor() as i64;
        let (low, high) = outline.entry(column).or_insert((vertex.y, vertex.y));
        *low = vertex.y.min(*low);
        *high = vertex.y.max(*high);
    }
    outline
}

fn extent(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_extreme_is_lost_and_the_points_are_bounded(curve in any_curve()) {
        let thinned = thin(curve.iter().copied(), SEEN);
        prop_assert!(thinned.len() <= MAX_POINTS);
        prop_assert_eq!(thinned.first(), curve.first());
        prop_assert_eq!(thinned.last(), curve.last());
        prop_assert_eq!(extent(thinned.iter().map(|v| v.y)), extent(curve.iter().map(|v| v.y)));
        prop_assert_eq!(extent(thinned.iter().map(|v| v.x)), extent(curve.iter().map(|v| v.x)));
        if curve.is_sorted_by(|a, b| a.x <= b.x) {
            prop_assert_eq!(outline(&thinned), outline(&curve));
            // Forty quarters of a pixel and what lies outside, of four points each.
            prop_assert!(thinned.len() <= 168, "{}", thinned.len());
        }
    }

    #[test]
    fn what_is_kept_are_samples_in_their_order(curve in any_curve()) {
        let mut rest = curve.iter();
        for kept in thin(curve.iter().copied(), SEEN) {
            prop_assert!(rest.any(|sample| *sample == kept));
        }
    }
}

#[test]
fn few_points_stay_as_they_are() {
    let curve: Vec<Vertex> =
        (0..150).map(|n| Vertex { x: f64::from(n) / 15.0, y: 0.5, stretch: 0 }).collect();
    assert_eq!(thin(curve.iter().copied(), SEEN), curve);
}
