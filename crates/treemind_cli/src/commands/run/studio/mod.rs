//! `treemind studio`: shows minds in the browser.

mod advice;
mod again;
mod commit;
mod crowd;
mod desk;
mod disk;
mod files;
mod filming;
mod folders;
mod game;
mod library;
mod making;
mod mapped;
mod mapping;
mod new_document;
mod new_file;
mod recorded;
mod renamed;
mod replaced;
mod testing;
mod theatre;
mod world;

use super::reloading::Reloading;
use crate::io::{self, Failure};
use game::Game;
pub(super) use game::Playing;
use library::Library;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use theatre::Theatre;
use treemind_doc::Document;
use treemind_studio::{Access, Server, Session};
use treemind_view::Ending;

/// Watch minds in the browser: what they do, why, and what they did before.
///
/// Starts a server that only this machine can reach, and prints its address. Open that in a browser: the page plays
/// documents in the arena, and shows each as a graph and a list, with what runs now, the values of its keys, the
/// reasons, and a timeline that leads back to every tick. Without a FILE, it opens the examples.
///
/// A FILE is a document, a recording (.mcap), or a folder of these. Folders below are searched, too, except those that are
/// hidden or called `target` or `node_modules`; links are not followed there. The page can open the files that are named
/// here, and folders below theirs. A recording is followed while it is written. When the open document changes on disk, the
/// game continues with the new text; if that has mistakes, the page says which, and the game continues as it was.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// Documents, recordings, or folders of them. Default: the examples.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    listen: Listen,
    /// Let pages open this folder, too, with the folders in it. Without this, they can open those of the FILEs, and the folders
    /// in them. Can be repeated.
    #[arg(long, value_name = "FOLDER")]
    allow_folder: Vec<PathBuf>,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

/// Where the server listens.
#[derive(Debug, clap::Args)]
pub(super) struct Listen {
    /// The port. Default: any free port.
    #[arg(long, value_name = "PORT", default_value_t = 0, value_parser = crate::numbers::port)]
    port: u16,
    /// Listen on another address of this machine, such as 0.0.0.0 for all of them, so that other machines can open the
    /// page. The connection is not encrypted, so do this only in networks that you trust. Implies --token.
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "127.0.0.1",
        hide_default_value = true
    )]
    bind: IpAddr,
    /// Answer only those who have the token of the printed address. For machines that several people use. Without this,
    /// only editing asks for the token.
    #[arg(long)]
    token: bool,
    /// Let pages edit documents although other machines can reach the server, with --bind.
    #[arg(long)]
    allow_edits: bool,
}

impl Listen {
    /// Whether nothing was said.
    pub(super) fn is_default(&self) -> bool {
        self.port == 0 && self.bind == Ipv4Addr::LOCALHOST && !self.token && !self.allow_edits
    }
}

const AFTER: &str = "\
Examples:
  treemind studio
  treemind studio guard.kdl --open
  treemind studio guard.mcap
  treemind studio examples/04-cleaning-robot --port 7700

An address such as http://127.0.0.1:7700/#file=guard.kdl&agent=1&tick=190 opens
the page at that tick.

Of each file, the studio keeps at most 64 MB of copies to go back to, and 32 MB
of what the timeline shows. After hours of play, the timeline forgets its
oldest ticks first.

Whoever opens the printed address, with its token, may edit documents in KDL.
Each edit is written into the file at once, and the game continues with it.

A game of your own is shown there by the crate `treemind_studio`.
Ctrl+C ends it.";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let library = Library::of(&args.files, &args.allow_folder)?;
    let server = server(&args.listen, true)?;
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
    let reloading = Reloading::of(args.followed(), file, document)?;
    let theatre = Theatre::running(file.to_owned(), game, reloading);
    let mut session = Session::new(theatre).at_speed(args.speed);
    if let Some(tick) = args.at {
        session.jump(tick);
    }
    let server = server(&args.listen, args.watch)?;
    let url = server.url();
    announce(&match agent {
        0 => url,
        agent => {
            let sign = if url.contains('#') { '&' } else { '#' };
            format!("{url}{sign}agent={}", agent + 1)
        }
    })?;
    serve(&server, session)
}

/// Opens the server. Documents can be edited only where the game follows them.
fn server(at: &Listen, is_followed: bool) -> Result<Server, Failure> {
    let address = SocketAddr::from((at.bind, at.port));
    let access = Access {
        asks_token: at.token,
        edits: is_followed && (at.bind.is_loopback() || at.allow_edits),
    };
    let server = Server::open_at(address, access).map_err(|error| {
        let reason = io::reason(&error);
        Failure::failed(match at.bind.is_loopback() {
            true => format!("the studio cannot use port {}: {reason}", at.port),
            false => format!("the studio cannot listen on {address}: {reason}"),
        })
    })?;
    if at.bind.is_unspecified() {
        io::tell(format!(
            "other machines open this address with the name or address of this machine instead of {}",
            at.bind
        ));
    }
    Ok(server)
}

fn announce(url: &str) -> Result<(), Failure> {
    io::print_exact(|out| writeln!(out, "{url}"))?;
    io::tell("the studio is open; Ctrl+C ends it".to_owned());
    Ok(())
}

/// Answers pages and plays, until a signal ends it.
fn serve(server: &Server, mut session: Session<Theatre>) -> Result<(), Failure> {
    let unwatched = |error: std::io::Error| Failure::failed(io::reason(&error));
    let ending = Ending::watch().map_err(unwatched)?;
    treemind_studio::serve(server, &mut session, || ending.is_near());
    tell_unsaved(&session.unsaved(), server.port());
    ending.come().map_err(unwatched)
}

/// Edits that are not saved are in the pages that show them, and nowhere else.
fn tell_unsaved(files: &[(String, bool)], port: u16) {
    for is_kept in [true, false] {
        let names = files.iter().filter(|(_, kept)| *kept == is_kept);
        let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        let names = names.join(", ");
        match is_kept {
            _ if names.is_empty() => {}
            true => io::tell(format!(
                "not saved: the edits of {names}. The page keeps them, and offers them when the studio is started again on the same files with `--port {port}`"
            )),
            false => io::tell(format!(
                "not saved, and lost, because no page is open that keeps them: the edits of {names}"
            )),
        }
    }
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
