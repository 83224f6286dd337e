//! Colours and glyphs. Nothing is shown by colour alone.

use ratatui::style::{Color, Modifier, Style};
use treemind_core::Status;
use treemind_replay::follow::{Mark, Tone};

/// Colours, or only bold and faint text.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Whether there are colours; without them, text is bold, faint or reversed.
    pub has_colours: bool,
}

impl Theme {
    /// As in the environment: without colours if the user wants none (`NO_COLOR`).
    pub fn of_environment() -> Self {
        let has_colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { has_colours }
    }

    /// Text of a colour; without colours, it has the other modifier.
    pub fn colour(self, colour: Color, otherwise: Modifier) -> Style {
        if self.has_colours {
            Style::default().fg(colour)
        } else {
            Style::default().add_modifier(otherwise)
        }
    }

    /// Text on a ground of a colour; without colours, it is reversed.
    pub fn block(self, colour: Color) -> Style {
        if self.has_colours {
            Style::default()
                .fg(Color::Black)
                .bg(colour)
                .add_modifier(Modifier::BOLD)
        } else {
            Style::default().add_modifier(Modifier::REVERSED | Modifier::BOLD)
        }
    }

    /// One of the colours of a scale.
    pub fn shade(self, colour: Color) -> Style {
        self.colour(colour, Modifier::empty())
    }

    /// Text that matters.
    pub fn strong(self) -> Style {
        Style::default().add_modifier(Modifier::BOLD)
    }

    /// Text that matters less.
    pub fn faint(self) -> Style {
        self.colour(Color::Indexed(244), Modifier::DIM)
    }

    /// The user, in the game.
    pub fn hero(self) -> Style {
        self.block(Color::LightGreen)
    }

    /// The title of the view.
    pub fn title(self) -> Style {
        self.block(Color::Cyan)
    }

    /// What must not be overlooked.
    pub fn alert(self) -> Style {
        self.block(Color::Yellow)
    }

    /// An answer.
    pub fn status(self, status: Status) -> Style {
        match status {
            Status::Running => self.colour(Color::Yellow, Modifier::BOLD),
            Status::Success => self.colour(Color::Green, Modifier::empty()),
            Status::Failure => self.colour(Color::Red, Modifier::empty()),
            Status::Skipped => self.colour(Color::Cyan, Modifier::DIM),
        }
    }

    /// The sign of a mark, and its style.
    pub fn mark(self, mark: Mark) -> (&'static str, Style) {
        match mark {
            Mark::Now(status) => (glyph(status), self.status(status)),
            Mark::Earlier(status) => (earlier_glyph(status), self.faint()),
            Mark::Open => (glyph(Status::Running), self.status(Status::Running)),
            Mark::Aborted => ("⊘", self.colour(Color::Magenta, Modifier::BOLD)),
            Mark::EarlierAborted => ("⊘", self.faint()),
            Mark::Entered => (
                glyph(Status::Running),
                self.status(Status::Running)
                    .add_modifier(Modifier::REVERSED),
            ),
            Mark::Left => ("◂", self.colour(Color::Magenta, Modifier::BOLD)),
            Mark::EarlierLeft => ("◂", self.faint()),
            Mark::Idle => ("·", self.faint()),
        }
    }

    /// A line of the log.
    pub fn tone(self, tone: Tone) -> Style {
        match tone {
            Tone::Calm => Style::default(),
            Tone::Notice => self.colour(Color::Yellow, Modifier::BOLD),
            Tone::Fight => self.colour(Color::LightRed, Modifier::BOLD),
            Tone::Fault => self.alert(),
        }
    }

    /// The way to somewhere.
    pub fn way(self) -> Style {
        self.colour(Color::Cyan, Modifier::empty())
    }

    /// The selected line.
    pub fn selected(self) -> Style {
        Style::default().add_modifier(Modifier::REVERSED)
    }

    /// The agent that is shown.
    pub fn chosen(self) -> Style {
        self.block(Color::Cyan)
    }
}

/// Like [`glyph`], for an answer of an earlier tick.
fn earlier_glyph(status: Status) -> &'static str {
    match status {
        Status::Running => "▷",
        Status::Success => "✓",
        Status::Failure => "✗",
        Status::Skipped => "↷",
    }
}

fn glyph(status: Status) -> &'static str {
    match status {
        Status::Running => "▶",
        Status::Success => "✔",
        Status::Failure => "✘",
        Status::Skipped => "↷",
    }
}
