//! Files of weights, which networks name: how many inputs there are, and the layers with their numbers.
//!
//! ```text
//! # The mood of a villager.
//! inputs 2
//! layer 3 tanh
//! 0.1  0.5 -0.25
//! 0    1    0.75
//! -0.2 0.3  0.3
//! layer 1 sigmoid
//! 0.4  1   -1    0.5
//! ```
//!
//! The line of a layer says how many units it has, and what it makes of their sums. A line for each unit follows: its
//! bias, then a weight for each input of the layer. `#` begins a comment.

use crate::{Said, said};
use std::fmt::Write as _;
use std::ops::Range;
use treemind_core::{Activation, Layer, Network};

/// What a file of weights says.
///
/// ```
/// use treemind_doc::Weights;
///
/// let weights = Weights::read("inputs 1\nlayer 1 tanh\n0.5 2 # the bias, and the weight of the input\n").unwrap();
/// assert_eq!(weights.layers[0].weights, [0.5, 2.0]);
/// assert_eq!(weights.text(), "inputs 1\nlayer 1 tanh\n0.5 2\n");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// How many numbers the first layer reads.
    pub inputs: usize,
    /// The layers, the first of which reads the inputs.
    pub layers: Vec<Layer>,
}

/// What is wrong with a file of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadWeights {
    /// Where, in bytes.
    pub span: Range<usize>,
    /// The problem.
    pub message: Said,
}

impl std::fmt::Display for BadWeights {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message.fmt(out)
    }
}

impl std::error::Error for BadWeights {}

impl Weights {
    /// Whether a text looks like a file of weights, and not like a document.
    pub(crate) fn is_in(text: &str) -> bool {
        let mut lines = lines(text);
        let first = lines.next().map(|(_, words)| words);
        matches!(first.as_deref(), Some([(_, "inputs"), (_, count)]) if count.parse::<usize>().is_ok())
    }

    /// Reads a text, up to its first mistake.
    ///
    /// # Errors
    /// The first mistake, also when the network is larger than one may be.
    pub fn read(text: &str) -> Result<Self, BadWeights> {
        let mut lines = lines(text).peekable();
        let (line, words) = lines.next().unwrap_or_default();
        let inputs = match &words[..] {
            [(_, "inputs"), (at, count)] => {
                number_of(at.clone(), count, Network::MAX_INPUTS, |most, word| {
                    said!("a network has 1 to {} inputs, not `{}`", most, word)
                })?
            }
            _ => {
                let message =
                    said!("a file of weights begins with the number of inputs: `inputs 3`");
                return Err(bad(line, message));
            }
        };
        let mut layers: Vec<Layer> = Vec::new();
        while let Some((line, words)) = lines.next() {
            let (width, activation) = heading(line.clone(), &words)?;
            if layers.len() == Network::MAX_LAYERS {
                let most = Network::MAX_LAYERS;
                return Err(bad(line, said!("a network has at most {} layers", most)));
            }
            let row = layers.last().map_or(inputs, |layer| layer.width) + 1;
            let mut weights = Vec::with_capacity(width * row);
            for unit in 0..width {
                let is_unit = |(_, words): &(_, Vec<(_, &str)>)| words[0].1 != "layer";
                let Some((line, words)) = lines.next_if(is_unit) else {
                    let message = said!(
                        "this layer has {}, but only {} with their numbers",
                        counted(width, Noun::Unit),
                        counted(unit, Noun::Line)
                    );
                    return Err(bad(line, message));
                };
                if words.len() != row {
                    let message = said!(
                        "this line has {}, and a unit of this layer needs {}: its bias, and {} for its inputs",
                        counted(words.len(), Noun::Number),
                        row,
                        counted(row - 1, Noun::Weight)
                    );
                    return Err(bad(line, message));
                }
                for (at, word) in words {
                    weights.push(weight(at, word)?);
                }
            }
            layers.push(Layer {
                width,
                activation,
                weights,
            });
        }
        if layers.is_empty() {
            let message = said!(
                "this file has no layers; write `layer 4 tanh`, and a line of numbers for each unit"
            );
            return Err(bad(line, message));
        }
        Ok(Self { inputs, layers })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut out = format!("inputs {}\n", self.inputs);
        let mut before = self.inputs;
        for layer in &self.layers {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "layer {} {}", layer.width, layer.activation.name());
            for unit in layer.weights.chunks(before + 1) {
                let numbers: Vec<String> = unit.iter().map(f32::to_string).collect();
                out.push_str(&numbers.join(" "));
                out.push('\n');
            }
            before = layer.width;
        }
        out
    }
}

type Words<'t> = Vec<(Range<usize>, &'t str)>;

/// The words of each line that has any, with their places, and the place of the line.
fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, Words<'_>)> {
    let begin = text.as_ptr().addr();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let place = move |part: &str| {
        let from = part.as_ptr().addr() - begin;
        from..from + part.len()
    };
    text.lines().filter_map(move |line| {
        let line = line.split('#').next().unwrap_or_default();
        let words: Words<'_> = line
            .split_whitespace()
            .map(|word| (place(word), word))
            .collect();
        let (first, last) = (words.first()?, words.last()?);
        Some((first.0.start..last.0.end, words))
    })
}

/// `layer WIDTH FUNCTION`
fn heading(line: Range<usize>, words: &Words<'_>) -> Result<(usize, Activation), BadWeights> {
    let [(_, "layer"), (at, width), rest @ ..] = &words[..] else {
        let message = match words.first() {
            Some((_, word)) if word.parse::<f32>().is_ok() => {
                said!("this line belongs to no unit: the layer above it has all its units")
            }
            _ => said!("expected a layer: `layer 4 tanh`"),
        };
        return Err(bad(line, message));
    };
    let width = number_of(at.clone(), width, Network::MAX_WIDTH, |most, word| {
        said!(
            "a network has 1 to {} units in a layer, not `{}`",
            most,
            word
        )
    })?;
    let names = Activation::ALL.map(Activation::name).join(", ");
    let activation = match rest {
        [(at, word)] => {
            let known = Activation::ALL.into_iter().find(|one| one.name() == *word);
            known.ok_or_else(|| bad(at.clone(), said!("`{}` is none of {}", short(word), names)))
        }
        _ => Err(bad(
            line,
            said!(
                "a layer has a number of units and a function, one of {}",
                names
            ),
        )),
    };
    Ok((width, activation?))
}

/// A number from 1 to `most`; `wrong` says that a word is none.
fn number_of(
    at: Range<usize>,
    word: &str,
    most: usize,
    wrong: fn(usize, String) -> Said,
) -> Result<usize, BadWeights> {
    let number = word
        .parse()
        .ok()
        .filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| bad(at, wrong(most, short(word))))
}

fn weight(at: Range<usize>, word: &str) -> Result<f32, BadWeights> {
    let weight = word.parse().ok().filter(|weight: &f32| weight.is_finite());
    weight.ok_or_else(|| bad(at, said!("`{}` is no finite number", short(word))))
}

fn bad(span: Range<usize>, message: Said) -> BadWeights {
    BadWeights { span, message }
}

/// So much of a word as fits into a message.
fn short(word: &str) -> String {
    crate::syntax::shortened(word)
}

/// What messages about networks count.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Noun {
    Input,
    Line,
    Number,
    Unit,
    Weight,
}

/// A number with its noun.
pub(crate) fn counted(count: usize, what: Noun) -> Said {
    match (count, what) {
        (1, Noun::Input) => said!("1 input"),
        (1, Noun::Line) => said!("1 line"),
        (1, Noun::Number) => said!("1 number"),
        (1, Noun::Unit) => said!("1 unit"),
        (1, Noun::Weight) => said!("1 weight"),
        (_, Noun::Input) => said!("{} inputs", count),
        (_, Noun::Line) => said!("{} lines", count),
        (_, Noun::Number) => said!("{} numbers", count),
        (_, Noun::Unit) => said!("{} units", count),
        (_, Noun::Weight) => said!("{} weights", count),
    }
}

#[cfg(test)]
mod tests {
    use super::Weights;

    #[test]
    fn what_is_written_is_read_back() {
        let text = "\u{feff}# a comment\r\n\n inputs 2 # two\r\nlayer 2 relu\n1 2.5 -3e-4\n.5 +1 7\nlayer 1 softmax\n0 -1 1\n";
        let weights = Weights::read(text).expect("it has no mistake");
        assert_eq!(weights.layers[0].weights, [1.0, 2.5, -3e-4, 0.5, 1.0, 7.0]);
        assert_eq!(Weights::read(&weights.text()), Ok(weights));
        assert!(Weights::is_in(text));
        assert!(!Weights::is_in("tree t { succeed }"));
    }

    #[test]
    fn every_number_comes_back_as_it_was() {
        for weight in [
            f32::MIN_POSITIVE,
            f32::from_bits(1),
            f32::MAX,
            0.1,
            -1.0 / 3.0,
        ] {
            let text = format!("inputs 1\nlayer 1 tanh\n{weight} 0\n");
            let weights = Weights::read(&text).expect("it has no mistake");
            let again = Weights::read(&weights.text()).expect("it has no mistake");
            assert_eq!(again.layers[0].weights[0].to_bits(), weight.to_bits());
        }
    }

    #[test]
    fn the_first_mistake_is_reported_where_it_is() {
        let of = |text: &str| {
            let bad = Weights::read(text).expect_err("it has a mistake");
            format!("{}: {}", &text[bad.span], bad.message)
        };
        for (text, expected) in [
            (
                "",
                ": a file of weights begins with the number of inputs: `inputs 3`",
            ),
            (
                "layer 1 tanh",
                "layer 1 tanh: a file of weights begins with the number of inputs: `inputs 3`",
            ),
            ("inputs 65", "65: a network has 1 to 64 inputs, not `65`"),
            (
                "inputs 1",
                "inputs 1: this file has no layers; write `layer 4 tanh`, and a line of numbers for each unit",
            ),
            (
                "inputs 1\nlayers 1 tanh",
                "layers 1 tanh: expected a layer: `layer 4 tanh`",
            ),
            (
                "inputs 1\nlayer 300 tanh",
                "300: a network has 1 to 256 units in a layer, not `300`",
            ),
            (
                "inputs 1\nlayer 1 tan",
                "tan: `tan` is none of identity, relu, tanh, sigmoid, softmax",
            ),
            (
                "inputs 1\nlayer 1",
                "layer 1: a layer has a number of units and a function, one of identity, relu, tanh, sigmoid, softmax",
            ),
            (
                "inputs 1\nlayer 2 tanh\n0 1\n",
                "layer 2 tanh: this layer has 2 units, but only 1 line with their numbers",
            ),
            (
                "inputs 2\nlayer 1 tanh\n0 1\n",
                "0 1: this line has 2 numbers, and a unit of this layer needs 3: its bias, and 2 weights for its inputs",
            ),
            (
                "inputs 1\nlayer 1 tanh\n0 x\n",
                "x: `x` is no finite number",
            ),
            (
                "inputs 1\nlayer 1 tanh\n0 1e39\n",
                "1e39: `1e39` is no finite number",
            ),
            (
                "inputs 1\nlayer 1 tanh\n0 1\n0 1\n",
                "0 1: this line belongs to no unit: the layer above it has all its units",
            ),
        ] {
            assert_eq!(of(text), expected);
        }
        let layer = "layer 1 tanh\n0 1\n";
        let text = format!("inputs 1\n{}", layer.repeat(5));
        assert_eq!(of(&text), "layer 1 tanh: a network has at most 4 layers");
    }
}
