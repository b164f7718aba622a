//! Draws plots of every kind into a folder, to be looked at.
//!
//! `cargo run -p retake_plot --example gallery -- FOLDER`

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use retake_plot::{
    AxisSpec, Color, CurveStyle, CurveTrace, Mark, MarkKind, Picture, Sheet, Side, Size, Theme,
    pdf, png, svg,
};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("name a folder")?;
    std::fs::create_dir_all(&folder)?;
    let one = |picture| Sheet::of_one(picture, Theme::Light);
    let sheets = [
        ("sine", one(sine())),
        ("two-axes", one(two_axes())),
        ("step-points", one(step_points())),
        ("branch", one(branch())),
        ("many", one(many())),
        ("constant", one(constant(9.81))),
        ("empty", one(titled("Nothing yet", "s", "m"))),
        ("gaps", one(constant(f64::NAN))),
        ("large", one(scaled("Stiff contact", 3.2e6, 0.0))),
        ("small", one(scaled("Residual", 4e-7, 0.0))),
        ("offset", one(scaled("Wall clock", 2e-3, 1_700_000_000.0))),
        ("stacked", stacked(Theme::Light)),
        ("stacked-dark", stacked(Theme::Dark)),
        ("two-axes-dark", Sheet::of_one(two_axes(), Theme::Dark)),
        ("many-dark", Sheet::of_one(many(), Theme::Dark)),
        ("grid", grid()),
        ("tiny", one(Picture { size: Size { width_px: 220, height_px: 150 }, ..two_axes() })),
        ("orbit", one(orbit())),
        ("noise", one(noise())),
    ];
    for (name, sheet) in &sheets {
        write(&folder, name, sheet)?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, sheet: &Sheet) -> Result<(), Failure> {
    let drawing = svg(sheet);
    let file = |ending: &str| folder.join(format!("{name}.{ending}"));
    std::fs::write(file("svg"), &drawing)?;
    std::fs::write(file("png"), png(&drawing, 2.0)?)?;
    std::fs::write(file("pdf"), pdf(&drawing)?)?;
    Ok(())
}

fn times(count: usize, last: f64) -> Vec<f64> {
    (0..count).map(|n| last * n as f64 / (count - 1) as f64).collect()
}

fn titled(title: &str, x_unit: &str, y_unit: &str) -> Picture {
    Picture {
        title: title.to_owned(),
        x: AxisSpec::new("Time", x_unit),
        left: AxisSpec::new("Position", y_unit),
        ..Picture::new(Size { width_px: 760, height_px: 380 })
    }
}

fn curve(number: usize, label: &str, last: f64, value: impl Fn(f64) -> f64) -> CurveTrace {
    let x = times(800, last);
    let y = x.iter().map(|t| value(*t)).collect();
    CurveTrace::new(label, Color::of_curve(number), x, y)
}

/// A number between -1 and 1 that looks like chance.
fn noise_at(t: f64) -> f64 {
    ((t * 12.9898).sin() * 43_758.545_3).fract()
}

fn sine() -> Picture {
    let curves = vec![
        curve(0, "arm::shoulder::angle", 10.0, |t| (t * 1.3).sin()),
        curve(1, "arm::elbow::angle", 10.0, |t| 0.6 * (t * 2.1 + 0.5).cos()),
    ];
    let left = AxisSpec::new("Angle", "rad");
    Picture { curves, left, ..titled("Joint angles", "s", "rad") }
}

fn two_axes() -> Picture {
    let force = curve(0, "gripper::force", 8.0, |t| 20.0 * (1.0 - (-t).exp()) + noise_at(t));
    let mut speed = curve(1, "gripper::speed", 8.0, |t| {
        0.02 * (-t / 2.0).exp() * (1.0 + 0.1 * noise_at(t + 1.0))
    });
    speed.side = Side::Right;
    Picture {
        left: AxisSpec::new("Force", "N"),
        right: AxisSpec::new("Speed", "m/s"),
        curves: vec![force, speed],
        ..titled("Closing the gripper", "s", "N")
    }
}

fn step_points() -> Picture {
    let mut held = curve(0, "mode", 0.0, |_| 0.0);
    held.x = times(25, 12.0);
    held.y = held.x.iter().map(|t| (t * 0.7).sin().round()).collect();
    held.style = CurveStyle::Step;
    let mut dots = curve(1, "contacts", 0.0, |_| 0.0);
    dots.x = times(60, 12.0);
    dots.y = dots.x.iter().map(|t| (t * 0.7).sin() + 0.25 * noise_at(*t)).collect();
    dots.style = CurveStyle::Points;
    let mut both = curve(2, "setpoint", 0.0, |_| 0.0);
    both.x = times(20, 12.0);
    both.y = both.x.iter().map(|t| 0.5 * (t * 0.7).cos()).collect();
    both.y[8] = f64::NAN;
    both.style = CurveStyle::LinePoints;
    Picture { curves: vec![held, dots, both], ..titled("Steps and points", "s", "") }
}

fn branch() -> Picture {
    let fall = |t: f64| 2.0 - 0.5 * (t * 0.9).powi(2) * 0.3;
    let mut gone = curve(0, "box::pose.position.z", 0.0, |_| 0.0);
    gone.x = times(100, 3.0).iter().map(|t| t + 2.0).collect();
    gone.y = gone.x.iter().map(|t| fall(*t) + 0.2 * (t - 2.0)).collect();
    gone.dimmed = true;
    let kept = curve(0, "box::pose.position.z", 4.0, fall);
    let marks = vec![
        Mark { x: 2.0, label: "undo: move box".to_owned(), kind: MarkKind::Jump },
        Mark { x: 0.8, label: "A".to_owned(), kind: MarkKind::Cursor },
        Mark { x: 3.4, label: "B".to_owned(), kind: MarkKind::Cursor },
    ];
    Picture { curves: vec![gone, kept], marks, ..titled("A branch that undo took away", "s", "m") }
}

fn many() -> Picture {
    let long = |n: usize| {
        let label = format!("quadruped::leg_{n}::upper_link::inertial::angular_velocity.z");
        curve(n, &label, 5.0, move |t| (t * (1.0 + 0.1 * n as f64)).sin() + 0.3 * n as f64)
    };
    Picture { curves: (0..10).map(long).collect(), ..titled("Ten curves", "s", "rad/s") }
}

fn constant(value: f64) -> Picture {
    Picture {
        curves: vec![curve(0, "gravity", 10.0, |_| value)],
        ..titled("Constant", "s", "m/s²")
    }
}

fn scaled(title: &str, size: f64, offset: f64) -> Picture {
    let value = |t: f64| offset + size * (t * 2.0).sin() * (-t / 5.0).exp();
    Picture {
        curves: vec![curve(3, "signal", 10.0, value)],
        left: AxisSpec::new("Force", "N"),
        ..titled(title, "s", "N")
    }
}

fn stacked(theme: Theme) -> Sheet {
    let size = Size { width_px: 760, height_px: 220 };
    let bare = |mut picture: Picture| {
        picture.size = size;
        picture.x.range = Some((0.0, 10.0));
        picture
    };
    let panels = vec![bare(sine()), bare(scaled("Contact force", 3.2e6, 0.0)), bare(two_axes())];
    Sheet { theme, columns: 1, panels }
}

fn grid() -> Sheet {
    let small = |mut picture: Picture| {
        picture.size = Size { width_px: 420, height_px: 260 };
        picture
    };
    let panels = [sine(), two_axes(), branch(), step_points()].map(small).to_vec();
    Sheet { theme: Theme::Light, columns: 2, panels }
}

fn orbit() -> Picture {
    let angles = times(2000, TAU * 3.0);
    let x = angles.iter().map(|a| (1.0 + 0.1 * a) * a.cos()).collect();
    let y = angles.iter().map(|a| (1.0 + 0.1 * a) * a.sin()).collect();
    let curves = vec![CurveTrace::new("car::path", Color::of_curve(4), x, y)];
    let x = AxisSpec::new("x", "m");
    Picture { curves, x, left: AxisSpec::new("y", "m"), ..titled("Path seen from above", "m", "m") }
}

fn noise() -> Picture {
    let x = times(1_000_000, 1000.0);
    let y = x.iter().map(|t| noise_at(*t) + (t * 0.02).sin() * 2.0).collect();
    let curves = vec![CurveTrace::new("imu::acceleration.x", Color::of_curve(0), x, y)];
    Picture {
        curves,
        left: AxisSpec::new("Acceleration", "m/s²"),
        ..titled("A million samples", "s", "")
    }
}
