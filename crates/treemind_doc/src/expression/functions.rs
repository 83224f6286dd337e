//! The functions of expressions, for checks and for lists that people read.

/// A function of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    name: &'static str,
    parameters: &'static [&'static str],
    doc: &'static str,
    only_for_tests: bool,
}

impl Function {
    const fn new(
        name: &'static str,
        parameters: &'static [&'static str],
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            parameters,
            doc,
            only_for_tests: false,
        }
    }

    const fn in_tests(mut self) -> Self {
        self.only_for_tests = true;
        self
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The names of its parameters. `event` may be called with its first one alone.
    pub fn parameters(&self) -> &'static [&'static str] {
        self.parameters
    }

    /// What it gives.
    pub fn doc(&self) -> &'static str {
        self.doc
    }

    /// Whether only conditions of tests may call it.
    pub fn is_only_for_tests(&self) -> bool {
        self.only_for_tests
    }
}

/// Whether a function has this name.
pub(crate) fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|one| one.name == name)
}

/// All functions; those that are used most first.
pub const fn functions() -> &'static [Function] {
    &FUNCTIONS
}

const FUNCTIONS: [Function; 44] = [
    Function::new("min", &["a", "b"], "The smaller of two numbers."),
    Function::new("max", &["a", "b"], "The larger of two numbers."),
    Function::new("abs", &["x"], "A number without its sign."),
    Function::new(
        "clamp",
        &["x", "low", "high"],
        "`x`, but at least `low` and at most `high`.",
    ),
    Function::new("floor", &["x"], "The next whole number below."),
    Function::new("ceil", &["x"], "The next whole number above."),
    Function::new(
        "round",
        &["x"],
        "The nearest whole number; halves go away from zero.",
    ),
    Function::new("sqrt", &["x"], "The square root."),
    Function::new(
        "lerp",
        &["a", "b", "t"],
        "From `a` at `t = 0` to `b` at `t = 1`; also of two vectors.",
    ),
    Function::new(
        "random",
        &["a", "b"],
        "A random number: of two ints, one from `a` to `b`; otherwise from `a` up to but not including `b`.",
    ),
    Function::new("distance", &["a", "b"], "How far apart two vectors are."),
    Function::new("length", &["v"], "The length of a vector."),
    Function::new(
        "dot",
        &["a", "b"],
        "The dot product: the length of `a` along `b`, times the length of `b`.",
    ),
    Function::new(
        "angle",
        &["a", "b"],
        "The angle between two vectors in degrees, from 0 to 180.",
    ),
    Function::new(
        "normalize",
        &["v"],
        "The vector of length 1 in the same direction; zero stays zero.",
    ),
    Function::new("vec2", &["x", "y"], "A vector of two floats."),
    Function::new("vec3", &["x", "y", "z"], "A vector of three floats."),
    Function::new("has", &["key"], "Whether a key holds a value."),
    Function::new("len", &["list"], "How many items a list has."),
    Function::new(
        "contains",
        &["list", "value"],
        "Whether an item of a list is equal to a value.",
    ),
    Function::new(
        "index",
        &["list", "value"],
        "The place of the first item that is equal to a value, from 0; -1 if there is none.",
    ),
    Function::new(
        "item",
        &["list", "place"],
        "The item of a list at a place, from 0.",
    ),
    Function::new(
        "nearest",
        &["list", "value"],
        "The item of a list of numbers or vectors that is nearest to a value.",
    ),
    Function::new("now", &[], "The clock, in seconds."),
    Function::new(
        "age",
        &["key"],
        "For how many seconds a key has had its value.",
    ),
    Function::new(
        "since_written",
        &["key"],
        "How many seconds ago a key was last written.",
    ),
    Function::new("me", &[], "The agent itself."),
    Function::new("members", &[], "How many agents the group has."),
    Function::new("alive", &["entity"], "Whether an entity still exists."),
    Function::new(
        "free",
        &["semaphore"],
        "How many places of a semaphore are free.",
    ),
    Function::new(
        "event",
        &["event", "parameter"],
        "Whether an event has arrived since the last tick; with a parameter, its value.",
    ),
    Function::new(
        "int",
        &["x"],
        "The whole number that a value of any type is; a fault if it is none.",
    ),
    Function::new(
        "double",
        &["x"],
        "The number that a value of any type is; a fault if it is none.",
    ),
    Function::new(
        "bit_and",
        &["a", "b"],
        "The bits that two whole numbers have in common.",
    ),
    Function::new(
        "bit_or",
        &["a", "b"],
        "The bits that one of two whole numbers has, or both.",
    ),
    Function::new(
        "bit_xor",
        &["a", "b"],
        "The bits that only one of two whole numbers has.",
    ),
    Function::new(
        "joined",
        &["a", "b"],
        "The text of one value with that of another one behind it.",
    ),
    Function::new(
        "text_order",
        &["a", "b"],
        "-1 if a text comes before another one, 1 if it comes behind it, else 0.",
    ),
    Function::new(
        "likeness",
        &["a", "b"],
        "0 if two texts, or two numbers, are about the same, also the text of a number and a number; -1 if the first one comes before the other, else 1.",
    ),
    Function::new(
        "spelled_alike",
        &["a", "b"],
        "Whether two values are the same, or about the same number; the text of a number is that number.",
    ),
    Function::new(
        "number",
        &["x"],
        "The number that a value of any type is; a text is none.",
    ),
    Function::new(
        "leading_int",
        &["x"],
        "The whole number that a value of any type is, or that a text begins with.",
    ),
    Function::new(
        "active",
        &["name"],
        "Whether a node or state is running after the tick.",
    )
    .in_tests(),
    Function::new("ran", &["name"], "Whether a node was ticked.").in_tests(),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Question;
    use treemind_core::expr::Func;

    #[test]
    fn the_table_has_every_function_of_numbers_and_every_question() {
        for func in Func::ALL {
            let row = FUNCTIONS.iter().find(|one| one.name == func.name());
            let row = row.unwrap_or_else(|| panic!("{}", func.name()));
            assert_eq!(row.parameters.len(), func.arity(), "{}", row.name);
        }
        for row in FUNCTIONS {
            let is_question = Question::named(row.name).is_some();
            assert_eq!(row.only_for_tests, is_question, "{}", row.name);
            assert!(row.doc.ends_with('.'), "{}", row.name);
        }
    }
}
