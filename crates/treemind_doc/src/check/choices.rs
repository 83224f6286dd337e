//! Properties that take one of a few words: thresholds, when loops answer running, and the like.

use super::line::Line;
use super::{Checker, either};
use crate::code::Code;
use crate::suggest;
use crate::syntax::Value as Written;
use treemind_core::behaviour::{Threshold, Yields};

impl Checker<'_> {
    /// `success=` and `failure=` of `parallel`.
    pub(super) fn threshold(
        &mut self,
        line: &mut Line<'_>,
        name: &str,
        default: Threshold,
        children: usize,
    ) -> Option<Threshold> {
        let Some(entry) = line.property(name) else {
            return Some(default);
        };
        let span = entry.value_span.clone();
        match &entry.value {
            Written::Bad => None,
            Written::Text(text) if text.value == "all" => Some(Threshold::All),
            Written::Text(text) if text.value == "one" => Some(Threshold::Count(1)),
            Written::Int(0) => {
                let message = format!("`{name}=0` would end this node before it begins");
                self.sink
                    .error(Code::BadThreshold, span, message)
                    .with_help("the least is `one`");
                None
            }
            Written::Int(count) => {
                let fits = u32::try_from(*count)
                    .ok()
                    .filter(|count| *count as usize <= children);
                if fits.is_none() {
                    let message = if *count < 0 {
                        format!("`{name}` cannot be negative")
                    } else {
                        format!(
                            "`{name}={count}` cannot be reached with {}",
                            counted(children)
                        )
                    };
                    self.sink.error(Code::BadThreshold, span, message);
                }
                fits.map(Threshold::Count)
            }
            _ => {
                let message = format!("`{name}` is `all`, `one` or a number of children");
                self.sink.error(Code::BadChoice, span, message);
                None
            }
        }
    }

    /// `max-failures=` of `parallel-all`.
    pub(super) fn max_failures(&mut self, line: &mut Line<'_>, children: usize) -> Option<u32> {
        let name = "max-failures";
        let Some(entry) = line.property(name) else {
            return Some(1);
        };
        let message = match &entry.value {
            Written::Bad => return None,
            Written::Int(0) => {
                let message = "`max-failures=0` would fail whatever the children answer";
                self.sink
                    .error(Code::BadThreshold, entry.value_span.clone(), message)
                    .with_help("the least is 1; what always fails is `force-failure`");
                return None;
            }
            Written::Int(..0) => format!("`{name}` cannot be negative"),
            Written::Int(count) => {
                let fits = u32::try_from(*count).ok();
                if let Some(count) = fits.filter(|count| *count as usize <= children) {
                    return Some(count);
                }
                let children = counted(children);
                format!("`{name}={count}` cannot be reached with {children}")
            }
            _ => {
                let message = format!("`{name}` is a number of children");
                self.sink
                    .error(Code::WrongType, entry.value_span.clone(), message);
                return None;
            }
        };
        self.sink
            .error(Code::BadThreshold, entry.value_span.clone(), message);
        None
    }

    /// `yields=` of loops and lists.
    pub(super) fn yields(&mut self, line: &mut Line<'_>, default: Yields) -> Option<Yields> {
        if !line.has("yields") {
            return Some(default);
        }
        let words = &[
            ("always", Yields::Always),
            ("fresh", Yields::Fresh),
            ("never", Yields::Never),
        ];
        self.choice(line, "yields", words)
    }

    /// A property that takes one of some words; without it, the first.
    pub(super) fn choice<T: Copy>(
        &mut self,
        line: &mut Line<'_>,
        name: &str,
        words: &[(&str, T)],
    ) -> Option<T> {
        let Some(entry) = line.property(name) else {
            return words.first().map(|(_, value)| *value);
        };
        let given = match &entry.value {
            Written::Bad => return None,
            Written::Text(text) => Some(text.value.as_str()),
            _ => None,
        };
        if let Some((_, value)) = words.iter().find(|(word, _)| Some(*word) == given) {
            return Some(*value);
        }
        let listed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let near = given.and_then(|given| suggest::nearest(given, listed.iter().copied()));
        let message = format!("`{name}` is {}", either(&listed));
        self.sink
            .error(Code::BadChoice, entry.value_span.clone(), message)
            .help = near.map(|near| format!("did you mean `{near}`?"));
        None
    }
}

fn counted(children: usize) -> String {
    match children {
        1 => "1 child".to_owned(),
        count => format!("{count} children"),
    }
}
