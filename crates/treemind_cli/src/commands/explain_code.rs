//! `treemind explain-code`: the page of a diagnostic's code.

use crate::io::{Failure, print_shown};
use include_dir::File;
use treemind_doc::Code;
use treemind_pages::CODES;

/// Explain an error or warning by its code, with an example and its fix.
///
/// Without a code, lists all codes. The explanations are the pages of docs/codes.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The code, for instance T0102.
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

const AFTER: &str = "\
Examples:
  treemind explain-code T0102
  treemind explain-code";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let Some(wanted) = &args.code else {
        return print_shown(|out| {
            for code in Code::ALL {
                writeln!(out, "{code}  {}", code.title())?;
            }
            Ok(())
        });
    };
    let wanted = wanted.to_ascii_uppercase();
    let page = CODES.get_file(format!("{wanted}.md"));
    let Some(page) = page.and_then(File::contents_utf8) else {
        return Err(Failure::failed(format!(
            "unknown code `{wanted}`; `treemind explain-code` lists all codes"
        )));
    };
    print_shown(|out| out.write_all(page.replace("\r\n", "\n").as_bytes()))
}
