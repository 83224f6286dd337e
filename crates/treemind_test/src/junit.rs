//! Results in the XML that build servers read, after JUnit's.

use crate::Report;
use quick_xml::Writer;
use quick_xml::events::BytesText;
use std::io;
use treemind_doc::{visible, visible_line};

/// The results of several documents, each with its name, as XML after JUnit's: a suite per document, a case per test.
///
/// Characters that XML cannot have, and others that cannot be seen, are [made visible](treemind_doc::visible).
///
/// # Errors
/// Never for a text; the writer's errors are passed on.
pub fn junit(reports: &[(String, Report)]) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let count = |of: fn(&Report) -> usize| reports.iter().map(|(_, one)| of(one)).sum::<usize>();
    writer
        .create_element("testsuites")
        .with_attribute(("tests", count(tests).to_string().as_str()))
        .with_attribute(("failures", count(failures).to_string().as_str()))
        .write_inner_content(|writer| {
            for (name, report) in reports {
                suite(writer, name, report)?;
            }
            Ok(())
        })?;
    let xml = String::from_utf8(writer.into_inner());
    let xml = xml.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{xml}\n"
    ))
}

fn tests(report: &Report) -> usize {
    report.outcomes.len()
}

fn failures(report: &Report) -> usize {
    let failed = report.outcomes.iter().filter(|one| !one.passed());
    failed.count()
}

fn suite(writer: &mut Writer<Vec<u8>>, name: &str, report: &Report) -> io::Result<()> {
    let name = visible_line(name);
    writer
        .create_element("testsuite")
        .with_attribute(("name", &*name))
        .with_attribute(("tests", tests(report).to_string().as_str()))
        .with_attribute(("failures", failures(report).to_string().as_str()))
        .write_inner_content(|writer| {
            for outcome in &report.outcomes {
                let time = format!("{:.6}", outcome.time.as_secs_f64());
                let line = outcome.line.to_string();
                let case = writer
                    .create_element("testcase")
                    .with_attribute(("name", &*visible_line(&outcome.name)))
                    .with_attribute(("classname", &*name))
                    .with_attribute(("file", &*visible_line(&outcome.file)))
                    .with_attribute(("line", line.as_str()))
                    .with_attribute(("time", time.as_str()));
                let Some(failure) = &outcome.failure else {
                    case.write_empty()?;
                    continue;
                };
                let message = format!("expected {}, got {}", failure.expected, failure.got);
                case.write_inner_content(|writer| {
                    writer
                        .create_element("failure")
                        .with_attribute(("message", &*visible_line(&message)))
                        .write_text_content(BytesText::new(&visible(&failure.to_string())))?;
                    Ok(())
                })?;
            }
            Ok(())
        })?;
    Ok(())
}
