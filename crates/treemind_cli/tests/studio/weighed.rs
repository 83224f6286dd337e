//! Networks, rules, and the graph of a search, in the page.

use crate::access::violations;
use crate::browser::Browser;
use crate::page::draw;
use crate::program::Studio;
use std::path::Path;

const MINDER: &str = "crates/treemind_cli/tests/studio/minder.kdl";
const SOLDIER: &str = "examples/10-soldier/planned.kdl";

fn at(studio: &Studio, tick: u64, what: &str) -> Browser {
    let mut page = Browser::open(&studio.at(&format!("tick={tick}")));
    page.until(&format!(
        "window.treemind?.model.view.value?.tick === {tick} && document.querySelector('{what}')"
    ));
    page
}

/// The rules of the page, each with what became of it.
const RULES: &str = "[...document.querySelectorAll('.rule')].map(one => `${one.dataset.rule}:${one.dataset.is}`).join(' ')";

#[test]
#[ignore = "needs Chromium"]
fn a_network_is_drawn_and_rules_say_why_they_did_not_fire() {
    let studio = Studio::start(&[MINDER]);
    let mut page = at(&studio, 5, ".network svg");
    page.until("document.querySelectorAll('.network svg circle').length === 2 * (3 + 4 + 3)");
    page.until("document.querySelectorAll('.network svg line').length === 3 * 4 + 4 * 3");
    // The largest output is marked, with the action that it is the score of.
    page.until("document.querySelector('.network .best').dataset.output === 'rest'");
    page.until("document.querySelector('.network .best .for.run')?.textContent.includes('patrol')");
    page.until(
        "/^\\d+(\\.\\d+)? %$/.test(document.querySelector('.network .best .number').textContent)",
    );
    page.until(&format!(
        "{RULES} === 'weak:unmet challenge:unmet calm:cools'"
    ));
    assert_eq!(violations(&mut page), "");
    // A rule that has fired leads to the tick in which it did.
    page.value("document.querySelector('[data-rule=calm] .link').click()");
    page.until(&format!(
        "{RULES} === 'weak:unmet challenge:unmet calm:fired'"
    ));
}

#[test]
#[ignore = "needs Chromium"]
fn the_search_behind_a_plan_is_drawn() {
    let studio = Studio::start(&[SOLDIER]);
    let mut page = at(&studio, 5, ".planner .what-if");
    page.click_on(".planner .what-if");
    page.click_on(".otherwise .searches");
    page.until("document.querySelector('.otherwise .found')");
    assert_eq!(
        page.value("document.querySelector('.situations')"),
        serde_json::Value::Null,
        "there is nothing to look for"
    );
    page.value("document.querySelector('[data-fact=enemy_seen] input').click()");
    page.until("document.querySelectorAll('.situations circle.on-plan').length === 2");
    // Without ammunition, it needs a step more.
    page.value("document.querySelector('[data-fact=ammo] input').focus()");
    page.value("document.activeElement.select()");
    page.type_text("0");
    page.press("Enter");
    page.until("document.querySelectorAll('.situations circle.on-plan').length === 3");
    page.value("document.querySelector('.situations .scroll').focus()");
    page.press("ArrowDown");
    page.until("document.querySelector('.situations circle.pointed').dataset.situation === '1'");
    assert_eq!(violations(&mut page), "");
}

/// Writes the pictures of the documentation into a folder: see `page::pictures`.
#[test]
#[ignore = "draws pictures for people to look at"]
fn pictures() {
    let Some(folder) = std::env::var_os("STUDIO_PICTURES") else {
        return;
    };
    let studio = Studio::start(&[MINDER]);
    let mut page = at(&studio, 100, ".network svg");
    page.value("document.querySelector('.network').scrollIntoView()");
    draw(&mut page, Path::new(&folder), "minder");
}
