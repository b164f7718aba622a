//! What must hold of lines that are cut.

use proptest::prelude::*;

use super::*;

const AREA: Rect = Rect { left: -10.0, top: -5.0, width: 20.0, height: 10.0 };

fn any_point() -> impl Strategy<Value = Point> {
    let place = prop_oneof![-30.0..30.0, -1e7..1e7, Just(0.0), Just(-10.0), Just(5.0)];
    (place.clone(), place)
}

fn inside((x, y): Point) -> bool {
    // Cutting rounds; lines may be a million times as long as the area.
    let area = AREA.grown(1e-6);
    (area.left..=area.right()).contains(&x) && (area.top..=area.bottom()).contains(&y)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_left_of_a_line_is_what_is_inside(from in any_point(), to in any_point(), part in 0.0..=1.0) {
        let somewhere = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
        match clip(from, to, &AREA) {
            None => prop_assert!(
                !((-10.0..=10.0).contains(&somewhere.0) && (-5.0..=5.0).contains(&somewhere.1))
            ),
            Some((start, end)) => {
                prop_assert!(inside(start) && inside(end), "{start:?} {end:?}");
                // Ends inside stay what they are.
                prop_assert!(!(AREA.left < from.0 && from.0 < AREA.right() && AREA.top < from.1 && from.1 < AREA.bottom()) || start == from);
                prop_assert!(!(AREA.left < to.0 && to.0 < AREA.right() && AREA.top < to.1 && to.1 < AREA.bottom()) || end == to);
            }
        }
    }
}

#[test]
fn a_value_holds_until_the_next_but_not_across_a_gap() {
    let vertex = |x, y, stretch| Vertex { x, y, stretch };
    let vertices = [vertex(0.0, 1.0, 0), vertex(1.0, 2.0, 0), vertex(2.0, 3.0, 1)];
    assert_eq!(line(&steps(&vertices), &AREA), "M0 1L1 1 1 2M2 3h.01");
}
