//! Texts in one style, and in other formats.

use crate::diagnostics;
use crate::document::Document;
use pyo3::prelude::*;
use treemind_doc::Format;

/// A document in one style.
#[pyfunction]
#[pyo3(signature = (text, name = "document.kdl"))]
pub(crate) fn fmt(py: Python<'_>, text: &str, name: &str) -> PyResult<String> {
    treemind_doc::format(text, name).map_err(|problems| diagnostics::error(py, &problems))
}

/// A document in another format; the second part says, one sentence each, what the other format cannot hold.
#[pyfunction]
pub(crate) fn convert(
    py: Python<'_>,
    document: &Document,
    to: &str,
) -> PyResult<(String, Vec<String>)> {
    let to = match to {
        "kdl" => Format::Kdl,
        "json" => Format::Json,
        "btcpp" => Format::BtCpp,
        other => {
            let text = format!(
                "a document cannot be written as `{other}`: the formats are `kdl`, `json` and `btcpp`"
            );
            return Err(diagnostics::misuse(py, text));
        }
    };
    let from = document.inner.format();
    let texts = document.inner.texts();
    let Some(((name, text), others)) = texts.split_first() else {
        return Err(diagnostics::misuse(py, "the document has no text"));
    };
    let load = |path: &str| {
        let found = others.iter().find(|(name, _)| name == path);
        let found = found.map(|(_, text)| text.clone().into_bytes());
        found.ok_or_else(|| "it was not read with the document".to_owned())
    };
    let manifest = || match from {
        Format::Table => others.first(),
        _ => others
            .last()
            .filter(|(_, text)| text.contains("<TreeNodesModel")),
    };
    let manifest = manifest().map(|(name, _)| name.as_str());
    let converted = match (from, to) {
        (Format::Table, Format::Kdl | Format::Json) => {
            treemind_doc::convert_table(text, name, to, manifest, load)
        }
        (Format::BtCpp, Format::Kdl | Format::Json) => {
            treemind_doc::convert_btcpp(text, name, to, manifest, load)
        }
        (_, Format::BtCpp) => treemind_doc::write_btcpp(text, name, from, manifest, load),
        _ => treemind_doc::convert(text, name, from, to),
    };
    let converted = converted.map_err(|problems| diagnostics::error(py, &problems))?;
    let lost = converted.lost();
    let lost = lost.iter().map(|lost| lost.to_string()).collect();
    Ok((converted.text, lost))
}
