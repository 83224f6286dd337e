//! `curve=` of a `consider`, and its numbers.

use super::line::Line;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{CURVES, Spot};
use crate::suggest;
use crate::syntax::{Entry, Node, Value as Written, shortened};
use treemind_core::Curve;

/// Reads the parameters of a curve from a line.
pub(super) struct Parameters<'a, 'n> {
    line: &'a mut Line<'n>,
    sink: &'a mut Sink,
    /// Whether everything read so far makes sense.
    is_sound: bool,
    /// The curve whose parameters are read.
    curve_name: &'static str,
}

impl<'a, 'n> Parameters<'a, 'n> {
    pub(super) fn new(line: &'a mut Line<'n>, sink: &'a mut Sink) -> Self {
        Self {
            line,
            sink,
            is_sound: true,
            curve_name: "",
        }
    }

    /// The curve; without `curve=` it is a straight line from 0 to 1.
    pub(super) fn curve(&mut self) -> Option<Curve> {
        let name = match self.line.property("curve") {
            None => CURVES.0[0].0,
            Some(entry) => self.name(entry)?,
        };
        self.curve_name = name;
        let curve = match name {
            "power" => Curve::Power {
                exponent: self.above_zero("exponent"),
            },
            "logistic" => Curve::Logistic {
                mid: self.number("mid"),
                steep: self.number("steep"),
            },
            "exponential" => Curve::Exponential {
                steep: self.within("steep", Curve::MAX_STEEP),
            },
            "step" => Curve::Step {
                at: self.number("at"),
            },
            "points" => Curve::Points(self.points()),
            _ => Curve::Linear {
                slope: self.number("slope"),
                offset: self.number("offset"),
            },
        };
        self.no_others(name);
        if name != "points" {
            self.no_points(name);
        }
        self.is_sound.then_some(curve)
    }

    fn name(&mut self, entry: &Entry) -> Option<&'static str> {
        let given = match &entry.value {
            Written::Bad => return None,
            Written::Text(text) => text.value.as_str(),
            _ => "",
        };
        let known = CURVES.0.iter().map(|(name, _)| *name);
        if let Some(name) = known.clone().find(|name| *name == given) {
            return Some(name);
        }
        let message = match given {
            "" => "`curve` must be the name of a curve".to_owned(),
            given => format!("unknown curve `{}`", shortened(given)),
        };
        let help = suggest::among(given, "the curves", known, || None);
        self.sink
            .error(Code::UnknownCurve, entry.value_span.clone(), message)
            .help = help;
        None
    }

    fn wrong(&mut self, code: Code, entry: &Entry, message: String) {
        self.is_sound = false;
        self.sink.error(code, entry.value_span.clone(), message);
    }

    fn number(&mut self, name: &str) -> f64 {
        let mut parameters = CURVES.parameters(self.curve_name).iter();
        let default = parameters.find(|(parameter, _)| *parameter == name);
        let default = default.map_or(0.0, |(_, default)| *default);
        let Some(entry) = self.line.property(name) else {
            return default;
        };
        match real(entry) {
            Some(number) => number,
            None => {
                self.not_a_number(entry, &format!("`{name}`"));
                default
            }
        }
    }

    fn not_a_number(&mut self, entry: &Entry, what: &str) {
        match &entry.value {
            Written::Bad => self.is_sound = false,
            Written::Text(_) => {
                let message = format!("{what} must be a number, not an expression");
                self.wrong(Code::WrongType, entry, message);
                self.sink.help_last(
                    "put the expression into the `consider`: a curve is fixed before anything runs"
                        .to_owned(),
                );
            }
            _ => self.wrong(
                Code::WrongType,
                entry,
                format!("{what} must be a finite number"),
            ),
        }
    }

    fn above_zero(&mut self, name: &str) -> f64 {
        let number = self.number(name);
        if number <= 0.0
            && let Some(entry) = self.line.property(name)
        {
            self.wrong(
                Code::BadNumber,
                entry,
                format!("`{name}` must be greater than 0"),
            );
        }
        number
    }

    fn within(&mut self, name: &str, most: f64) -> f64 {
        let number = self.number(name);
        if number.abs() > most
            && let Some(entry) = self.line.property(name)
        {
            let message =
                format!("`{name}` of an exponential curve must be between -{most} and {most}");
            self.wrong(Code::BadNumber, entry, message);
        }
        number
    }

    /// Reports the parameters of other curves.
    fn no_others(&mut self, name: &str) {
        let own = CURVES.parameters(name);
        let names = || own.iter().map(|(name, _)| *name);
        for (other, parameters) in CURVES.0 {
            for (parameter, _) in *parameters {
                if names().any(|own| own == *parameter)
                    || !self
                        .line
                        .unread()
                        .iter()
                        .any(|(name, _)| name.value == *parameter)
                {
                    continue;
                }
                if let Some(entry) = self.line.property(parameter) {
                    self.is_sound = false;
                    let message = format!("the curve `{name}` has no parameter `{parameter}`");
                    let help = match own {
                        [] if name == "points" => {
                            "write its points into its block: `point 0.0 0.2; point 1.0 0.9`"
                                .to_owned()
                        }
                        _ => format!(
                            "use `curve={other}`, or the parameters of this curve: {}",
                            suggest::listed(names())
                        ),
                    };
                    self.sink
                        .error(Code::UnknownProperty, entry.span.clone(), message)
                        .with_help(help);
                }
            }
        }
    }

    fn no_points(&mut self, name: &str) {
        if let Some(point) = self.line.node.children().first() {
            self.is_sound = false;
            let message = format!("a `consider` with the curve `{name}` takes no block");
            self.sink
                .error(Code::ExtraChildren, point.span.clone(), message)
                .with_help("to define a curve by points, write `curve=points`");
        }
    }

    fn points(&mut self) -> Vec<[f64; 2]> {
        let node = self.line.node;
        let mut points: Vec<[f64; 2]> = Vec::new();
        for child in node.children() {
            let Some(point) = self.point(child) else {
                self.is_sound = false;
                continue;
            };
            if points.last().is_some_and(|before| before[0] >= point[0]) {
                self.is_sound = false;
                let message = "the first number of each point must be greater than that of the point before it";
                self.sink
                    .error(Code::BadNumber, child.span.clone(), message);
            }
            points.push(point);
        }
        if self.is_sound && !(2..=Curve::MAX_POINTS).contains(&points.len()) {
            self.is_sound = false;
            let message = format!(
                "a curve needs 2 to {} points, and this one has {}",
                Curve::MAX_POINTS,
                points.len()
            );
            self.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help("write them into its block: `point 0.0 0.2; point 1.0 0.9`");
        }
        points
    }

    /// `point X Y`
    fn point(&mut self, node: &Node) -> Option<[f64; 2]> {
        let line = Line::new(node, self.sink);
        if node.name.value != "point" {
            let message = format!(
                "expected `point` in this curve, found `{}`",
                shortened(&node.name.value)
            );
            self.sink
                .error(Code::UnknownNode, node.name.span.clone(), message)
                .with_help("write `point X Y`");
            return None;
        }
        let mut numbers = Vec::new();
        for entry in line.values() {
            match real(entry) {
                Some(number) if (0.0..=1.0).contains(&number) => numbers.push(number),
                Some(_) => {
                    let message = "the numbers of a point must be between 0 and 1".to_owned();
                    self.wrong(Code::BadNumber, entry, message);
                    return None;
                }
                None => {
                    self.not_a_number(entry, "a number of a point");
                    return None;
                }
            }
        }
        if let Some(word) = Spot::Points.word("point") {
            line.finish(word, self.sink);
        }
        match numbers[..] {
            [x, y] => Some([x, y]),
            _ => {
                let message = "a point needs two numbers: its position and its height";
                self.sink
                    .error(Code::MissingValue, node.span.clone(), message)
                    .with_help("write `point X Y`, both from 0 to 1");
                None
            }
        }
    }
}

/// A finite number, as written.
fn real(entry: &Entry) -> Option<f64> {
    match &entry.value {
        Written::Int(number) => Some(*number as f64),
        Written::Decimal(number, _) if number.is_finite() => Some(*number),
        _ => None,
    }
}
