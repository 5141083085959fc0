//! Numbers with their units, as the report writes them.

/// The unit of a figure, which decides how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A ratio.
    Times,
    Seconds,
    Instructions,
    Bytes,
    Items,
    PerSecond,
}

/// Formats a value with its unit.
pub(crate) fn figure(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Times => format!("{}×", number_to(value, 2)),
        Unit::Seconds if value.abs() >= 0.9995 => format!("{} s", number(value)),
        Unit::Seconds if value.abs() >= 0.000_999_5 => format!("{} ms", number(value * 1e3)),
        Unit::Seconds => format!("{} µs", number(value * 1e6)),
        Unit::Instructions if value >= 999_500.0 => format!("{} M", number(value / 1e6)),
        Unit::Instructions if value >= 999.5 => format!("{} k", number(value / 1e3)),
        Unit::Bytes => format!("{} MB", number(value / 1e6)),
        Unit::Instructions | Unit::Items => number(value),
        Unit::PerSecond => format!("{}/s", number(value)),
    }
}

/// Formats a value with two significant digits and its unit, for readers who compare orders of magnitude.
pub(crate) fn rough(value: f64, unit: Unit) -> String {
    let magnitude = 10_f64.powf(value.abs().max(1e-9).log10().floor() - 1.0);
    let text = figure((value / magnitude).round() * magnitude, unit);
    let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
    let number = match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    };
    format!("{number} {unit}").trim_end().to_owned()
}

/// Formats a ratio to its reference, with the words for a smaller and a larger figure: `15 % fewer`.
pub(crate) fn compared(ratio: f64, [smaller, larger]: [&str; 2]) -> String {
    let percent = ((ratio - 1.0).abs() * 100.0).round();
    let which = if ratio < 1.0 { smaller } else { larger };
    format!("{percent} % {which}")
}

/// Formats a number with three significant digits, and commas between thousands.
pub(crate) fn number(value: f64) -> String {
    let decimals = match value.abs() {
        0.0 => 0,
        size if size < 0.1 => 3,
        size if size < 9.995 => 2,
        size if size < 99.95 => 1,
        _ => 0,
    };
    let text = number_to(value, decimals);
    match text.split_once('.') {
        Some((whole, zeros)) if zeros.bytes().all(|digit| digit == b'0') => whole.to_owned(),
        _ => text,
    }
}

fn number_to(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

/// Several measurements of one thing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Spread {
    /// Returns the spread of these measurements, or `None` when there are none.
    pub(crate) fn of(measured: &[f64]) -> Option<Self> {
        let mut sorted = measured.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&least, &most) = (sorted.first()?, sorted.last()?);
        let middle = sorted.len() / 2;
        let median = match sorted.len().is_multiple_of(2) {
            true => f64::midpoint(sorted[middle - 1], sorted[middle]),
            false => sorted[middle],
        };
        Some(Self {
            median,
            least,
            most,
        })
    }

    /// Returns the spread of the ratios run by run, so that varying load on the machine cancels out.
    pub(crate) fn of_ratios(measured: &[f64], to: &[f64]) -> Option<Self> {
        let ratios: Vec<_> = measured.iter().zip(to).map(|(a, b)| a / b).collect();
        Self::of(&ratios)
    }

    fn cell(self, unit: Unit) -> String {
        let [median, least, most] =
            [self.median, self.least, self.most].map(|value| figure(value, unit));
        match least == most {
            true => median,
            false => format!("{median} ({least}–{most})"),
        }
    }
}

/// The cell of several measurements, which is empty when there are none.
pub(crate) fn cell(measured: &[f64], unit: Unit) -> String {
    Spread::of(measured).map_or_else(String::new, |spread| spread.cell(unit))
}

/// The cell of the ratios, run by run.
pub(crate) fn ratio(measured: &[f64], to: &[f64]) -> String {
    Spread::of_ratios(measured, to).map_or_else(String::new, |spread| spread.cell(Unit::Times))
}

/// Takes one figure out of each run.
pub(crate) fn each<T>(runs: &[T], of: impl Fn(&T) -> f64) -> Vec<f64> {
    runs.iter().map(of).collect()
}

/// A table of Markdown, with columns such as `client | time`. The first cell of a row is its name.
pub(crate) fn table(columns: &str, rows: &[Vec<String>]) -> String {
    let numbers = "---:|".repeat(columns.matches(" | ").count());
    let rows = rows
        .iter()
        .map(|cells| format!("| {} |\n", cells.join(" | ")));
    format!(
        "| {columns} |\n|---|{numbers}\n{}",
        rows.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_figures_have_two_digits() {
        for (value, unit, written) in [
            (7.497, Unit::Seconds, "7.5 s"),
            (0.917, Unit::Seconds, "920 ms"),
            (6_660_000.0, Unit::Bytes, "6.7 MB"),
            (8.02, Unit::Items, "8"),
            (24.09, Unit::Items, "24"),
        ] {
            assert_eq!(rough(value, unit), written);
        }
        let compared = [0.854, 1.02].map(|ratio| compared(ratio, ["fewer", "more"]));
        assert_eq!(compared, ["15 % fewer", "2 % more"]);
    }

    #[test]
    fn figures_have_three_digits_and_their_unit() {
        for (value, unit, written) in [
            (11.349, Unit::Times, "11.35×"),
            (0.0, Unit::Seconds, "0 µs"),
            (0.000_043, Unit::Seconds, "43 µs"),
            (0.012_34, Unit::Seconds, "12.3 ms"),
            (26.13, Unit::Seconds, "26.1 s"),
            (3_640_000.0, Unit::Instructions, "3.64 M"),
            (1_270.0, Unit::Instructions, "1.27 k"),
            (8_100_000.0, Unit::Bytes, "8.10 MB"),
            (1_234_567.0, Unit::PerSecond, "1,234,567/s"),
        ] {
            assert_eq!(figure(value, unit), written);
        }
    }

    #[test]
    fn a_cell_has_the_median_and_the_ends_where_they_differ() {
        assert_eq!(
            cell(&[3.0, 1.0, 2.0, 4.0], Unit::Seconds),
            "2.50 s (1 s–4 s)"
        );
        assert_eq!(cell(&[2e6, 2e6], Unit::Bytes), "2 MB");
        assert_eq!(cell(&[], Unit::Bytes), "");
        // Run by run: the second one had twice the load.
        assert_eq!(
            ratio(&[2.0, 20.0, 6.0], &[1.0, 10.0, 2.0]),
            "2.00× (2.00×–3.00×)"
        );
    }
}
