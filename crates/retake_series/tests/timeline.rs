//! Which stretches are live after jumps.

use expect_test::{Expect, expect};
use proptest::collection::vec;
use proptest::prelude::*;
use retake_series::{Jumped, Stretch, Timeline};

fn text(stretches: impl IntoIterator<Item = Stretch>) -> String {
    let bound = |ns: i64| match ns {
        i64::MIN | i64::MAX => "…".to_owned(),
        ns => ns.to_string(),
    };
    let one = |s: Stretch| format!("{}[{} {}]", s.epoch, bound(s.from_ns), bound(s.until_ns));
    stretches.into_iter().map(one).collect::<Vec<_>>().join(" ")
}

fn check(jumps: &[(u64, u64, i64)], expected: Expect) {
    let mut timeline = Timeline::new();
    for (epoch, parent, at_ns) in jumps {
        timeline.jump(*epoch, *parent, *at_ns);
    }
    let live = text(timeline.live().iter().copied());
    expected.assert_eq(&format!("live {live}  discarded {}", text(timeline.discarded())));
}

#[test]
fn undo_and_redo_choose_a_way_through_the_tree() {
    check(&[], expect!["live 0[… …]  discarded "]);
    check(&[(1, 0, 50)], expect!["live 0[… 50] 1[51 …]  discarded 0[51 …]"]);
    check(
        &[(1, 0, 50), (2, 1, 70)],
        expect!["live 0[… 50] 1[51 70] 2[71 …]  discarded 0[51 …] 1[71 …]"],
    );
    // Redo: the stretch that was discarded leads to the present again.
    check(
        &[(1, 0, 50), (2, 0, 100)],
        expect!["live 0[… 100] 2[101 …]  discarded 0[101 …] 1[51 …]"],
    );
    // Undo to before the parent's own beginning.
    check(&[(1, 0, 50), (2, 1, 30)], expect!["live 0[… 30] 2[31 …]  discarded 0[31 …] 1[51 …]"]);
}

#[test]
fn the_way_to_an_instant_is_a_timeline_without_anything_beside_it() {
    let mut timeline = Timeline::new();
    for (epoch, parent, at_ns) in [(1, 0, 50), (2, 1, 70), (3, 0, 20)] {
        timeline.jump(epoch, parent, at_ns);
    }
    let way = |epoch: u64, until_ns: i64| {
        let way = timeline.leading_to(epoch, until_ns);
        way.map(|way| format!("{}|{}", text(way.live().iter().copied()), text(way.discarded())))
    };
    assert_eq!(way(0, 100).unwrap(), "0[… 100]|");
    assert_eq!(way(2, i64::MAX).unwrap(), "0[… 50] 1[51 70] 2[71 …]|");
    assert_eq!(way(2, 90).unwrap(), "0[… 50] 1[51 70] 2[71 90]|");
    assert_eq!(way(9, 90), None);
    assert_eq!(timeline.present(), 3, "the timeline itself is as it was");
}

#[test]
fn a_jump_that_makes_no_sense_does_no_harm() {
    check(&[(7, 5, 50)], expect!["live 7[… …]  discarded 0[… …]"]);
    check(&[(1, 1, 50)], expect!["live 1[… …]  discarded 0[… …]"]);
    check(&[(1, 0, 50), (1, 0, 20)], expect!["live 0[… 50] 1[51 …]  discarded 0[51 …]"]);
    check(&[(1, 0, i64::MAX)], expect!["live 0[… 9223372036854775806] 1[… …]  discarded 0[… …]"]);
    let mut timeline = Timeline::new();
    let jumps =
        [(1, 0), (1, 0), (3, 2), (0, 1)].map(|(epoch, parent)| timeline.jump(epoch, parent, 5));
    use Jumped::{AlreadyKnown, Begun, BegunWithoutPast};
    assert_eq!(jumps, [Begun, AlreadyKnown, BegunWithoutPast, AlreadyKnown]);
}

#[test]
fn the_oldest_discarded_epoch_is_forgotten_first() {
    let mut timeline = Timeline::with_limit(3);
    for (epoch, parent, at_ns) in [(1, 0, 50), (2, 0, 60), (3, 2, 70)] {
        timeline.jump(epoch, parent, at_ns);
    }
    assert_eq!(timeline.epochs().collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(text(timeline.live().iter().copied()), "0[… 60] 2[61 70] 3[71 …]");
    assert!(timeline.has_forgotten(1) && !timeline.has_forgotten(9));
    // With no discarded one left, the beginning of the live way goes.
    timeline.jump(4, 3, 80);
    assert_eq!(text(timeline.live().iter().copied()), "2[61 70] 3[71 80] 4[81 …]");
}

proptest! {
    #[test]
    fn live_stretches_follow_one_another_and_numbers_stay_bounded(
        jumps in vec((0_u64..40, 0_u64..40, any::<i8>()), 0..60), limit in 1_usize..8,
    ) {
        let mut timeline = Timeline::with_limit(limit);
        for (epoch, parent, at_ns) in jumps {
            let began = timeline.jump(epoch, parent, at_ns.into()) != Jumped::AlreadyKnown;
            prop_assert!(!began || timeline.present() == epoch);
            prop_assert!(timeline.epochs().count() <= limit);
            let live = timeline.live();
            prop_assert!(live.iter().all(|stretch| stretch.from_ns <= stretch.until_ns));
            prop_assert!(live.windows(2).all(|pair| pair[0].until_ns < pair[1].from_ns));
            prop_assert_eq!(live.last().map(|stretch| stretch.until_ns), Some(i64::MAX));
        }
    }
}
