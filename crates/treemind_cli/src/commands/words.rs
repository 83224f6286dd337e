//! `treemind words`: the words of documents, those of the first day first.

mod pages;

use crate::io::{Failure, print_shown};
pub(crate) use pages::page;
use pages::{explain, of_properties};
use std::io::{self, Write};
use treemind_doc::vocabulary::{self, Circle, Word};

/// List the words of documents, or explain a word or a property.
///
/// The words are in three circles: the first day, for what a first character needs; the first week, for what most
/// characters need; and seldom. A seldom word says which more usual word does nearly the same. What is printed about
/// a node of a tree is its page in docs/nodes.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The word, for instance `sequence` or `transition`; or the name of a property, such as `gives`.
    #[arg(value_name = "WORD")]
    word: Option<String>,
}

const AFTER: &str = "\
Examples:
  treemind words
  treemind words sequence
  treemind words gives";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let words = vocabulary::words();
    let Some(wanted) = &args.word else {
        return print_shown(|out| list(&words, out));
    };
    let found: Vec<&Word> = words.iter().filter(|word| word.name() == wanted).collect();
    let told = of_properties(&words, wanted.trim_end_matches('='));
    if found.is_empty() && told.is_empty() {
        let help = match vocabulary::meant(wanted) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "`treemind words` lists all words".to_owned(),
        };
        return Err(Failure::failed(format!("unknown word `{wanted}`; {help}")));
    }
    print_shown(|out| {
        for (nth, word) in found.iter().enumerate() {
            if nth > 0 {
                writeln!(out)?;
            }
            explain(word, out)?;
        }
        match found.is_empty() {
            true => out.write_all(told.as_bytes()),
            false => Ok(()),
        }
    })
}

/// All words, circle by circle and place by place.
fn list(words: &[Word], out: &mut dyn Write) -> io::Result<()> {
    for circle in Circle::ALL {
        if circle != Circle::ALL[0] {
            writeln!(out)?;
        }
        writeln!(out, "{}", heading(circle))?;
        let mut place = "";
        for word in words.iter().filter(|word| word.circle() == circle) {
            if word.place() != place {
                place = word.place();
                writeln!(out, "\n  {place}")?;
            }
            writeln!(out, "    {:<26}  {}", word.name(), word.purpose())?;
        }
    }
    writeln!(out, "\nPROPERTIES OF EVERY NODE OF A TREE\n")?;
    for property in vocabulary::properties_of_nodes() {
        let name = format!("{}=", property.name());
        writeln!(out, "    {name:<26}  {}", property.purpose())?;
    }
    Ok(())
}

fn heading(circle: Circle) -> &'static str {
    match circle {
        Circle::FirstDay => "FIRST DAY: what a first character needs",
        Circle::FirstWeek => "FIRST WEEK: what most characters need",
        Circle::Seldom => "SELDOM: what few characters need",
    }
}
