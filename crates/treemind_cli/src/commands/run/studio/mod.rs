//! `treemind studio`: shows minds in the browser.

mod crowd;
mod game;
mod library;
mod theatre;
mod world;

use super::reloading::Reloading;
use crate::io::{self, Failure};
use game::Game;
pub(super) use game::Playing;
use library::Library;
use std::path::{Path, PathBuf};
use theatre::Theatre;
use treemind_doc::Document;
use treemind_session::Session;
use treemind_studio::Server;
use treemind_view::Ending;

/// Watch minds in the browser: what they do, why, and what they did before.
///
/// Starts a server that only this machine can reach, and prints its address. Open it in a browser: it plays documents in
/// the arena and shows each as a graph and a list, with what runs now, the values of its keys, the reasons, and a
/// timeline on which every tick can be reached again. Without a FILE it opens the examples.
///
/// A FILE is a document, a recording (.mcap), or a folder with such files. The page can open the files that are named here,
/// and no others. It changes none of them.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// Documents, recordings, or folders of them. Default: the examples.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The port. Default: any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

const AFTER: &str = "\
Examples:
  treemind studio
  treemind studio guard.kdl --open
  treemind studio guard.mcap
  treemind studio examples/04-cleaning-robot --port 7700

An address such as http://127.0.0.1:7700/#file=guard.kdl&agent=1&tick=190 opens
the page at that tick.

A game of your own is shown there by the crate `treemind_attach`.
What it does not do yet: it edits no documents.
Ctrl+C ends it.";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let library = Library::of(&args.files)?;
    let server = server(args.port)?;
    let url = server.url();
    announce(&url)?;
    if args.open {
        open(&url);
    }
    serve(&server, Session::new(Theatre::new(library)))
}

/// Plays a game of `treemind run` in the browser instead of the terminal, until a signal ends it.
pub(super) fn show(
    args: &super::Args,
    file: &Path,
    document: &Document,
    playing: Playing,
) -> Result<(), Failure> {
    let game = Game::running(document, playing);
    let agent = game.named(args.agent.as_deref())?;
    let library = Library::only(file.to_owned());
    let reloading = args.watch.then(|| Reloading::new(args, file, document));
    let theatre = Theatre::running(library, game, reloading);
    let mut session = Session::new(theatre).at_speed(args.speed);
    if let Some(tick) = args.at {
        session.jump(tick);
    }
    let server = server(args.port)?;
    let url = server.url();
    announce(&match agent {
        0 => url,
        agent => format!("{url}#agent={}", agent + 1),
    })?;
    serve(&server, session)
}

fn server(port: u16) -> Result<Server, Failure> {
    Server::open(port).map_err(|error| {
        let reason = io::reason(&error);
        Failure::Failed(format!("the studio cannot use port {port}: {reason}"))
    })
}

fn announce(url: &str) -> Result<(), Failure> {
    io::print_exact(|out| writeln!(out, "{url}"))?;
    io::tell("the studio is open; Ctrl+C ends it".to_owned());
    Ok(())
}

/// Answers pages and plays, until a signal ends it.
fn serve(server: &Server, mut session: Session<Theatre<'_>>) -> Result<(), Failure> {
    let unwatched = |error: std::io::Error| Failure::Failed(io::reason(&error));
    let ending = Ending::watch().map_err(unwatched)?;
    treemind_session::serve(server, &mut session, || ending.is_near());
    ending.come().map_err(unwatched)
}

/// Opens an address with the program that the system has for it.
fn open(url: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    if let Err(error) = std::process::Command::new(program).arg(url).spawn() {
        let reason = io::reason(&error);
        io::tell(format!("no browser could be opened ({program}: {reason})"));
    }
}
