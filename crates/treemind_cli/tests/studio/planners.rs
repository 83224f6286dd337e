//! Planners in the page: watched, asked what if, and edited.

use crate::access::violations;
use crate::browser::Browser;
use crate::hands::{Desk, pause};
use crate::page::draw;
use crate::program::Studio;
use std::path::Path;

const WOODCUTTER: &str = "crates/treemind_cli/tests/studio/woodcutter.kdl";
const TEXT: &str = include_str!("woodcutter.kdl");

/// The woodcutter at a tick.
fn at(studio: &Studio, tick: u64) -> Browser {
    let mut page = Browser::open(&studio.at(&format!("tick={tick}")));
    page.until(&format!(
        "window.treemind?.model.view.value?.tick === {tick} && document.querySelector('.planner .plan')"
    ));
    page
}

const STEPS: &str = "[...document.querySelectorAll('.planner > .plan .step')].map(one => `${one.dataset.step}:${/is-(\\w+)/.exec(one.className)[1]}`).join(' ')";
const GOALS: &str = "[...document.querySelectorAll('.planner > .goals > li')].map(one => `${one.dataset.goal}:${one.dataset.is}`).join(' ')";

#[test]
#[ignore = "needs Chromium"]
fn goals_and_the_plan_are_shown_and_why_there_is_none() {
    let studio = Studio::start(&[WOODCUTTER]);
    let mut page = at(&studio, 120);
    page.until(&format!(
        "{STEPS} === 'chop:done chop:now chop:next sell:next'"
    ));
    page.until(&format!(
        "{GOALS} === 'eat:open earn:pursued cook:fruitless'"
    ));
    page.until("document.querySelector('[data-goal=cook] .none').textContent.includes('boil needs herbs > 0')");
    let plans = page.value("window.treemind.model.film.value.plans.map(([, , text]) => text).filter(Boolean).join(' | ')");
    assert_eq!(
        plans,
        "earn: chop chop chop sell | earn: chop chop chop sell"
    );
    // A step unfolds, with the keyboard.
    page.value("document.querySelectorAll('.planner .step')[1].focus()");
    page.press("Enter");
    page.until("document.querySelector('.planner .inside').textContent.includes('stack')");
    assert_eq!(
        page.value("document.activeElement.getAttribute('aria-expanded')"),
        "true"
    );
    assert_eq!(violations(&mut page), "");
    // A plan that was given up is torn at its end.
    page.value("window.treemind.say({ say: 'go', tick: 160 })");
    page.until("window.treemind.model.view.value.tick === 160");
    page.until(&format!("{STEPS} === 'buy:now eat:next'"));
    page.until(
        "window.treemind.model.film.value.plans.some(([, to, , cut]) => to === 154 && cut === 1)",
    );
}

#[test]
#[ignore = "needs Chromium"]
fn other_facts_give_another_plan_and_the_game_stays_as_it_is() {
    let studio = Studio::start(&[WOODCUTTER]);
    let mut page = at(&studio, 120);
    page.click_on(".planner .what-if");
    page.until("document.querySelector('.otherwise .found .step')?.dataset.step === 'buy'");
    page.value("document.querySelector('[data-fact=herbs] input').focus()");
    page.value("document.activeElement.select()");
    page.type_text("2");
    page.press("Enter");
    page.until("document.querySelector('.otherwise .found .step')?.dataset.step === 'boil'");
    page.until(&format!(
        "{GOALS} === 'eat:open earn:pursued cook:fruitless'"
    ));
    assert_eq!(
        page.value("window.treemind.model.view.value.keys[3].value"),
        "0"
    );
    assert_eq!(violations(&mut page), "");
    // What is no value is said, and another goal may be asked about.
    page.value("document.querySelector('[data-fact=herbs] input').focus()");
    page.value("document.activeElement.select()");
    page.type_text("many");
    page.press("Enter");
    page.until("document.querySelector('.otherwise .none')?.textContent.includes('many')");
    page.click_on(".otherwise .line button");
    page.until("document.querySelector('.otherwise .found .step')?.dataset.step === 'buy'");
}

#[test]
#[ignore = "needs Chromium"]
fn steps_are_wrapped_and_renamed_and_goals_moved() {
    let mut desk = Desk::of(TEXT);
    pause(&mut desk.page);
    desk.choose("wait", "0.8");
    desk.page.type_to_add("w", "cooldown 2.0");
    let wrapped = TEXT.replace(
        "    wait 0.8 name=sell when=\"wood >= 3\" on-success=\"wood -= 3; money += 3\"\n",
        "    cooldown 2.0 name=sell when=\"wood >= 3\" on-success=\"wood -= 3; money += 3\" {\n        wait 0.8\n    }\n",
    );
    desk.until(&wrapped);
    // Methods call the step by its name.
    desk.choose("cooldown", "2.0");
    desk.page
        .until("document.querySelector('.inspector input[aria-label=name]')");
    desk.page
        .value("document.querySelector('.inspector input[aria-label=name]').focus(); document.activeElement.select()");
    desk.page.type_text("sell-wood");
    desk.page.press("Enter");
    let renamed = wrapped
        .replace("name=sell ", "name=sell-wood ")
        .replace("\"stock sell\"", "\"stock sell-wood\"");
    desk.until(&renamed);
    // A goal past its neighbour, but not into a step.
    desk.choose("goal", "earn");
    desk.page.press_with("ArrowDown", 1);
    let lines: Vec<&str> = renamed.lines().collect();
    let earn = lines.iter().position(|line| line.contains("goal earn"));
    let mut moved = lines.clone();
    let earn = earn.expect("a goal");
    moved.swap(earn, earn + 1);
    desk.until(&(moved.join("\n") + "\n"));
    desk.choose("goal", "earn");
    desk.page.press_with("ArrowRight", 1);
    desk.page
        .until("document.body.textContent.includes('cannot stand in')");
    desk.until(&(moved.join("\n") + "\n"));
}

/// Writes the pictures of the documentation into a folder: see `page::pictures`.
#[test]
#[ignore = "draws pictures for people to look at"]
fn pictures() {
    let Some(folder) = std::env::var_os("STUDIO_PICTURES") else {
        return;
    };
    let studio = Studio::start(&[WOODCUTTER]);
    let mut page = at(&studio, 120);
    draw(&mut page, Path::new(&folder), "planner");
}
