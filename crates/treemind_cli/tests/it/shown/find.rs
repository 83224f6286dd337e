//! Finds the commands that texts show.

/// A text and the commands in it.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) name: String,
    pub(super) commands: Vec<Command>,
    /// Commands in the running text with a placeholder, `treemind trace FILE --why`.
    pub(super) patterns: Vec<String>,
    /// Lines of other blocks that look like commands.
    pub(super) stray: Vec<String>,
    /// The last tick of the tables, in pages on examples, that say what happens when.
    pub(super) last_tick: u64,
}

/// A command as it is written.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) line: String,
    /// Its output, where the text shows it.
    pub(super) shows: Option<String>,
    /// Whether it is in the running text, where a command may be named without its arguments.
    pub(super) is_mention: bool,
}

impl Command {
    fn new(line: &str) -> Self {
        Self {
            line: line.to_owned(),
            shows: None,
            is_mention: false,
        }
    }
}

/// The programs that commands begin with.
const PROGRAMS: [&str; 2] = ["treemind ", "cargo "];

fn is_command(line: &str) -> bool {
    let line = line.trim_start_matches("$ ");
    let mut rest = PROGRAMS.iter().filter_map(|word| line.strip_prefix(word));
    // `treemind = "…"` is a line of a manifest.
    rest.any(|rest| !rest.starts_with('='))
}

/// The commands of a help text.
pub(super) fn in_help(arguments: &str, help: &str) -> Text {
    let mut text = Text {
        name: format!("treemind {arguments}"),
        ..Text::default()
    };
    let mut is_example = false;
    for line in help.lines() {
        if matches!(line, "Examples:" | "Example:" | "Begin with:") {
            is_example = true;
        } else if line.is_empty() {
            is_example = false;
        } else if is_example {
            let line = line.trim_start();
            let end = line.find("   ").unwrap_or(line.len());
            text.commands.push(Command::new(&line[..end]));
        }
    }
    let examples = help.find("\nExamples:").unwrap_or(help.len());
    in_prose(&help[..examples], &mut text);
    text
}

/// The commands of a page.
pub(super) fn in_page(name: &str, page: &str) -> Text {
    let mut text = Text {
        name: name.to_owned(),
        ..Text::default()
    };
    let mut prose = String::new();
    let mut block: Option<String> = None;
    for line in page.lines() {
        let inner = line.trim();
        match (&block, inner.strip_prefix("```")) {
            (None, Some(kind)) => block = Some(kind.to_owned()),
            (Some(_), Some(_)) => block = None,
            (Some(kind), None) => in_block(kind, inner, line, &mut text),
            (None, None) => {
                prose.push_str(line);
                prose.push('\n');
            }
        }
    }
    if !name.starts_with("docs/") {
        text.last_tick = last_tick(&prose);
    }
    in_prose(&prose, &mut text);
    text
}

fn in_block(kind: &str, inner: &str, line: &str, text: &mut Text) {
    match kind {
        "sh" if inner.is_empty() || inner.starts_with('#') => {}
        "sh" => {
            let command = inner.split("  #").next().unwrap_or(inner);
            text.commands.push(Command::new(command.trim_end()));
        }
        "console" => match (inner.strip_prefix("$ "), text.commands.last_mut()) {
            (Some(command), _) => text.commands.push(Command {
                shows: Some(String::new()),
                ..Command::new(command)
            }),
            (None, Some(last)) => {
                let shown = last.shows.get_or_insert_default();
                shown.push_str(line);
                shown.push('\n');
            }
            (None, None) => text.stray.push(line.to_owned()),
        },
        _ if is_command(inner) => text.stray.push(line.to_owned()),
        _ => {}
    }
}

/// The last tick of tables whose first column holds ticks.
fn last_tick(prose: &str) -> u64 {
    let mut is_of_ticks = false;
    let mut last = 0;
    for line in prose.lines() {
        is_of_ticks = line.starts_with("| tick |") || is_of_ticks && line.starts_with('|');
        let cell = line.trim_start_matches('|').split('|').next();
        let digits = cell
            .unwrap_or_default()
            .split(|c: char| !c.is_ascii_digit());
        let ticks = digits.filter_map(|digits| digits.parse().ok());
        if is_of_ticks {
            last = ticks.fold(last, u64::max);
        }
    }
    last
}

/// Commands in the running text, between backticks.
fn in_prose(prose: &str, text: &mut Text) {
    for paragraph in prose.split("\n\n") {
        let paragraph = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        for code in paragraph.split('`').skip(1).step_by(2) {
            // `cargo run --release --` alone only says how to call the program.
            if !is_command(code) || code.ends_with(" --") {
                continue;
            }
            let is_placeholder = |word: &str| {
                word.contains('…')
                    || word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '.')
            };
            let mut words = code
                .split_whitespace()
                .map(|word| word.trim_end_matches(".scxml"));
            if words.any(is_placeholder) {
                text.patterns.push(code.to_owned());
            } else {
                text.commands.push(Command {
                    is_mention: true,
                    ..Command::new(code)
                });
            }
        }
    }
}
