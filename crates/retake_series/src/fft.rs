//! Discrete Fourier transform of a power of two of numbers.
//!
//! Plain radix 2: the largest spectrum that is offered takes a small part of a second, so nothing
//! cleverer is called for.

use std::f64::consts::TAU;

/// A complex number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Complex {
    pub(crate) re: f64,
    pub(crate) im: f64,
}

impl Complex {
    pub(crate) fn magnitude(self) -> f64 {
        self.re.hypot(self.im)
    }

    fn plus(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }

    fn minus(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }

    fn times(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

/// Transforms in place; the length must be a power of two.
pub(crate) fn transform(data: &mut [Complex]) {
    let len = data.len();
    if len < 2 {
        return;
    }
    reorder(data);
    let turns: Vec<Complex> = (0..len / 2)
        .map(|step| {
            let angle = -TAU * step as f64 / len as f64;
            Complex { re: angle.cos(), im: angle.sin() }
        })
        .collect();
    let mut half = 1;
    while half < len {
        let stride = len / (2 * half);
        for block in data.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((a, b), turn) in low.iter_mut().zip(high).zip(turns.iter().step_by(stride)) {
                let turned = b.times(*turn);
                (*a, *b) = (a.plus(turned), a.minus(turned));
            }
        }
        half *= 2;
    }
}

/// Puts every number where its index, read backwards bit by bit, says.
fn reorder(data: &mut [Complex]) {
    let bits = data.len().trailing_zeros();
    for index in 0..data.len() {
        let mirrored = index.reverse_bits() >> (usize::BITS - bits);
        if index < mirrored {
            data.swap(index, mirrored);
        }
    }
}
