//! `curve=` of a `consider`, and its numbers.

use super::line::Line;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{CURVES, Spot};
use crate::suggest;
use crate::syntax::{Entry, Node, Value as Written, shortened};
use crate::{Said, said};
use treemind_core::Curve;

/// Reads the parameters of a curve from a line.
pub(super) struct Parameters<'a, 'n> {
    line: &'a mut Line<'n>,
    sink: &'a mut Sink,
    /// The property that names the curve.
    property: &'static str,
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
            property: "curve",
            is_sound: true,
            curve_name: "",
        }
    }

    /// The curve of a `curve` with a name, and its ends.
    pub(super) fn named(&mut self) -> Option<(Curve, f64, f64)> {
        self.property = "shape";
        let (from, to) = (self.number_or("from", 0.0), self.number_or("to", 1.0));
        let curve = self.curve();
        if self.is_sound && !(from < to && (to - from).is_finite()) {
            let message = said!("`from` must be less than `to`");
            let span = self.line.node.span.clone();
            self.sink
                .error(Code::BadNumber, span, message)
                .with_help(said!(
                    "for a curve that falls, use for instance `slope=-1.0 offset=1.0`"
                ));
            return None;
        }
        Some((curve?, from, to))
    }

    /// The curve; without `curve=` it is a straight line from 0 to 1.
    pub(super) fn curve(&mut self) -> Option<Curve> {
        let name = match self.line.property(self.property) {
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
            "" => said!("`{}` must be the name of a curve", self.property),
            given => said!("unknown curve `{}`", shortened(given)),
        };
        let help = suggest::among(given, said!("the curves"), known, || None);
        self.sink
            .error(Code::UnknownCurve, entry.value_span.clone(), message)
            .with_perhaps(help);
        None
    }

    fn wrong(&mut self, code: Code, entry: &Entry, message: Said) {
        self.is_sound = false;
        self.sink.error(code, entry.value_span.clone(), message);
    }

    /// A parameter of the curve that is read; the table of curves has its default.
    fn number(&mut self, name: &str) -> f64 {
        let mut parameters = CURVES.parameters(self.curve_name).iter();
        let default = parameters.find(|(parameter, _)| *parameter == name);
        self.number_or(name, default.map_or(0.0, |(_, default)| *default))
    }

    fn number_or(&mut self, name: &str, default: f64) -> f64 {
        let Some(entry) = self.line.property(name) else {
            return default;
        };
        match real(entry) {
            Some(number) => number,
            None => {
                self.not_a_number(entry, &said!("`{}`", name));
                default
            }
        }
    }

    fn not_a_number(&mut self, entry: &Entry, what: &Said) {
        match &entry.value {
            Written::Bad => self.is_sound = false,
            Written::Text(_) => {
                let message = said!("{} must be a number, not an expression", what);
                self.wrong(Code::WrongType, entry, message);
                self.sink.help_last(
                    said!("put the expression into the `consider` or the call: a curve is fixed before anything runs"
                        ),
                );
            }
            _ => self.wrong(
                Code::WrongType,
                entry,
                said!("{} must be a finite number", what),
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
                said!("`{}` must be greater than 0", name),
            );
        }
        number
    }

    fn within(&mut self, name: &str, most: f64) -> f64 {
        let number = self.number(name);
        if number.abs() > most
            && let Some(entry) = self.line.property(name)
        {
            let message = said!(
                "`{}` of an exponential curve must be between -{} and {}",
                name,
                most,
                most
            );
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
                    let message = said!("the curve `{}` has no parameter `{}`", name, parameter);
                    let help = match own {
                        [] if name == "points" => {
                            said!("write its points into its block: `point 0.0 0.2; point 1.0 0.9`")
                        }
                        _ => said!(
                            "use `{}={}`, or the parameters of this curve: {}",
                            self.property,
                            other,
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
            let word = &self.line.node.name.value;
            let message = said!("a `{}` with the curve `{}` takes no block", word, name);
            let property = self.property;
            self.sink
                .error(Code::ExtraChildren, point.span.clone(), message)
                .with_help(said!(
                    "to define a curve by points, write `{}=points`",
                    property
                ));
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
                let message = said!(
                    "the first number of each point must be greater than that of the point before it"
                );
                self.sink
                    .error(Code::BadNumber, child.span.clone(), message);
            }
            points.push(point);
        }
        if self.is_sound && !(2..=Curve::MAX_POINTS).contains(&points.len()) {
            self.is_sound = false;
            let message = said!(
                "a curve needs 2 to {} points, and this one has {}",
                Curve::MAX_POINTS,
                points.len()
            );
            self.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help(said!(
                    "write them into its block: `point 0.0 0.2; point 1.0 0.9`"
                ));
        }
        points
    }

    /// `point X Y`
    fn point(&mut self, node: &Node) -> Option<[f64; 2]> {
        let line = Line::new(node, self.sink);
        if node.name.value != "point" {
            let message = said!(
                "expected `point` in this curve, found `{}`",
                shortened(&node.name.value)
            );
            self.sink
                .error(Code::UnknownNode, node.name.span.clone(), message)
                .with_help(said!("write `point X Y`"));
            return None;
        }
        let mut numbers = Vec::new();
        for entry in line.values() {
            match real(entry) {
                Some(number) if (0.0..=1.0).contains(&number) => numbers.push(number),
                Some(_) => {
                    let message = said!("the numbers of a point must be between 0 and 1");
                    self.wrong(Code::BadNumber, entry, message);
                    return None;
                }
                None => {
                    self.not_a_number(entry, &said!("a number of a point"));
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
                let message = said!("a point needs two numbers: its position and its height");
                self.sink
                    .error(Code::MissingValue, node.span.clone(), message)
                    .with_help(said!("write `point X Y`, both from 0 to 1"));
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
