//! The laws of going back in time, thinned; `retake bench undo-laws` checks them whole.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use retake_sim::undo_laws::{
    follow_reference_model, restore_is_never_having_left, resume_is_never_having_left,
};

#[test]
fn going_on_after_a_restore_is_going_on() {
    for seed in 0..6 {
        restore_is_never_having_left(seed, 8, 120).unwrap();
    }
}

#[test]
fn going_on_from_bytes_is_going_on() {
    for seed in 100..106 {
        resume_is_never_having_left(seed, 5, 40).unwrap();
    }
}

#[test]
fn three_clients_follow_the_reference_model() {
    for seed in 0..4 {
        follow_reference_model(seed, 250).unwrap();
    }
}
