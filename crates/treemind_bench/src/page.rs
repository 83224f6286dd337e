//! docs/performance.md with its plots, and the figures in README.md.

use crate::ablation;
use crate::case::Case;
use crate::crowd;
use crate::load;
use crate::minds;
use crate::planners;
use crate::plot::{Line, Plot, number};
use crate::post;
use crate::runner::By;
use crate::spawn;
use crate::table::{self, AGENTS, BRANCHES, Curve, Row, SHARES, TASKS, figures};
use clap::ValueEnum as _;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// The text around the figures.
const PAGE: &str = include_str!("page.md");

const HEAD: &str = "| case | agents | facts | by | ns | least | × by hand | bytes per agent |\n|---|---:|---|---|---:|---:|---:|---:|\n";

/// The numbers of nodes of the documents that are read.
const LOADED: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

/// The numbers of agents that are added.
const SPAWNED: [usize; 3] = [1_000, 100_000, 1_000_000];

/// The numbers of agents that talk.
const TALKING: [usize; 2] = [1_000, 100_000];

/// The numbers of agents of which few have to think.
const IDLING: [usize; 2] = [10_000, 1_000_000];

/// Measures everything and writes it into the repository.
pub(crate) fn write(root: &Path, commit: &str) -> io::Result<()> {
    let tell = &|what: &str| eprintln!("treemind_bench: {what}");
    let found = table::table(tell);
    tell("curves");
    let agents = table::over_agents();
    let nodes = table::over_nodes();
    let changes = table::over_shares();
    tell("documents");
    let loaded: Vec<load::Loaded> = LOADED.into_iter().map(load::measure).collect();
    tell("new agents");
    let spawned: Vec<spawn::Spawned> = SPAWNED.into_iter().map(spawn::measure).collect();
    tell("events");
    let talks = post::TALKS.map(|talk| {
        let steps = TALKING.map(|agents| post::measure(talk, agents) / agents as f64);
        (talk.words().to_owned(), steps)
    });
    tell("crowds");
    let crowds = crowd::CROWDS.map(|idling| {
        let ticks = IDLING.map(|agents| crowd::measure(idling, agents, None) / agents as f64);
        (idling.words(), ticks)
    });
    tell("planners");
    let planners = planners::rows(&planners::measure(tell));
    let minds = planners::rows(&minds::measure(tell));
    tell("shortcuts");
    let ablation = ablation::table(tell);
    let rows = table::rows(&found);
    let places = AGENTS.map(|agents| agents as f64);
    let sizes = BRANCHES.map(|branches| nodes_of(branches) as f64);
    let page = [
        ("machine", machine(commit)),
        ("allocations", allocations(&found).to_string()),
        ("cases", cases()),
        ("table", HEAD.to_owned() + &rows.join("\n")),
        ("agents", beside("agents", &places, &agents)),
        ("nodes", beside("nodes", &sizes, &nodes)),
        ("changes", beside("share", &SHARES, &changes)),
        ("load", loads(&loaded)),
        ("spawn", spawns(&spawned)),
        ("post", by_agents(TALKING, &talks)),
        ("crowd", by_agents(IDLING, &crowds)),
        ("planners", planners),
        ("minds", minds),
        ("ablation", ablation),
    ];
    let page = page
        .into_iter()
        .fold(PAGE.to_owned(), |page, (name, text)| {
            page.replace(&format!("{{{{{name}}}}}"), &text)
        });
    fs::write(root.join("docs/performance.md"), page)?;
    let folder = root.join("docs/performance");
    fs::create_dir_all(&folder)?;
    let plot = |file, title, x, places: &[f64], curves| {
        let lines = lines(places, curves);
        let y = "nanoseconds per agent and tick";
        let plot = Plot {
            title,
            x,
            y,
            lines: &lines,
        };
        fs::write(folder.join(file), plot.svg())
    };
    plot("agents.svg", "Number of agents", "agents", &places, &agents)?;
    plot(
        "nodes.svg",
        "Number of nodes",
        "nodes of the tree",
        &sizes,
        &nodes,
    )?;
    plot(
        "changes.svg",
        "Share of changes",
        "share of agents whose facts change",
        &SHARES,
        &changes,
    )?;
    let readme = root.join("README.md");
    let text = fs::read_to_string(&readme)?;
    fs::write(readme, with_rows(&text, &rows))?;
    Ok(())
}

/// The number of nodes of a selector with `branches` branches.
fn nodes_of(branches: usize) -> usize {
    1 + 3 * branches
}

/// A page in which each row of figures is replaced by the new row of the same task.
fn with_rows(page: &str, rows: &[String]) -> String {
    let task = |row: &str| {
        row.split('|')
            .take(5)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut out = String::new();
    for line in page.lines() {
        let new = rows.iter().find(|row| task(row) == task(line));
        out.push_str(new.map_or(line, |row| row));
        out.push('\n');
    }
    out
}

fn machine(commit: &str) -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = |key: &str| {
        let line = cpu.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split(": ").nth(1))
            .unwrap_or("unknown")
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "Measured on {threads} virtual processors of {} at commit `{commit}`, built with the profile `dist`, {}. The machine is shared: most figures move by a tenth from run to run.",
        named("model name"),
        rustc(),
    )
}

/// The version of the current compiler, which built this program.
fn rustc() -> String {
    let output = std::process::Command::new("rustc")
        .arg("--version")
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let words = text.unwrap_or_default();
    let words: Vec<&str> = words.split_whitespace().take(2).collect();
    words.join(" ")
}

fn allocations(found: &[Row]) -> u64 {
    let ours = found.iter().filter(|found| found.setting.by.is_ours());
    // With several threads, the allocations are those of the game that starts the threads.
    let ours = ours.filter(|found| found.setting.threads == 1);
    // What writes to a file may allocate.
    let ours = ours.filter(|found| !found.setting.by.is_recorded());
    ours.map(|found| found.measured.allocations).sum()
}

/// The table of cases.
fn cases() -> String {
    let mut text = "| case | |\n|---|---|\n".to_owned();
    for case in Case::value_variants() {
        if TASKS.iter().any(|task| task.0 == *case) {
            let (name, words) = (case.name(), case.words());
            let nodes = case.behaviour().nodes().len();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| `{name}` | {words} ({nodes} nodes) |");
        }
    }
    let packages = By::value_variants().iter().filter_map(|by| by.package());
    let packages: Vec<String> = packages
        .map(|(package, version)| format!("{package} {version}"))
        .collect();
    let _ = write!(text, "\nThe crates beside ours: {}.", packages.join(", "));
    text
}

/// Curves as a table.
fn beside(what: &str, places: &[f64], curves: &[Curve]) -> String {
    let names: Vec<&str> = curves.iter().map(|curve| curve.name).collect();
    let mut text = format!("| {what} | {} |\n|---:|", names.join(" | "));
    text += &"---:|".repeat(curves.len());
    for (nth, place) in places.iter().enumerate() {
        let _ = write!(text, "\n| {} |", number(*place));
        for curve in curves {
            let figure = curve.figures.get(nth).copied().flatten();
            let _ = write!(text, " {} |", figure.map(figures).unwrap_or_default());
        }
    }
    text
}

fn lines(places: &[f64], curves: &[Curve]) -> Vec<Line> {
    let line = |curve: &Curve| Line {
        name: curve.name,
        points: (places.iter().copied().zip(&curve.figures))
            .filter_map(|(place, figure)| Some((place, (*figure)?)))
            .collect(),
    };
    curves.iter().map(line).collect()
}

fn loads(loaded: &[load::Loaded]) -> String {
    let mut text = "| nodes | read and checked | lowered | `kdl` | both of ours of that |\n|---:|---:|---:|---:|---:|".to_owned();
    for one in loaded {
        let _ = write!(
            text,
            "\n| {} | {} | {} | {} | {:.0} % |",
            number(one.nodes as f64),
            figures(one.read),
            figures(one.lower),
            figures(one.parse),
            (one.read + one.lower) / one.parse * 100.0
        );
    }
    text
}

fn spawns(spawned: &[spawn::Spawned]) -> String {
    let mut text = "| agents | one by one | together | removed | in their places |\n|---:|---:|---:|---:|---:|".to_owned();
    for one in spawned {
        let _ = write!(
            text,
            "\n| {} | {} | {} | {} | {} |",
            number(one.agents as f64),
            figures(one.one_by_one),
            figures(one.together),
            figures(one.removed),
            figures(one.refilled)
        );
    }
    text
}

/// A row for each thing that agents do, with a figure for each number of agents.
fn by_agents<const N: usize>(agents: [usize; N], rows: &[(String, [f64; N])]) -> String {
    let mut text = "| agents |".to_owned();
    for agents in agents {
        let _ = write!(text, " {} |", number(agents as f64));
    }
    text += "\n|---|";
    text += &"---:|".repeat(N);
    for (what, figures_of) in rows {
        let _ = write!(text, "\n| {what} |");
        for figure in figures_of {
            let _ = write!(text, " {} |", figures(*figure));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_same_task_are_replaced() {
        let page = "| guard | 1 | changing | by hand | 1.0 |\n| guard | 1 | steady | by hand | 2.0 |\nText\n";
        let rows = ["| guard | 1 | steady | by hand | 3.0 |".to_owned()];
        let expected = "| guard | 1 | changing | by hand | 1.0 |\n| guard | 1 | steady | by hand | 3.0 |\nText\n";
        assert_eq!(with_rows(page, &rows), expected);
    }

    #[test]
    fn figures_on_the_first_page_are_those_of_the_page() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let read = |file| fs::read_to_string(root.join(file)).expect("it can be read");
        let (readme, page) = (read("README.md"), read("docs/performance.md"));
        let head = HEAD.lines().next().expect("there is one");
        let mut lines = readme.lines().skip_while(|line| *line != head);
        let rows: Vec<&str> = lines
            .by_ref()
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .collect();
        assert!(rows.len() >= 5, "{rows:?}");
        for row in rows {
            assert!(page.lines().any(|line| line == row), "{row}");
        }
    }

    #[test]
    fn every_place_of_the_page_is_filled() {
        let places = PAGE.matches("{{").count();
        assert_eq!(places, 14, "`write` fills so many");
        assert_eq!(nodes_of(33), Case::Branches(33).behaviour().nodes().len());
    }
}
