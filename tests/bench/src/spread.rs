//! A figure that was taken several times: its median, and how far it strayed.

use serde::{Deserialize, Serialize};

/// Median, least and most of several measurements of one thing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// How many measurements there were.
    pub(crate) runs: usize,
}

impl Spread {
    /// The spread of these measurements; `None` when there are none.
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

    /// The spread of the ratios of two subjects' figures, run by run: what a machine does to both cancels out.
    pub(crate) fn of_ratios(figures: &[f64], to: &[f64]) -> Option<Self> {
        let ratios: Vec<_> = figures.iter().zip(to).map(|(a, b)| a / b).collect();
        Self::of(&ratios)
    }
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
