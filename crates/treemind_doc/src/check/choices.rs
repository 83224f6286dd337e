//! Properties that take one of a few words: thresholds, and when loops answer running.

use super::Checker;
use super::line::Line;
use crate::code::Code;
use crate::suggest;
use crate::syntax::{Entry, Value as Written};
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

    /// `yields=` of loops.
    pub(super) fn yields(&mut self, line: &mut Line<'_>) -> Option<Yields> {
        let Some(entry) = line.property("yields") else {
            return Some(Yields::default());
        };
        match &entry.value {
            Written::Text(text) => match text.value.as_str() {
                "never" => return Some(Yields::Never),
                "fresh" => return Some(Yields::Fresh),
                "always" => return Some(Yields::Always),
                word => self.bad_yields(entry, Some(word)),
            },
            Written::Bad => {}
            _ => self.bad_yields(entry, None),
        }
        None
    }

    fn bad_yields(&mut self, entry: &Entry, word: Option<&str>) {
        let near = word.and_then(|word| suggest::nearest(word, ["never", "fresh", "always"]));
        let message = "`yields` is `always`, `fresh` or `never`";
        self.sink
            .error(Code::BadChoice, entry.value_span.clone(), message)
            .help = near.map(|near| format!("did you mean `{near}`?"));
    }
}

fn counted(children: usize) -> String {
    match children {
        1 => "1 child".to_owned(),
        count => format!("{count} children"),
    }
}
