//! What people rely on, a row each: the rules of trajectory controllers, and where ours differ.
#![allow(clippy::too_many_lines, reason = "rows of a table")]

use expect_test::{Expect, expect};

use super::script::play;

/// A row: what it is about, a script, and what comes of it.
struct Row(&'static str, &'static str, Expect);

#[test]
fn every_row_of_the_table_holds() {
    // One row that fails does not hide the others.
    let holds = |Row(name, script, expected): &Row| {
        let check = || expected.assert_eq(&format!("{name}\n{}", play(script)));
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_ok()
    };
    let broken = rows().into_iter().filter(|row| !holds(row)).map(|row| row.0);
    assert_eq!(broken.collect::<Vec<_>>(), Vec::<&str>::new());
}

fn rows() -> Vec<Row> {
    [curves(), stamps(), refusals(), tolerances(), ends(), sharing(), time_and_turns()]
        .into_iter()
        .flatten()
        .collect()
}

fn curves() -> Vec<Row> {
    vec![
        Row(
            "1 positions alone are joined by lines",
            "joint a
             rules ros2
             0.0 goal g a 1:1 2:3
             0.5 see a
             1.5 see a",
            expect![[r#"
                1 positions alone are joined by lines
                0.00 g begun
                0.50 a has g, told 0.500 at 1.000/s
                1.50 a has g, told 2.000 at 2.000/s
                2.00 g succeeded 0
            "#]],
        ),
        Row(
            "1 velocities make cubics, accelerations quintics, and the lower end of a segment decides",
            "joint a
             rules ros2
             0.0 goal g a 0:0:0:0 1:1:0:0 2:0:0 3:1
             0.25 see a
             1.25 see a
             2.25 see a
             until 3.1",
            expect![[r#"
                1 velocities make cubics, accelerations quintics, and the lower end of a segment decides
                0.00 g begun
                0.25 a has g, told 0.104 at 1.055/s
                1.25 a has g, told 0.844 at -1.125/s
                2.25 a has g, told 0.250 at 1.000/s
                3.00 g succeeded 0
            "#]],
        ),
        Row(
            "2 the way to the first point has the degree of that point, and begins with what is known",
            "joint a at 1
             rules ros2
             0.0 goal g a 1:2:0
             0.25 see a
             0.5 see a
             until 1.1",
            expect![[r#"
                2 the way to the first point has the degree of that point, and begins with what is known
                0.00 g begun
                0.25 a has g, told 1.156 at 1.125/s
                0.50 a has g, told 1.500 at 1.500/s
                1.00 g succeeded 0
            "#]],
        ),
        Row(
            "2 native: the way to a line leaves with the velocity of the joint",
            "joint a
             rules native
             0.0 goal g a 1:1
             0.01 see a
             0.5 see a
             1.0 see a
             until 1.1",
            expect![[r#"
                2 native: the way to a line leaves with the velocity of the joint
                0.00 g begun
                0.01 a has g, told 0.000 at 0.059/s
                0.50 a has g, told 0.500 at 1.500/s
                1.00 a has g, told 1.000 at 0.000/s
                1.00 g succeeded 0
            "#]],
        ),
        Row(
            "2 native: a steep line is begun gently, and not swung back from",
            "joint a
             rules native
             0.0 goal g a 0:0 0.05:1 0.5:1
             0.03 see a
             0.05 see a
             0.1 see a
             until 0.6",
            expect![[r#"
                2 native: a steep line is begun gently, and not swung back from
                0.00 g begun
                0.03 a has g, told 0.648 at 28.800/s
                0.05 a has g, told 1.000 at 0.000/s
                0.10 a has g, told 1.000 at 0.000/s
                0.50 g succeeded 0
            "#]],
        ),
        Row(
            "2 ros2: the velocity of the joint leads far beyond a point that comes late",
            "joint a
             rules ros2
             0.0 goal g a 1:1:0
             0.5 see a
             0.5 goal h a 4:0.6:0
             1.0 see a
             1.5 see a
             2.0 see a",
            expect![[r#"
                2 ros2: the velocity of the joint leads far beyond a point that comes late
                0.00 g begun
                0.50 a has g, told 0.500 at 1.500/s
                0.50 h begun
                0.50 g preempted -1: "h" took its joints
                1.00 a has h, told 1.079 at 0.837/s
                1.50 a has h, told 1.359 at 0.309/s
                2.00 a has h, told 1.411 at -0.082/s
            "#]],
        ),
        Row(
            "2 native: it does not",
            "joint a
             rules native
             0.0 goal g a 1:1:0
             0.5 see a
             0.5 goal h a 4:0.6:0
             0.55 see a
             1.0 see a
             1.5 see a
             2.0 see a",
            expect![[r#"
                2 native: it does not
                0.00 g begun
                0.50 a has g, told 0.500 at 1.500/s
                0.50 h begun
                0.50 g preempted -1: "h" took its joints
                0.55 a has h, told 0.540 at 0.312/s
                1.00 a has h, told 0.534 at 0.047/s
                1.50 a has h, told 0.558 at 0.042/s
                2.00 a has h, told 0.576 at 0.029/s
            "#]],
        ),
        Row(
            "3 ros2 starts from where the joint is",
            "joint a lag 0.5
             rules ros2
             0.0 goal g a 1:1 2:2
             1.0 see a
             1.0 goal h a 1:0
             1.01 see a
             until 1.1",
            expect![[r#"
                3 ros2 starts from where the joint is
                0.00 g begun
                1.00 a has g, told 1.000 at 1.000/s, 0.428 off
                1.00 h begun
                1.00 g preempted -1: "h" took its joints
                1.01 a has h, told 0.566 at -0.572/s, -0.006 off
            "#]],
        ),
        Row(
            "3 ros2 with start from desired goes on from the last command",
            "joint a lag 0.5
             rules ros2 desired
             0.0 goal g a 1:1 2:2
             1.0 see a
             1.0 goal h a 1:0
             1.01 see a
             until 1.1",
            expect![[r#"
                3 ros2 with start from desired goes on from the last command
                0.00 g begun
                1.00 a has g, told 1.000 at 1.000/s, 0.428 off
                1.00 h begun
                1.00 g preempted -1: "h" took its joints
                1.01 a has h, told 0.990 at -1.000/s, 0.410 off
            "#]],
        ),
        Row(
            "3 native goes on from the last command, whatever becomes of goals that lose",
            "joint a lag 0.5
             rules native on_cancel=hold
             0.0 goal g a 1:1 2:2
             1.0 see a
             1.0 goal h a 1:0
             1.0 see a
             1.01 see a
             until 1.1",
            expect![[r#"
                3 native goes on from the last command, whatever becomes of goals that lose
                0.00 g begun
                1.00 a has g, told 1.000 at 1.000/s, 0.482 off
                1.00 h begun
                1.00 g preempted -1: "h" took its joints
                1.00 a has h, told 1.000 at 1.000/s, 0.482 off
                1.01 a has h, told 1.008 at 0.697/s, 0.481 off
            "#]],
        ),
        Row(
            "4 ros2: a first point at 0 is taken at once, and the path is checked there",
            "joint a stuck
             rules ros2
             0.0 goal g a 0:1 1:1 path=a,0.5
             0.01 see a
             until 0.1",
            expect![[r#"
                4 ros2: a first point at 0 is taken at once, and the path is checked there
                0.00 g begun
                0.01 a has g, told 1.000 at 0.000/s, 1.000 off
                0.01 g aborted -4: joint "a" is 1.000 off the path at 0.000, where 0.500 is allowed
            "#]],
        ),
        Row(
            "4 native: a first point at 0 is blended into",
            "joint a
             rules native
             0.0 goal g a 0:1 1:1
             0.01 see a
             0.5 see a
             until 1.1",
            expect![[r#"
                4 native: a first point at 0 is blended into
                0.00 g begun
                0.01 a has g, told 0.008 at 1.569/s
                0.50 a has g, told 0.990 at 0.114/s
                1.00 g succeeded 0
            "#]],
        ),
        Row(
            "4 native: a start too far away is refused",
            "joint a at 0.2
             rules native
             0.0 goal g a 0:1 1:1 path=a,0.5
             0.0 goal h a 0:0.5 1:1 path=a,0.5
             until 1.1",
            expect![[r#"
                4 native: a start too far away is refused
                0.00 g refused -4: joint "a" is at 0.200, and it begins at 1.000: 0.800 off, where 0.500 is allowed. Move it there first, or raise its path tolerance
                0.00 h begun
                1.00 h succeeded 0
            "#]],
        ),
        Row(
            "4 native: a start too far away is found when a goal that waited begins",
            "joint a at 0.2
             rules native
             0.0 goal g a 0:1 1:1 path=a,0.5 stamp=0.5",
            expect![[r#"
                4 native: a start too far away is found when a goal that waited begins
                0.00 g waits
                0.50 g aborted -4: joint "a" is at 0.200, and it begins at 1.000: 0.800 off, where 0.500 is allowed. Move it there first, or raise its path tolerance
            "#]],
        ),
        Row(
            "M6 stepwise weights and monotone joints",
            "joint a
             rules native
             0.0 goal g a,support/leg 0.5:1,0.25 0.7:1,0.5 1:1,1 way=monotone
             0.25 see a
             0.25 weigh g
             0.75 see a
             0.75 weigh g
             1.0 weigh g",
            expect![[r#"
                M6 stepwise weights and monotone joints
                0.00 g begun
                0.25 a has g, told 0.500 at 3.000/s
                0.25 g carries 0.25
                0.75 a has g, told 1.000 at 0.000/s
                0.75 g carries 0.5
                1.00 g carries 1
                1.00 g succeeded 0
            "#]],
        ),
    ]
}

fn stamps() -> Vec<Row> {
    vec![
        Row(
            "6 a stamp of 0 is now",
            "joint a
             rules ros2
             0.5 goal g a 0.5:1 stamp=0",
            expect![[r#"
                6 a stamp of 0 is now
                0.50 g begun
                1.00 g succeeded 0
            "#]],
        ),
        Row(
            "6 a stamp in the future lets the old motion go on until then",
            "joint a
             rules ros2
             0.0 goal g a 2:2
             0.5 goal h a 1:0 stamp=1
             0.99 see a
             1.5 see a",
            expect![[r#"
                6 a stamp in the future lets the old motion go on until then
                0.00 g begun
                0.50 h waits
                0.99 a has g, told 0.990 at 1.000/s
                1.00 g preempted -1: "h" took its joints
                1.50 a has h, told 0.500 at -1.000/s
                2.00 h succeeded 0
            "#]],
        ),
        Row(
            "6 a goal that waits is cancelled without touching the joints",
            "joint a
             rules ros2
             0.0 goal g a 2:2
             0.5 goal h a 1:0 stamp=1
             0.6 cancel h
             1.5 see a",
            expect![[r#"
                6 a goal that waits is cancelled without touching the joints
                0.00 g begun
                0.50 h waits
                0.60 cancelled 1
                0.60 h cancelled 0: it was cancelled
                1.50 a has g, told 1.500 at 1.000/s
                2.00 g succeeded 0
            "#]],
        ),
        Row(
            "6 a stamp in the past skips points that are over, and actions before it",
            "joint a
             rules ros2
             0.5 goal g a 0.2:9 0.4:9 1:1 2:2 stamp=0.0001 !0.1:lost !0.8:kept
             0.74 see a
             1.0 see a",
            expect![[r#"
                6 a stamp in the past skips points that are over, and actions before it
                0.50 g begun
                0.74 a has g, told 0.480 at 2.000/s
                0.81 g fires kept
                1.00 a has g, told 1.000 at 2.000/s
            "#]],
        ),
        Row(
            "7 what is over already is refused",
            "joint a
             rules ros2
             1.5 goal g a 0.5:1 1:2 stamp=0.25
             until 1.6",
            expect![[r#"
                7 what is over already is refused
                1.50 g refused -3: its time stamp is so old that it would be over already; send it with a newer one
            "#]],
        ),
        Row(
            "6 an impossible stamp is refused",
            "joint a
             0.0 goal g a 1:1 stamp=inf
             0.0 goal h a 1:1 stamp=NaN
             until 0.1",
            expect![[r#"
                6 an impossible stamp is refused
                0.00 g refused -1: its time stamp is inf s; leave it out for now
                0.00 h refused -1: its time stamp is NaN s; leave it out for now
            "#]],
        ),
    ]
}

fn refusals() -> Vec<Row> {
    vec![
        Row(
            "5 times must grow, and be numbers from 0 on",
            "joint a
             0.0 goal same a 1:1 1:2
             0.0 goal back a 1:1 0.5:2
             0.0 goal near a 1:1 1.0000000001:2
             0.0 goal negative a -1:1
             0.0 goal nan a NaN:1
             until 0.1",
            expect![[r#"
                5 times must grow, and be numbers from 0 on
                0.00 same refused -1: point 2 is at 1 s, not after the one before at 1 s; times must grow
                0.00 back refused -1: point 2 is at 0.5 s, not after the one before at 1 s; times must grow
                0.00 near refused -1: point 2 is at 1.0000000001 s, not after the one before at 1 s; times must grow
                0.00 negative refused -1: point 1 is at -1 s; write a time from 0 to 1000000
                0.00 nan refused -1: point 1 is at NaN s; write a time from 0 to 1000000
            "#]],
        ),
        Row(
            "8 empty goals are refused, actions alone are not",
            "joint a
             0.0 goal g a
             0.0 goal h x
             0.0 goal i , !0.5:say
             until 1",
            expect![[r#"
                8 empty goals are refused, actions alone are not
                0.00 g refused -1: it has no points, so that there is nothing to follow; add some
                0.00 h refused -1: it has no points, so that there is nothing to follow; add some
                0.00 i begun
                0.50 i fires say
                0.50 i succeeded 0
            "#]],
        ),
        Row(
            "9 joints come in any order, unknown ones are refused",
            "joint a
             joint b
             rules ros2
             0.0 goal u b,x,a,y 1:1,1,1,1
             0.0 goal twice b,b 1:1,1
             0.0 goal g b,a 1:2,1
             0.5 see a b
             until 1.1",
            expect![[r#"
                9 joints come in any order, unknown ones are refused
                0.00 u refused -2: the robot has no joint "x", "y"; it has a, b
                0.00 twice refused -1: joint "b" is named twice; name it once
                0.00 g begun
                0.50 a has g, told 0.500 at 1.000/s
                0.50 b has g, told 1.000 at 2.000/s
                1.00 g succeeded 0
            "#]],
        ),
        Row(
            "10 ros2: every joint must be named",
            "joint a
             joint b
             rules ros2
             0.0 goal g a 1:1
             until 0.1",
            expect![[r#"
                10 ros2: every joint must be named
                0.00 g refused -2: it leaves out b; name every joint, or let the player take partial goals
            "#]],
        ),
        Row(
            "10 by option, and natively, joints may be left out, and hold",
            "joint a
             joint b
             group arm a b
             rules ros2 partial
             0.0 goal g a,b 1:1,1
             0.5 goal h a 1:1
             0.6 see a b
             until 1.6",
            expect![[r#"
                10 by option, and natively, joints may be left out, and hold
                0.00 g begun
                0.50 h begun
                0.50 g preempted -1: "h" took its joints
                0.60 a has h, told 0.550 at 0.500/s
                0.60 b holds 0.500, told 0.500 at 0.000/s
                1.50 h succeeded 0
            "#]],
        ),
        Row(
            "11 lists must have the size of the joints, and no efforts",
            "joint a
             joint b
             0.0 goal p a,b 1:1
             0.0 goal v a,b 1:1,1:0
             0.0 goal a a,b 1:1,1:0,0:0
             0.0 goal none a,b 1::0,0
             0.0 goal e a,b 1:1,1 effort=2
             0.0 goal inf a,b 1:1,inf
             0.0 goal nan a,b 1:1,1:0,NaN
             until 0.1",
            expect![[r#"
                11 lists must have the size of the joints, and no efforts
                0.00 p refused -1: point 1 has 1 positions for 2 joints
                0.00 v refused -1: point 1 has 1 velocities for 2 joints
                0.00 a refused -1: point 1 has 1 accelerations for 2 joints
                0.00 none refused -1: point 1 has 0 positions for 2 joints
                0.00 e refused -1: point 1 gives efforts, and players move joints by position; leave them out
                0.00 inf refused -1: positions of point 1 has inf for joint "b"; write a number within ±1e6
                0.00 nan refused -1: velocities of point 1 has NaN for joint "b"; write a number within ±1e6
            "#]],
        ),
        Row(
            "12 a moving end is refused",
            "joint a
             0.0 goal g a 1:1:0.5
             until 0.1",
            expect![[r#"
                12 a moving end is refused
                0.00 g refused -1: the last point moves joint "a" at 0.5; end with a velocity of 0, or let the player take moving ends
            "#]],
        ),
        Row(
            "12 by option it is taken, succeeds and holds",
            "joint a
             rules ros2 moving_end goal=0.1
             0.0 goal g a 1.005:1:0.5
             1.5 see a",
            expect![[r#"
                12 by option it is taken, succeeds and holds
                0.00 g begun
                1.01 g succeeded 0
                1.50 a holds 1.000, told 1.000 at 0.000/s
            "#]],
        ),
        Row(
            "native: positions beyond the limits of a joint are refused, ros2 takes them",
            "joint a limits -1 1
             0.0 goal g a 1:1.5
             until 0.1",
            expect![[r#"
                native: positions beyond the limits of a joint are refused, ros2 takes them
                0.00 g refused -1: point 1 has joint "a" at 1.5, beyond its limits of -1 to 1
            "#]],
        ),
        Row(
            "ros2 takes positions beyond the limits",
            "joint a limits -1 1
             rules ros2
             0.0 goal g a 1:1.5
             until 0.1",
            expect![[r#"
                ros2 takes positions beyond the limits
                0.00 g begun
            "#]],
        ),
        Row(
            "actions must be sorted and in time",
            "joint a
             0.0 goal g a 1:1 !0.5:b !0.2:a
             0.0 goal h a 1:1 !-0.5:b
             0.0 goal i a 1:1 !inf:b
             until 0.1",
            expect![[r#"
                actions must be sorted and in time
                0.00 g refused -1: its actions are not sorted by time
                0.00 h refused -1: an action is at -0.5 s; write a time from 0 to 1000000
                0.00 i refused -1: an action is at inf s; write a time from 0 to 1000000
            "#]],
        ),
        Row(
            "an id is given once",
            "joint a
             joint b
             0.0 goal g a 1:1
             0.0 goal g b 1:1
             until 0.1",
            expect![[r#"
                an id is given once
                0.00 g begun
                0.00 g refused -1: goal "g" is being followed already
            "#]],
        ),
    ]
}

fn tolerances() -> Vec<Row> {
    vec![
        Row(
            "13 ros2: off the path is aborted, and holds at once where it is",
            "joint a wall 0.5
             rules ros2
             0.0 goal g a 1:1 path=a,0.1
             0.6 see a
             0.65 see a
             until 0.7",
            expect![[r#"
                13 ros2: off the path is aborted, and holds at once where it is
                0.00 g begun
                0.60 a has g, told 0.600 at 1.000/s, 0.100 off
                0.61 g aborted -4: joint "a" is 0.110 off the path at 0.500, where 0.100 is allowed
                0.65 a holds 0.500, told 0.500 at 0.000/s
            "#]],
        ),
        Row(
            "13 native: off the path is aborted, and comes back smoothly to where it is",
            "joint a wall 0.5
             rules native
             0.0 goal g a 1:1 path=a,0.1
             0.57 see a
             0.65 see a
             1.5 see a",
            expect![[r#"
                13 native: off the path is aborted, and comes back smoothly to where it is
                0.00 g begun
                0.57 a has g, told 0.604 at 1.471/s, 0.104 off
                0.57 g aborted -4: joint "a" is 0.104 off the path at 0.500, where 0.100 is allowed
                0.65 a holds 0.500, told 0.568 at -0.888/s, 0.068 off
                1.50 a holds 0.500, told 0.500 at 0.000/s
            "#]],
        ),
        Row(
            "13 too slow or too fast on the path",
            "joint a lag 0.2
             rules ros2
             0.0 goal g a 1:1 path=a,-1,0.3",
            expect![[r#"
                13 too slow or too fast on the path
                0.00 g begun
                0.01 g aborted -4: joint "a" is 0.951 off the velocity at 0.049, where 0.300 is allowed
            "#]],
        ),
        Row(
            "14 inside of the goal tolerances within the time",
            "joint a lag 0.1
             rules ros2 stopped=0
             0.0 goal g a 1:1 goal=a,0.01 time=0.5",
            expect![[r#"
                14 inside of the goal tolerances within the time
                0.00 g begun
                1.23 g succeeded 0
            "#]],
        ),
        Row(
            "14 outside of the goal tolerances after the time",
            "joint a wall 0.5
             rules ros2
             0.0 goal g a 1:1 goal=a,0.01 time=0.5
             1.6 see a",
            expect![[r#"
                14 outside of the goal tolerances after the time
                0.00 g begun
                1.51 g aborted -5: joint "a" ended at 0.500, 0.500 off, where 0.010 is allowed
                1.60 a holds 0.500, told 0.500 at 0.000/s
            "#]],
        ),
        Row(
            "14 inside, but not at rest",
            "joint a lag 0.1
             rules ros2
             0.0 goal g a 1:1 goal=a,0.05,0.001 time=0.2",
            expect![[r#"
                14 inside, but not at rest
                0.00 g begun
                1.21 g aborted -5: joint "a" still moves at 0.122, where 0.001 is allowed
            "#]],
        ),
        Row(
            "15 ros2: no time given is no limit",
            "joint a wall 0.5
             rules ros2
             0.0 goal g a 1:1 goal=a,0.01
             until 20",
            expect![[r#"
                15 ros2: no time given is no limit
                0.00 g begun
            "#]],
        ),
        Row(
            "15 native: no time given is a second",
            "joint a wall 0.5
             rules native
             0.0 goal g a 1:1 goal=a,0.01
             until 20",
            expect![[r#"
                15 native: no time given is a second
                0.00 g begun
                2.01 g aborted -5: joint "a" ended at 0.500, 0.500 off, where 0.010 is allowed
            "#]],
        ),
        Row(
            "15 native: a negative time is no limit, and by option none is at once",
            "joint a wall 0.5
             joint b wall 0.5
             rules native goal_time=0
             0.0 goal g a 1:1 goal=a,0.01 time=-1
             0.0 goal h b 1:1 goal=b,0.01
             until 20",
            expect![[r#"
                15 native: a negative time is no limit, and by option none is at once
                0.00 g begun
                0.00 h begun
                1.01 h aborted -5: joint "b" ended at 0.500, 0.500 off, where 0.010 is allowed
            "#]],
        ),
        Row(
            "16 0 is the default, -1 is off, more is more",
            "joint a stuck
             joint b stuck
             joint c stuck
             rules native path=0.1
             0.0 goal default a 1:1 path=a,0
             0.0 goal off b 1:1 path=b,-1
             0.0 goal given c 1:1 path=c,0.5",
            expect![[r#"
                16 0 is the default, -1 is off, more is more
                0.00 default begun
                0.00 off begun
                0.00 given begun
                0.20 default aborted -4: joint "a" is 0.104 off the path at 0.000, where 0.100 is allowed
                0.51 given aborted -4: joint "c" is 0.515 off the path at 0.000, where 0.500 is allowed
                1.00 off succeeded 0
            "#]],
        ),
        Row(
            "16 joints may have defaults of their own",
            "joint a stuck
             joint b stuck
             rules native path=0.1 of=a,0.3,0
             0.0 goal g a 1:1
             0.0 goal h b 1:1",
            expect![[r#"
                16 joints may have defaults of their own
                0.00 g begun
                0.00 h begun
                0.20 h aborted -4: joint "b" is 0.104 off the path at 0.000, where 0.100 is allowed
                0.37 g aborted -4: joint "a" is 0.309 off the path at 0.000, where 0.300 is allowed
            "#]],
        ),
        Row(
            "16 ros2: one that makes no sense, or is for another joint, makes all of them the default",
            "joint a stuck
             rules ros2 path=0.1
             0.0 goal g a 1:1 path=a,0.5 goal=a,-2
             0.5 goal h a 1:1 path=a,0.5 goal=x,0.1",
            expect![[r#"
                16 ros2: one that makes no sense, or is for another joint, makes all of them the default
                0.00 g begun
                0.11 g aborted -4: joint "a" is 0.110 off the path at 0.000, where 0.100 is allowed
                0.50 h begun
                0.61 h aborted -4: joint "a" is 0.110 off the path at 0.000, where 0.100 is allowed
            "#]],
        ),
        Row(
            "16 native: these are refused",
            "joint a stuck
             rules native path=0.1
             0.0 goal g a 1:1 path=a,0.5 goal=a,-2
             0.0 goal h a 1:1 path=a,0.5 goal=x,0.1
             0.0 goal i a 1:1 path=a,NaN",
            expect![[r#"
                16 native: these are refused
                0.00 g refused -1: a tolerance of joint "a" is -2; write a number above 0, 0 for the default or -1 for any distance
                0.00 h refused -1: a tolerance is for joint "x", which the goal does not move
                0.00 i refused -1: a tolerance of joint "a" is NaN; write a number above 0, 0 for the default or -1 for any distance
            "#]],
        ),
        Row(
            "17 without tolerances the end is success, however far away",
            "joint a stuck
             rules ros2
             0.0 goal g a 1:1",
            expect![[r#"
                17 without tolerances the end is success, however far away
                0.00 g begun
                1.00 g succeeded 0
            "#]],
        ),
        Row(
            "17 natively too",
            "joint a stuck
             rules native
             0.0 goal g a 1:1",
            expect![[r#"
                17 natively too
                0.00 g begun
                1.00 g succeeded 0
            "#]],
        ),
        Row(
            "a joint that nobody can measure is off every tolerance, and holds where it was told",
            "joint a
             rules native
             0.0 goal g a 1:1 path=a,0.5
             0.5 see a
             0.5 put a NaN
             0.6 see a
             until 0.7",
            expect![[r#"
                a joint that nobody can measure is off every tolerance, and holds where it was told
                0.00 g begun
                0.50 a has g, told 0.500 at 1.500/s
                0.50 g aborted -4: joint "a" is NaN off the path at NaN, where 0.500 is allowed
                0.60 a holds 0.500, told 0.516 at -0.197/s
            "#]],
        ),
    ]
}

fn ends() -> Vec<Row> {
    vec![
        Row(
            "18 ros2: cancelled, holds where it is at once",
            "joint a lag 0.1
             rules ros2
             0.0 goal g a 1:1
             0.5 see a
             0.5 cancel g
             0.5 see a
             0.6 see a",
            expect![[r#"
                18 ros2: cancelled, holds where it is at once
                0.00 g begun
                0.50 a has g, told 0.500 at 1.000/s, 0.094 off
                0.50 cancelled 1
                0.50 g cancelled 0: it was cancelled
                0.50 a holds 0.406, told 0.406 at 0.000/s
                0.60 a holds 0.406, told 0.406 at 0.000/s
            "#]],
        ),
        Row(
            "18 native: cancelled, comes to rest without turning back",
            "joint a
             rules native
             0.0 goal g a 1:1
             0.5 see a
             0.5 cancel g
             0.51 see a
             0.6 see a
             1.9 see a",
            expect![[r#"
                18 native: cancelled, comes to rest without turning back
                0.00 g begun
                0.50 a has g, told 0.500 at 1.500/s
                0.50 cancelled 1
                0.50 g cancelled 0: it was cancelled
                0.51 a holds 0.574, told 0.514 at 1.223/s
                0.60 a holds 0.574, told 0.564 at 0.195/s
                1.90 a holds 0.574, told 0.574 at 0.000/s
            "#]],
        ),
        Row(
            "18 by option ros2 comes to rest too",
            "joint a
             rules ros2 on_cancel=decelerate
             0.0 goal g a 1:1
             0.5 cancel g
             0.51 see a
             1.9 see a",
            expect![[r#"
                18 by option ros2 comes to rest too
                0.00 g begun
                0.50 cancelled 1
                0.50 g cancelled 0: it was cancelled
                0.51 a holds 0.549, told 0.509 at 0.816/s
                1.90 a holds 0.549, told 0.549 at 0.000/s
            "#]],
        ),
        Row(
            "18 coming to rest does not leave the limits",
            "joint a limits -1 1
             rules ros2 on_cancel=decelerate
             0.0 goal g a 1:1
             0.99 cancel g
             1.0 see a
             1.01 see a
             1.9 see a",
            expect![[r#"
                18 coming to rest does not leave the limits
                0.00 g begun
                0.99 cancelled 1
                0.99 g cancelled 0: it was cancelled
                1.00 a holds 1.000, told 0.996 at 0.368/s
                1.01 a holds 1.000, told 0.999 at 0.135/s
                1.90 a holds 1.000, told 1.000 at 0.000/s
            "#]],
        ),
        Row(
            "18 all are cancelled, unknown ones are not there",
            "joint a
             joint b
             0.0 goal g a 1:1
             0.0 goal h b 1:1
             0.1 cancel x
             0.2 cancel",
            expect![[r#"
                18 all are cancelled, unknown ones are not there
                0.00 g begun
                0.00 h begun
                0.10 cancelled 0
                0.20 cancelled 2
                0.20 g cancelled 0: it was cancelled
                0.20 h cancelled 0: it was cancelled
            "#]],
        ),
        Row(
            "19 a new goal ends the old one with the code of an invalid goal",
            "joint a
             rules ros2
             0.0 goal g a 1:1
             0.5 goal h a 1:0
             until 1.6",
            expect![[r#"
                19 a new goal ends the old one with the code of an invalid goal
                0.00 g begun
                0.50 h begun
                0.50 g preempted -1: "h" took its joints
                1.50 h succeeded 0
            "#]],
        ),
        Row(
            "19 natively without a jump, in position and velocity",
            "joint a
             rules native
             0.0 goal g a 1:1
             0.5 see a
             0.5 goal h a 1:0
             0.5 see a
             0.51 see a
             until 1.6",
            expect![[r#"
                19 natively without a jump, in position and velocity
                0.00 g begun
                0.50 a has g, told 0.500 at 1.500/s
                0.50 h begun
                0.50 g preempted -1: "h" took its joints
                0.50 a has h, told 0.500 at 1.500/s
                0.51 a has h, told 0.513 at 1.105/s
                1.50 h succeeded 0
            "#]],
        ),
        Row(
            "19 a refused goal disturbs nobody",
            "joint a
             rules ros2
             0.0 goal g a 1:1
             0.5 goal h a 1:0 0.5:0
             until 1.6",
            expect![[r#"
                19 a refused goal disturbs nobody
                0.00 g begun
                0.50 h refused -1: point 2 is at 0.5 s, not after the one before at 1 s; times must grow
                1.00 g succeeded 0
            "#]],
        ),
        Row(
            "24 a player that goes cancels its goals and lets go of the joints",
            "joint a
             0.0 goal g a 1:1
             0.5 cancel g
             0.5 release
             0.6 see a
             4 see a
             until 5",
            expect![[r#"
                24 a player that goes cancels its goals and lets go of the joints
                0.00 g begun
                0.50 cancelled 1
                0.50 g cancelled 0: it was cancelled
                0.50 release
                0.60 a holds 0.574, told 0.564 at 0.195/s
                4.00 a released, told 0.574 at 0.000/s
            "#]],
        ),
        Row(
            "25, 27 after success the last point is held, for ever",
            "joint a
             rules ros2
             0.0 goal g a 1:1
             30 see a
             until 31",
            expect![[r#"
                25, 27 after success the last point is held, for ever
                0.00 g begun
                1.00 g succeeded 0
                30.00 a holds 1.000, told 1.000 at 0.000/s
            "#]],
        ),
        Row(
            "25 native: lines do not swing beyond their end",
            "joint a
             rules native
             0.0 goal g a 0.5:0.5 1:1.5 way=linear
             0.99 see a
             1.0 see a
             1.05 see a",
            expect![[r#"
                25 native: lines do not swing beyond their end
                0.00 g begun
                0.99 a has g, told 1.480 at 2.000/s
                1.00 a has g, told 1.500 at 0.000/s
                1.00 g succeeded 0
                1.05 a holds 1.500, told 1.500 at 0.000/s
            "#]],
        ),
        Row(
            "a sender that is not heard stops its goal, and what that started",
            "joint a
             joint b
             rules native
             0.0 goal g a 2:1 keep_alive=0.3
             0.0 goal g/wave b 2:1
             0.2 alive g
             0.4 alive x
             until 3",
            expect![[r#"
                a sender that is not heard stops its goal, and what that started
                0.00 g begun
                0.00 g/wave begun
                0.50 g aborted -1: its sender was not heard for 0.300 s, so that it was stopped
                0.50 g/wave cancelled 0: "g", which started it, has ended
            "#]],
        ),
    ]
}

fn sharing() -> Vec<Row> {
    vec![
        Row(
            "M5 goals on other groups run together",
            "joint a
             joint b
             rules native
             0.0 goal g a 1:1
             0.5 goal h b 1:1
             until 1.6",
            expect![[r#"
                M5 goals on other groups run together
                0.00 g begun
                0.50 h begun
                1.00 g succeeded 0
                1.50 h succeeded 0
            "#]],
        ),
        Row(
            "M5 a goal takes the whole group, and the last one wins",
            "joint a
             joint b
             group arm a b
             rules native
             0.0 goal g a 1:1
             0.5 goal h b 1:1
             0.6 see a b
             until 1.6",
            expect![[r#"
                M5 a goal takes the whole group, and the last one wins
                0.00 g begun
                0.50 h begun
                0.50 g preempted -1: "h" took its joints
                0.60 a holds 0.574, told 0.564 at 0.195/s
                0.60 b has h, told 0.028 at 0.540/s
                1.50 h succeeded 0
            "#]],
        ),
        Row(
            "M5, M11a who follows poses waits for the group, and gets all of it back",
            "joint a
             joint b
             joint c
             group arm a b
             rules native
             0.0 follow f player=2 a=1 b=1 c=1
             1.0 see a b c
             1.0 goal h b 0.5:0
             1.2 follow f player=2 a=2 b=2 c=2
             1.4 see a b c
             1.6 see a b c
             3.0 see a b c
             until 3.1",
            expect![[r#"
                M5, M11a who follows poses waits for the group, and gets all of it back
                1.00 a has f, told 1.000 at 0.000/s
                1.00 b has f, told 1.000 at 0.000/s
                1.00 c has f, told 1.000 at 0.000/s
                1.00 h begun
                1.40 a holds 1.000, told 1.000 at 0.000/s
                1.40 b has h, told 0.104 at -1.920/s
                1.40 c has f, told 1.746 at 2.460/s
                1.50 h succeeded 0
                1.60 a has f, told 1.386 at 4.687/s
                1.60 b has f, told 0.773 at 9.374/s
                1.60 c has f, told 1.969 at 0.344/s
                3.00 a has f, told 2.000 at 0.000/s
                3.00 b has f, told 2.000 at 0.000/s
                3.00 c has f, told 2.000 at 0.000/s
            "#]],
        ),
        Row(
            "M11a a joint named later is followed from then on, what others have is not taken again",
            "joint a
             joint b
             joint c
             group arm a b
             rules native
             0.0 follow f player=2 a=1
             0.5 follow f player=2 b=1
             0.6 see b
             1.0 goal h a 1:0
             1.2 follow f player=2 c=1
             1.3 see a b c
             until 2.1",
            expect![[r#"
                M11a a joint named later is followed from then on, what others have is not taken again
                0.60 b has f, told 0.386 at 4.687/s
                1.00 h begun
                1.30 a has h, told 0.784 at -1.260/s
                1.30 b holds 0.996, told 0.996 at 0.000/s
                1.30 c has f, told 0.386 at 4.687/s
                2.00 h succeeded 0
            "#]],
        ),
        Row(
            "M11a a new pose is gone over to without a jump",
            "joint a
             rules native
             0.0 follow f player=2 a=1
             2.0 follow f player=2 a=0
             2.01 see a
             2.1 see a
             until 3",
            expect![[r#"
                M11a a new pose is gone over to without a jump
                2.01 a has f, told 0.992 at -1.569/s
                2.10 a has f, told 0.614 at -4.687/s
            "#]],
        ),
        Row(
            "M11a poses are kept within limits, and refused when they make no sense",
            "joint a limits -1 1
             joint b
             rules native
             0.0 follow f player=2 a=5
             1.9 see a
             1.9 follow f player=2 x=1
             1.9 follow f player=2 a=NaN
             1.9 off b
             1.9 follow f player=2 b=1
             1.9 cancel f
             until 2",
            expect![[r#"
                M11a poses are kept within limits, and refused when they make no sense
                1.90 a has f, told 1.000 at 0.000/s
                1.90 f refused -2: the robot has no joint "x"
                1.90 f refused -1: joint "a" is to be at NaN; send a finite number
                1.90 f refused -1: the torque of joint "b" is off; switch it on first
                1.90 cancelled 1
                1.90 f cancelled 0: it was cancelled
            "#]],
        ),
        Row(
            "M12 limp joints are where they are, and hold there when torque comes back",
            "joint a
             joint b
             rules native
             0.0 goal g a,b 1:1,1
             0.0 goal later a 1:1 stamp=1.5
             0.5 off a
             0.51 see a b
             0.6 put a 0.2
             0.62 see a
             0.7 goal h a 1:1
             0.8 on a b
             0.81 see a b",
            expect![[r#"
                M12 limp joints are where they are, and hold there when torque comes back
                0.00 g begun
                0.00 later waits
                0.50 g aborted -2: torque of its joints was switched off
                0.50 later aborted -2: torque of its joints was switched off
                0.51 a limp, told 0.500 at 0.000/s
                0.51 b holds 0.574, told 0.514 at 1.223/s
                0.62 a limp, told 0.200 at 0.000/s
                0.70 h refused -1: the torque of joint "a" is off; switch it on first
                0.81 a holds 0.200, told 0.200 at 0.000/s
                0.81 b holds 0.574, told 0.573 at 0.003/s
            "#]],
        ),
        Row(
            "joints that are put elsewhere hold there",
            "joint a
             rules native
             0.0 goal g a 1:1
             0.0 goal later a 0.3:1 stamp=1.5
             0.5 put a 3
             0.5 hold a
             0.51 see a",
            expect![[r#"
                joints that are put elsewhere hold there
                0.00 g begun
                0.00 later waits
                0.50 g aborted -1: its joints were put elsewhere
                0.51 a holds 3.000, told 3.000 at 0.000/s
                1.80 later succeeded 0
            "#]],
        ),
        Row(
            "M2 what an action started ends with the goal, unless it succeeds",
            "joint a
             joint b
             joint c
             rules native
             0.0 goal g a 0.5:1
             0.1 goal g/wave b 1:1
             0.7 goal k a 1:0
             0.8 goal k/wave c 2:1
             1.0 goal other a 1:1
             until 2.1",
            expect![[r#"
                M2 what an action started ends with the goal, unless it succeeds
                0.00 g begun
                0.10 g/wave begun
                0.50 g succeeded 0
                0.70 k begun
                0.80 k/wave begun
                1.00 other begun
                1.00 k preempted -1: "other" took its joints
                1.00 k/wave cancelled 0: "k", which started it, has ended
                1.10 g/wave succeeded 0
                2.00 other succeeded 0
            "#]],
        ),
        Row(
            "M2 what an action started may take the joints of the goal that started it",
            "joint a
             joint b
             rules native
             0.0 goal g a 1:1
             0.1 goal g/look b 1:1
             0.5 goal g/wave a 1:0
             until 2.1",
            expect![[r#"
                M2 what an action started may take the joints of the goal that started it
                0.00 g begun
                0.10 g/look begun
                0.50 g/wave begun
                0.50 g preempted -1: "g/wave" took its joints
                1.10 g/look succeeded 0
                1.50 g/wave succeeded 0
            "#]],
        ),
    ]
}

fn time_and_turns() -> Vec<Row> {
    vec![
        Row(
            "21 a joint without end goes the shorter way, and may turn several times later",
            "joint a continuous at 3
             rules ros2
             0.0 goal g a 1:-3 2:9.566370614359172 goal=a,0.01
             0.5 see a
             1.0 see a
             2.05 see a
             until 2.1",
            expect![[r#"
                21 a joint without end goes the shorter way, and may turn several times later
                0.00 g begun
                0.50 a has g, told 3.142 at 0.283/s
                1.00 a has g, told 3.283 at 12.566/s
                2.00 g succeeded 0
                2.05 a holds 15.850, told 15.850 at 0.000/s
            "#]],
        ),
        Row(
            "21 natively too, from the last command",
            "joint a continuous at 3
             rules native
             0.0 goal g a 0:-3 1:-3 path=a,0.5
             0.0 see a
             1.0 see a
             until 1.1",
            expect![[r#"
                21 natively too, from the last command
                0.00 g begun
                0.00 a has g, told 3.000 at 0.000/s
                1.00 a has g, told 3.283 at 0.000/s
                1.00 g succeeded 0
            "#]],
        ),
        Row(
            "21 poses are followed the shorter way",
            "joint a continuous at 3
             rules native
             0.0 follow f player=2 a=-3
             2.0 see a
             until 2.1",
            expect![[r#"
                21 poses are followed the shorter way
                2.00 a has f, told 3.283 at 0.000/s
            "#]],
        ),
        Row(
            "26 trajectory time goes slower, waiting does not",
            "joint a
             joint b
             rules ros2 partial
             0.0 speed 0.5
             0.0 goal g a 1:1 !0.5:half
             0.0 goal h b 0.5:1 stamp=1
             1.0 see a
             until 2.5",
            expect![[r#"
                26 trajectory time goes slower, waiting does not
                0.00 g begun
                0.00 h waits
                1.00 g fires half
                1.00 a has g, told 0.500 at 0.500/s
                2.00 g succeeded 0
                2.00 h succeeded 0
            "#]],
        ),
        Row(
            "26 the speed changes little by little, stops and goes on",
            "joint a
             rules ros2
             0.0 goal g a 1:1
             0.5 speed 0
             0.55 see a
             0.8 see a
             1.5 speed 2
             until 3",
            expect![[r#"
                26 the speed changes little by little, stops and goes on
                0.00 g begun
                0.55 a has g, told 0.543 at 0.750/s
                0.80 a has g, told 0.595 at 0.000/s
                1.90 g succeeded 0
            "#]],
        ),
        Row(
            "26 speeds that make no sense are refused",
            "joint a
             0.0 speed -1
             0.0 speed 11
             0.0 speed NaN
             until 0.1",
            expect![[r#"
                26 speeds that make no sense are refused
                0.00 speed refused: the speed is -1; write a number from 0 to 10
                0.00 speed refused: the speed is 11; write a number from 0 to 10
                0.00 speed refused: the speed is NaN; write a number from 0 to 10
            "#]],
        ),
        Row(
            "M2 actions fire once, at the beginning, together and at the end",
            "joint a
             rules ros2
             0.0 goal g a 0.5:1 !0:first !0.25:one !0.25:two !0.5:last !0.7:after",
            expect![[r#"
                M2 actions fire once, at the beginning, together and at the end
                0.00 g begun
                0.01 g fires first
                0.25 g fires one
                0.25 g fires two
                0.50 g fires last
                0.70 g fires after
                0.70 g succeeded 0
            "#]],
        ),
        Row(
            "M2 actions of a goal that is cancelled do not fire",
            "joint a
             rules ros2
             0.0 goal g a 1:1 !0.25:one !0.75:two
             0.5 cancel g",
            expect![[r#"
                M2 actions of a goal that is cancelled do not fire
                0.00 g begun
                0.25 g fires one
                0.50 cancelled 1
                0.50 g cancelled 0: it was cancelled
            "#]],
        ),
    ]
}
