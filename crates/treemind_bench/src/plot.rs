//! Plots as SVG, with both axes in powers of ten.

use std::fmt::Write as _;

/// A line with its name.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

pub(crate) struct Plot<'a> {
    pub(crate) title: &'a str,
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
    pub(crate) lines: &'a [Line],
}

const COLOURS: [&str; 5] = ["#6b7280", "#2563eb", "#dc2626", "#059669", "#d97706"];

/// The edges of the area for the lines.
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 300.0;
/// The space beside it for the names of lines.
const NAMES: f64 = 180.0;

/// An axis from 10 to the power of `low` to 10 to the power of `high`.
struct Axis {
    low: i32,
    high: i32,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(f64::NEG_INFINITY, f64::max);
        let low = (least.log10() + 1e-9).floor() as i32;
        let high = (most.log10() - 1e-9).ceil() as i32;
        Self {
            low,
            high: high.max(low + 1),
        }
    }

    /// The position of a value on the axis, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low)
    }

    fn powers(&self) -> impl Iterator<Item = f64> {
        (self.low..=self.high).map(|power| 10_f64.powi(power))
    }
}

/// A number as people write it: 100 000, 0.01.
pub(crate) fn number(value: f64) -> String {
    if value < 1.0 {
        return format!("{value}");
    }
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

impl Plot<'_> {
    pub(crate) fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let x_axis = Axis::of(points().map(|point| point.0));
        let y_axis = Axis::of(points().map(|point| point.1));
        let x = |value| LEFT + WIDTH * x_axis.place(value);
        let y = |value| TOP + HEIGHT * (1.0 - y_axis.place(value));
        let (width, height) = (LEFT + WIDTH + NAMES, TOP + HEIGHT + 60.0);
        let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{title}</text>\n",
            title = self.title
        );
        // Writing to a string cannot fail.
        for power in x_axis.powers() {
            let (at, text) = (x(power), number(power));
            let _ = writeln!(
                out,
                "<path d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"#e5e7eb\"/><text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
                bottom + 18.0
            );
        }
        for power in y_axis.powers() {
            let (at, text) = (y(power), number(power));
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#e5e7eb\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                LEFT - 8.0,
                at + 4.0
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            LEFT + WIDTH / 2.0,
            bottom + 42.0,
            self.x,
            TOP + HEIGHT / 2.0,
            self.y
        );
        for (line, colour) in self.lines.iter().zip(COLOURS) {
            let mut path = String::new();
            for (nth, point) in line.points.iter().enumerate() {
                let sign = if nth == 0 { 'M' } else { 'L' };
                let (x, y) = (x(point.0), y(point.1));
                let _ = write!(path, "{sign}{x:.1} {y:.1}");
                let _ = writeln!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
                );
            }
            let _ = writeln!(
                out,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
            );
        }
        self.names(&mut out, y);
        out.push_str("</svg>\n");
        out
    }

    /// Writes the name of each line beside its end, without overlaps.
    fn names(&self, out: &mut String, y: impl Fn(f64) -> f64) {
        let mut names: Vec<(f64, &str, &str)> = (self.lines.iter().zip(COLOURS))
            .filter_map(|(line, colour)| Some((y(line.points.last()?.1), line.name, colour)))
            .collect();
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut next = TOP;
        for (at, name, colour) in names {
            let at = at.max(next);
            next = at + 15.0;
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>",
                LEFT + WIDTH + 10.0,
                at + 4.0
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_where_their_powers_are() {
        let line = |name, points: &[(f64, f64)]| Line {
            name,
            points: points.to_vec(),
        };
        let lines = [
            line("one", &[(1.0, 0.1), (1_000.0, 10.0)]),
            line("two", &[(10.0, 1.0)]),
        ];
        let plot = Plot {
            title: "t",
            x: "agents",
            y: "ns",
            lines: &lines,
        };
        let svg = plot.svg();
        assert!(svg.contains("M70.0 340.0L510.0 40.0"), "{svg}");
        assert!(svg.contains("cx=\"216.7\" cy=\"190.0\""), "{svg}");
        assert!(svg.contains(">1 000</text>") && svg.contains(">0.1</text>"));
    }

    #[test]
    fn numbers_are_written_in_threes() {
        let written = [0.01, 1.0, 999.0, 1_000.0, 1_000_000.0].map(number);
        let expected = ["0.01", "1", "999", "1 000", "1 000 000"];
        assert_eq!(written, expected);
    }
}
