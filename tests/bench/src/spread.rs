//! Several measurements of one thing: median, minimum and maximum.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// Number of measurements.
    pub(crate) runs: usize,
}

impl Spread {
    /// Returns the spread of these measurements, or `None` when there are none.
    pub(crate) fn of(figures: &[f64]) -> Option<Self> {
        let mut sorted = figures.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&least, &most) = (sorted.first()?, sorted.last()?);
        let middle = sorted.len() / 2;
        let median = if sorted.len().is_multiple_of(2) {
            f64::midpoint(sorted[middle - 1], sorted[middle])
        } else {
            sorted[middle]
        };
        Some(Self {
            median,
            least,
            most,
            runs: sorted.len(),
        })
    }

    /// Returns the spread of the ratios run by run, so that varying load on the machine cancels out.
    pub(crate) fn of_ratios(figures: &[f64], to: &[f64]) -> Option<Self> {
        let ratios: Vec<_> = figures.iter().zip(to).map(|(a, b)| a / b).collect();
        Self::of(&ratios)
    }
}

/// Takes one figure out of each run.
pub(crate) fn each<T>(runs: &[T], of: impl Fn(&T) -> f64) -> Vec<f64> {
    runs.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_between_the_two_in_the_middle() {
        let spread = Spread::of(&[4.0, 1.0, 2.0, 3.0]).unwrap();
        assert_eq!(
            (spread.median, spread.least, spread.most, spread.runs),
            (2.5, 1.0, 4.0, 4)
        );
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn ratios_are_taken_run_by_run() {
        let spread = Spread::of_ratios(&[2.0, 20.0, 6.0], &[1.0, 10.0, 2.0]).unwrap();
        assert_eq!((spread.median, spread.least, spread.most), (2.0, 2.0, 3.0));
    }
}
