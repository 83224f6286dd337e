//! In which language sentences are printed.

use treemind_explain::Language;

/// The option of the commands that print sentences.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Spoken {
    /// The language of the sentences.
    #[arg(
        long = "language",
        value_enum,
        value_name = "LANGUAGE",
        default_value = "en"
    )]
    of: Of,
}

/// A language, as the command line has it.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Of {
    /// English.
    En,
    /// Chinese.
    Zh,
}

impl Spoken {
    pub(crate) fn language(self) -> Language {
        match self.of {
            Of::En => Language::English,
            Of::Zh => Language::Chinese,
        }
    }
}
