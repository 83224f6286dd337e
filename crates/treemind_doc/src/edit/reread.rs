//! Takes another text of a file, as somebody types it: definitions before and behind the change are not read again.

use super::{Editor, File};
use crate::diagnostic::Sink;
use crate::source::Source;
use crate::syntax::{Node, is_too_large, parse, shift};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// What reaches beyond its line, or takes what follows with it.
const REACHING: [&str; 6] = ["\\", "/-", "/*", "*/", "\"\"\"", "#\""];

impl Editor {
    /// Takes another text of a file, which is read anew: quicker than a change, but nothing can be undone, and all nodes
    /// of the file get new ids. Nothing happens when there is no such file.
    pub fn reread(&mut self, file: usize, text: &str) {
        let Some(old) = self.files.get_mut(file) else {
            return;
        };
        let name = old.source.name().to_owned();
        let source = Arc::new(Source::new(name, text));
        *old = match old.reread(&source) {
            Some(new) => new,
            None => File::new(source),
        };
        self.number(file);
        self.document = OnceLock::new();
        self.names = OnceLock::new();
        self.loose_names = OnceLock::new();
    }
}

impl File {
    /// Reads only the definitions in which a text differs from that of this file, whose nodes are taken over. `None` if
    /// that says nothing about the others.
    fn reread(&mut self, source: &Arc<Source>) -> Option<File> {
        let mut sink = Sink::new(Arc::clone(source));
        if !self.whole || is_too_large(source.text(), &mut sink) {
            return None;
        }
        let (old, new) = (self.text(), source.text());
        let changed = differing(old, new);
        // A definition that begins before the change still begins there.
        let kept = self
            .nodes
            .partition_point(|node| node.span.start < changed.start);
        let kept = kept.saturating_sub(1);
        let start = match self.nodes.get(kept) {
            Some(node) if node.span.start < changed.start => node.span.start,
            _ => 0,
        };
        let same = self
            .nodes
            .partition_point(|node| node.span.start <= changed.end);
        let begins_line = |node: &Node| old[..node.span.start].ends_with('\n');
        let behind = self.nodes[same..].iter().position(begins_line);
        let behind = behind.map_or(self.nodes.len(), |at| same + at);
        let old_end = self
            .nodes
            .get(behind)
            .map_or(old.len(), |node| node.span.start);
        let end = new.len() - (old.len() - old_end);
        let part = &new[start..end];
        let is_last = behind == self.nodes.len();
        if !is_last && REACHING.iter().any(|one| part.contains(one)) {
            return None;
        }
        let parsed = parse(part, &mut sink);
        if !parsed.whole {
            return None;
        }
        let mut last = self.nodes.split_off(behind);
        shift(&mut last, old_end, end);
        let mut middle = parsed.nodes;
        shift(&mut middle, 0, start);
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.truncate(kept);
        nodes.extend(middle);
        nodes.extend(last);
        Some(File {
            source: Arc::clone(source),
            nodes,
            whole: true,
            ids: super::ids::Ids::default(),
        })
    }
}

/// The bytes of a text in which it differs from another one, between characters of both.
fn differing(old: &str, new: &str) -> Range<usize> {
    let (one, other) = (old.as_bytes(), new.as_bytes());
    let same = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other);
    let mut start = same.count();
    while !old.is_char_boundary(start) {
        start -= 1;
    }
    let most = old.len().min(new.len()) - start;
    let same = one.iter().rev().zip(other.iter().rev()).take(most);
    let mut end = old.len() - same.take_while(|(one, other)| one == other).count();
    while !old.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways to read a text give the same.
    fn compare(editor: &mut Editor, text: &str) {
        editor.reread(0, text);
        let fresh = File::new(Arc::clone(&editor.files[0].source));
        let own = &editor.files[0];
        assert_eq!((own.text(), own.whole), (text, fresh.whole), "{text}");
        assert!(
            own.nodes == fresh.nodes,
            "{text}\n{:?}\n{:?}",
            own.nodes,
            fresh.nodes
        );
    }

    #[test]
    fn texts_that_are_changed_anywhere_are_read_as_if_they_were_new() {
        let text = "// 守卫\nleaves { action go; }\r\n/- tree no {\n}\ntree one {\n    sequence { action go; }\n}\n\
                    tree two; tree three { wait 1 \\\n name=a\n}\n/* x */ tree four {\n    log \"\"\"\n    tree five\n    \
                    \"\"\"\n}\nmachine m { state a; }\n";
        let pieces = [
            "",
            "x",
            " ",
            "\n",
            "{",
            "}",
            "\"",
            "\\",
            "/-",
            "/*",
            "*/",
            "//",
            "守",
            "tree y { succeed; }\n",
            ";",
            "\r",
            "\"\"\"",
            "#\"",
            "/-\n",
            "\\\n",
            "\u{feff}",
            "\0",
        ];
        let mut editor = Editor::of_texts(&[("t.kdl", text)]);
        let places: Vec<usize> = (0..=text.len())
            .filter(|at| text.is_char_boundary(*at))
            .collect();
        for (nth, at) in places.iter().enumerate().step_by(3) {
            for (piece, taken) in pieces.iter().zip([0, 1, 9].into_iter().cycle()) {
                let end = places[(nth + taken).min(places.len() - 1)];
                let changed = format!("{}{piece}{}", &text[..*at], &text[end..]);
                compare(&mut editor, &changed);
                compare(&mut editor, text);
            }
        }
    }
}
