//! A manifest as a document.

use super::{ChildCount, LeafEntry, Manifest, ParamEntry, ParamType, ParamValue};
use crate::syntax::write::{plain, quoted, word};
use std::fmt::Write as _;

impl Manifest {
    /// The manifest as a separate document with a `leaves` block, for other documents to import. The same manifest
    /// always gives the same text.
    ///
    /// Names and values that are not valid in a document are written too; parsing the text reports what is wrong
    /// with them.
    pub fn to_kdl(&self) -> String {
        let mut out = String::from("leaves {\n");
        for leaf in &self.leaves {
            write_leaf(leaf, &mut out);
        }
        out.push_str("}\n");
        out
    }
}

fn write_leaf(leaf: &LeafEntry, out: &mut String) {
    out.push_str("    ");
    out.push_str(leaf.kind.keyword());
    out.push(' ');
    word(&leaf.name, out);
    if let Some(number) = leaf.number {
        // Writing to a string cannot fail.
        let _ = write!(out, " number={number}");
    }
    if let Some(ChildCount { least, most }) = leaf.children {
        let _ = write!(out, " min={least}");
        if let Some(most) = most {
            let _ = write!(out, " max={most}");
        }
    }
    if let Some(ty) = &leaf.ty {
        let _ = write!(out, " type={}", ty.keyword());
    }
    for (name, flag) in [("instant", leaf.instant), ("reports", leaf.reports)] {
        if flag {
            let _ = write!(out, " {name}=#true");
        }
    }
    write_doc(leaf.doc.as_deref(), out);
    if !leaf.params.is_empty() {
        out.push_str(" {\n");
        for param in &leaf.params {
            write_param(param, out);
        }
        out.push_str("    }");
    }
    out.push('\n');
}

fn write_param(param: &ParamEntry, out: &mut String) {
    out.push_str("        param ");
    word(&param.name, out);
    out.push_str(" type=");
    out.push_str(param.ty.keyword());
    if let Some(default) = &param.default {
        out.push_str(" default=");
        write_value(default, out);
    }
    if param.by_key {
        out.push_str(" by-key=#true");
    }
    write_doc(param.doc.as_deref(), out);
    if let ParamType::Enum(values) = &param.ty {
        out.push_str(" { value");
        for value in values {
            out.push(' ');
            word(value, out);
        }
        out.push_str("; }");
    }
    out.push('\n');
}

fn write_doc(doc: Option<&str>, out: &mut String) {
    if let Some(doc) = doc {
        out.push_str(" doc=");
        quoted(doc, out);
    }
}

pub(crate) fn write_value(value: &ParamValue, out: &mut String) {
    match value {
        ParamValue::Text(text) => quoted(text, out),
        ParamValue::Name(name) => word(name, out),
        value => plain(value.value(), out),
    }
}
