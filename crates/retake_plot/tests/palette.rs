//! Colours that everybody can tell apart, on both backgrounds.

use retake_plot::{Color, PALETTE};

type Linear = [f64; 3];

const BACKGROUNDS: [Color; 2] = [Color::rgb(255, 255, 255), Color::rgb(0x16, 0x1a, 0x21)];

/// How people see who lack the cones for red, after Machado, Oliveira and Fernandes (2009).
const WITHOUT_RED: [Linear; 3] = [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
];
/// The same for green.
const WITHOUT_GREEN: [Linear; 3] = [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_820, 0.042_940, 0.968_881],
];
const ALL: [Linear; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn linear(color: Color) -> Linear {
    [color.red, color.green, color.blue].map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    })
}

fn times(matrix: &[Linear; 3], vector: Linear) -> Linear {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
}

/// The colour in Oklab, where distances are as people see them.
fn perceived(vision: &[Linear; 3], color: Color) -> Linear {
    let seen = times(vision, linear(color)).map(|part| part.clamp(0.0, 1.0));
    let cones = times(
        &[
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ],
        seen,
    );
    times(
        &[
            [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
            [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
            [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
        ],
        cones.map(f64::cbrt),
    )
}

fn distance(a: Linear, b: Linear) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

fn contrast(a: Color, b: Color) -> f64 {
    let luminance = |color| times(&[[0.2126, 0.7152, 0.0722]; 3], linear(color))[0] + 0.05;
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

#[test]
fn every_colour_stands_out_on_both_backgrounds() {
    for color in PALETTE {
        for background in BACKGROUNDS {
            let contrast = contrast(color, background);
            assert!(contrast >= 2.5, "{color} on {background}: {contrast:.2}");
        }
    }
}

#[test]
fn any_two_colours_are_told_apart_by_everybody() {
    // 0.02 is just noticeable side by side; thin lines need several times that.
    let visions =
        [("all", &ALL, 0.11), ("no red", &WITHOUT_RED, 0.07), ("no green", &WITHOUT_GREEN, 0.07)];
    for (name, vision, least) in visions {
        for (number, first) in PALETTE.iter().enumerate() {
            for second in &PALETTE[..number] {
                let apart = distance(perceived(vision, *first), perceived(vision, *second));
                assert!(apart >= least, "{first} and {second} for {name}: {apart:.3}");
            }
        }
    }
}
