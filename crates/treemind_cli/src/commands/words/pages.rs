//! The pages of words.

use include_dir::File;
use std::io::{self, Write};
use treemind_doc::vocabulary::{self, Property, Word};
use treemind_pages::NODES;

/// The page of a word at a place, or what the table of the language knows of it; of a word that does not stand there, at all
/// places. `None` for a word that the language does not have.
pub(crate) fn page(word: &str, place: &str) -> Option<String> {
    let words = vocabulary::words();
    let mut found: Vec<&Word> = words.iter().filter(|one| one.name() == word).collect();
    if found.iter().any(|one| one.place() == place) {
        found.retain(|one| one.place() == place);
    }
    let mut out = Vec::new();
    for (nth, word) in found.into_iter().enumerate() {
        if nth > 0 {
            out.push(b'\n');
        }
        explain(word, &mut out).ok()?;
    }
    String::from_utf8(out).ok().filter(|text| !text.is_empty())
}

/// The page of a node; for any other word, what the table of the language knows of it.
pub(super) fn explain(word: &Word, out: &mut dyn Write) -> io::Result<()> {
    let page = NODES.get_file(format!("{}.md", word.name()));
    if word.is_node()
        && let Some(page) = page.and_then(File::contents_utf8)
    {
        return out.write_all(page.replace("\r\n", "\n").as_bytes());
    }
    let (name, place, circle) = (word.name(), word.place(), word.circle().title());
    writeln!(out, "`{name}` {place} ({circle}): {}", word.purpose())?;
    if let Some(usual) = word.usual() {
        writeln!(out, "{usual}")?;
    }
    if let Some(about) = word.value_purpose() {
        writeln!(out, "  {about}")?;
    }
    for property in word.properties() {
        let name = format!("{}=", property.name());
        writeln!(out, "  {name:<16}  {}", about(&property))?;
    }
    Ok(())
}

fn about(property: &Property) -> String {
    let mut text = property.purpose().to_owned();
    if let Some(default) = property.default() {
        text.push_str(&format!(" (default: {default})"));
    }
    if let Some(usual) = property.usual() {
        text.push_str(&format!(" ({}: {usual})", property.circle().title()));
    }
    text
}

/// What the properties with a name are for, and which words have them; nothing if there is none.
pub(super) fn of_properties(words: &[Word], name: &str) -> String {
    let own = words.iter().flat_map(|word| {
        let all = word.properties().into_iter();
        all.map(|property| (format!("`{}`", word.name()), property))
    });
    let of_nodes = vocabulary::properties_of_nodes().into_iter();
    let of_nodes = of_nodes.map(|property| ("every node of a tree".to_owned(), property));
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for (of, property) in of_nodes.chain(own).filter(|(_, one)| one.name() == name) {
        let about = about(&property);
        match told.iter_mut().find(|(known, _)| *known == about) {
            Some((_, all)) if all.contains(&of) => {}
            Some((_, all)) => all.push(of),
            None => told.push((about, vec![of])),
        }
    }
    let lines = told.into_iter();
    let lines = lines.map(|(about, of)| format!("`{name}=` of {}: {about}\n", of.join(", ")));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(word: &Word) -> String {
        let mut out = Vec::new();
        explain(word, &mut out).expect("a page");
        String::from_utf8(out).expect("a text")
    }

    /// Nothing that the table of the language has is left out.
    #[test]
    fn every_value_and_property_is_told() {
        let words = vocabulary::words();
        for word in &words {
            let told = explained(word);
            for property in word.properties() {
                let name = property.name();
                let has_it = [format!("{name}="), format!("`{name}`")];
                assert!(
                    has_it.iter().any(|one| told.contains(one)),
                    "{word:?}: {name}"
                );
                let all = of_properties(&words, name);
                assert!(all.contains(property.purpose()), "{name}: {all}");
                assert!(all.contains(&format!("`{}`", word.name())), "{name}: {all}");
            }
            if let (Some(about), false) = (word.value_purpose(), word.is_node()) {
                assert!(
                    !about.is_empty() && told.contains(about),
                    "{word:?}: {about}"
                );
            }
        }
        for property in vocabulary::properties_of_nodes() {
            let all = of_properties(&words, property.name());
            let begin = format!("`{}=` of every node of a tree", property.name());
            assert!(all.contains(&begin), "{all}");
            assert!(all.contains(property.purpose()), "{all}");
        }
        assert_eq!(of_properties(&words, "no-such"), "");
    }

    #[test]
    fn the_page_is_that_of_the_place() {
        let of = |word, place| page(word, place).expect("a page");
        for word in ["random", "given"] {
            let in_test = of(word, "in a `test`");
            assert!(
                in_test.starts_with(&format!("`{word}` in a `test` (")),
                "{in_test}"
            );
            let senses = in_test.lines().filter(|line| line.starts_with('`'));
            assert_eq!(senses.count(), 1, "{in_test}");
        }
        assert!(of("wait", "in a tree").starts_with('#'));
        // At a place that is not known, all that it means is said.
        assert!(of("given", "").contains("\n\n`given` "));
        assert_eq!(page("no-such-word", "in a tree"), None);
    }
}
