//! The formats of documents.

/// The format of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// The native one, in KDL.
    #[default]
    Kdl,
    /// The same nodes in JSON.
    Json,
    /// The XML of BehaviorTree.CPP, format 4.
    BtCpp,
    /// State machines in SCXML.
    Scxml,
    /// A tree as a flat table, in comma-separated values or as rows in JSON.
    Table,
}

impl Format {
    /// Whether it is one of Treemind's own formats, which can express everything: KDL or JSON.
    pub fn is_native(self) -> bool {
        matches!(self, Format::Kdl | Format::Json)
    }

    /// The format by the ending of the name, `.kdl`, `.json`, `.xml`, `.scxml` or `.csv`. If the ending does not
    /// decide, as for standard input, the beginning of the text does: no document in KDL begins with `<`, `{` or
    /// `[`. A text that begins with `<scxml` is SCXML, even in a `.xml`; a text that begins with `[` is the rows of
    /// a table, even in a `.json`.
    pub fn of(name: &str, text: &str) -> Self {
        let ends_with = |ending: &str| {
            let at = name.len().checked_sub(ending.len());
            at.and_then(|at| name.get(at..))
                .is_some_and(|end| end.eq_ignore_ascii_case(ending))
        };
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let is_xml = !ends_with(".kdl") && text.starts_with('<');
        if ends_with(".scxml") || is_xml && first_element(text) == "scxml" {
            Format::Scxml
        } else if ends_with(".xml") || is_xml {
            Format::BtCpp
        } else if ends_with(".csv") || !ends_with(".kdl") && text.starts_with('[') {
            Format::Table
        } else if ends_with(".json") || !ends_with(".kdl") && text.starts_with('{') {
            Format::Json
        } else {
            Format::Kdl
        }
    }
}

/// The name of the first element, without a prefix; empty if there is none.
fn first_element(text: &str) -> &str {
    let mut rest = text;
    loop {
        let Some(begin) = rest.find('<') else {
            return "";
        };
        rest = &rest[begin..];
        let end = match rest.as_bytes().get(1) {
            Some(b'?') => "?>",
            Some(b'!') if rest.starts_with("<!--") => "-->",
            Some(b'!') => ">",
            _ => break,
        };
        match rest.find(end) {
            Some(length) => rest = &rest[length + end.len()..],
            None => return "",
        }
    }
    let name = &rest[1..];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let name = &name[..name.find(|c| !is_part(c)).unwrap_or(name.len())];
    name.rsplit(':').next().unwrap_or(name)
}
