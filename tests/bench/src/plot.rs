//! Draws a plot twice, for a light page and for a dark one.

use anyhow::anyhow;
use plotters::{
    coord::{
        cartesian::Cartesian2d,
        ranged1d::{AsRangedCoord, Ranged, ValueFormatter},
    },
    prelude::*,
};

use crate::{
    findings::{Line, LineKind, Plot, Scale},
    page::number,
    spread::Spread,
};

const SIZE: (u32, u32) = (760, 420);

/// The colours of a page.
struct Theme {
    paper: RGBColor,
    ink: RGBColor,
    grid: RGBColor,
    /// Told apart by those who see few colours too, in this order.
    lines: [RGBColor; 8],
}

const LIGHT: Theme = Theme {
    paper: RGBColor(255, 255, 255),
    ink: RGBColor(31, 35, 40),
    grid: RGBColor(225, 228, 232),
    lines: [
        RGBColor(0, 114, 178),
        RGBColor(213, 94, 0),
        RGBColor(0, 158, 115),
        RGBColor(204, 121, 167),
        RGBColor(230, 159, 0),
        RGBColor(86, 180, 233),
        RGBColor(110, 119, 129),
        RGBColor(31, 35, 40),
    ],
};

const DARK: Theme = Theme {
    paper: RGBColor(13, 17, 23),
    ink: RGBColor(230, 237, 243),
    grid: RGBColor(48, 54, 61),
    lines: [
        RGBColor(88, 166, 255),
        RGBColor(255, 140, 66),
        RGBColor(63, 185, 150),
        RGBColor(227, 151, 194),
        RGBColor(240, 190, 70),
        RGBColor(140, 210, 245),
        RGBColor(145, 152, 161),
        RGBColor(230, 237, 243),
    ],
};

/// The two SVG files of a plot: the endings of their names, and what is in them.
pub(crate) fn draw(plot: &Plot) -> anyhow::Result<[(&'static str, String); 2]> {
    Ok([
        ("light", drawn(plot, &LIGHT)?),
        ("dark", drawn(plot, &DARK)?),
    ])
}

fn drawn(plot: &Plot, theme: &Theme) -> anyhow::Result<String> {
    let across = Ends::of(plot, plot.across.scale, |(x, _)| (*x, *x))?;
    let up = Ends::of(plot, plot.up.scale, |(_, y)| (y.least, y.most))?;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&theme.paper)?;
        // The kind of an axis is a type of its own.
        match (plot.across.scale, plot.up.scale) {
            (Scale::Linear, Scale::Linear) => {
                chart(plot, theme, &area, across.linear(), up.linear())
            }
            (Scale::Linear, Scale::Logarithmic) => {
                chart(plot, theme, &area, across.linear(), up.logarithmic())
            }
            (Scale::Logarithmic, Scale::Linear) => {
                chart(plot, theme, &area, across.logarithmic(), up.linear())
            }
            (Scale::Logarithmic, Scale::Logarithmic) => {
                chart(plot, theme, &area, across.logarithmic(), up.logarithmic())
            }
        }?;
        area.present()?;
    }
    Ok(svg)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn chart<X, Y>(plot: &Plot, theme: &Theme, area: &Area<'_>, across: X, up: Y) -> anyhow::Result<()>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let text = |size: u32| ("sans-serif", size).into_font().color(&theme.ink);
    let mut chart = ChartBuilder::on(area)
        .caption(&plot.title, text(17))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .x_desc(&plot.across.title)
        .y_desc(&plot.up.title)
        .x_label_formatter(&|value| tick(*value))
        .y_label_formatter(&|value| tick(*value))
        .label_style(text(13))
        .axis_desc_style(text(14))
        .axis_style(theme.ink)
        .bold_line_style(theme.grid)
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (line, &colour) in plot.lines.iter().zip(theme.lines.iter().cycle()) {
        draw_line(&mut chart, line, colour)?;
    }
    chart
        .configure_series_labels()
        .position(legend(plot))
        .background_style(theme.paper.mix(0.85))
        .border_style(theme.grid)
        .label_font(text(13))
        .draw()?;
    Ok(())
}

/// Over the lower end of the lines.
fn legend(plot: &Plot) -> SeriesLabelPosition {
    let highest = |points: &mut dyn Iterator<Item = &(f64, Spread)>| {
        points.map(|(_, y)| y.most).fold(f64::MIN, f64::max)
    };
    let left = highest(&mut plot.lines.iter().filter_map(|line| line.points.first()));
    let right = highest(&mut plot.lines.iter().filter_map(|line| line.points.last()));
    if left < right {
        SeriesLabelPosition::UpperLeft
    } else {
        SeriesLabelPosition::UpperRight
    }
}

fn draw_line<X, Y>(
    chart: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<X, Y>>,
    line: &Line,
    colour: RGBColor,
) -> anyhow::Result<()>
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    let points = line.points.iter().map(|&(x, y)| (x, y.median));
    let style = colour.stroke_width(2);
    let legend = match line.kind {
        LineKind::Measured => {
            let drawn = chart.draw_series(LineSeries::new(points, style))?;
            drawn.label(&line.name);
            drawn
        }
        LineKind::Ideal => {
            let drawn = chart.draw_series(DashedLineSeries::new(points, 4, 4, style))?;
            drawn.label(&line.name);
            drawn
        }
    };
    legend.legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
    if line.kind == LineKind::Measured {
        chart.draw_series(line.points.iter().map(|&(x, y)| {
            let Spread {
                median,
                least,
                most,
                ..
            } = y;
            ErrorBar::new_vertical(x, least, median, most, colour.filled(), 7)
        }))?;
    }
    Ok(())
}

/// A number beside a tick, with no noughts after the last digit that says something.
fn tick(value: f64) -> String {
    let text = number(value);
    if text.contains('.') {
        text.trim_end_matches('0').to_owned()
    } else {
        text
    }
}

/// Where an axis begins and ends.
struct Ends {
    least: f64,
    most: f64,
}

impl Ends {
    fn of(
        plot: &Plot,
        scale: Scale,
        reach: impl Fn(&(f64, Spread)) -> (f64, f64),
    ) -> anyhow::Result<Self> {
        let points = || plot.lines.iter().flat_map(|line| &line.points).map(&reach);
        let least = points().map(|(least, _)| least).reduce(f64::min);
        let most = points().map(|(_, most)| most).reduce(f64::max);
        let (Some(least), Some(most)) = (least, most) else {
            return Err(anyhow!("the plot {:?} has no points", plot.name));
        };
        match scale {
            Scale::Linear => Ok(Self {
                least: least.min(0.0),
                most: most * 1.05,
            }),
            Scale::Logarithmic if least > 0.0 => Ok(Self {
                least: least / 1.25,
                most: most * 1.25,
            }),
            Scale::Logarithmic => Err(anyhow!(
                "the plot {:?} has points that a logarithmic axis cannot show",
                plot.name
            )),
        }
    }

    fn linear(&self) -> std::ops::Range<f64> {
        self.least..self.most
    }

    fn logarithmic(
        &self,
    ) -> impl AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>> + use<> {
        (self.least..self.most).log_scale()
    }
}
