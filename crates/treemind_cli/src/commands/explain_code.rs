//! `treemind explain-code`: the page of a diagnostic's code.

use crate::io::{Failure, print_result};
use include_dir::{Dir, File, include_dir};
use treemind_doc::Code;

/// Say what the code of a problem means, with an example and how it is mended.
///
/// Without a code all of them are listed. The pages are those of docs/codes.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The code, such as T0102.
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

const AFTER: &str = "\
Examples:
  treemind explain-code T0102
  treemind explain-code                      list all codes";

/// The pages of all codes.
static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs/codes");

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let Some(wanted) = &args.code else {
        return print_result(|out| {
            for code in Code::ALL {
                writeln!(out, "{code}  {}", code.title())?;
            }
            Ok(())
        });
    };
    let wanted = wanted.to_ascii_uppercase();
    let page = PAGES.get_file(format!("{wanted}.md"));
    let Some(page) = page.and_then(File::contents_utf8) else {
        return Err(Failure::Failed(format!(
            "there is no code `{wanted}`; `treemind explain-code` lists all"
        )));
    };
    print_result(|out| out.write_all(page.replace("\r\n", "\n").as_bytes()))
}
