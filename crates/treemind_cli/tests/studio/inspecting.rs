//! The fields beside a node: what an expression comes to, comments and names, the points of a curve; states whose states are
//! all active; and decision trees that are learned.

use crate::browser::Browser;
use crate::hands::{Desk, pause};

const GUARD: &str = "blackboard { key near type=float default=0.4; }
leaves { action chase; action patrol; }
tree guard {
    utility-selector {
        action chase {
            score {
                consider \"near\" curve=points {
                    point 0.0 0.2
                    point 1.0 0.9
                }
            }
        }
        action patrol score=0.1 when=\"near * 2 > 1\"
    }
}
";

/// Waits until the page has what is in the file: it hears of an edit after that was written.
fn heard(desk: &mut Desk) {
    let text = serde_json::to_string(&desk.text()).expect("a text");
    desk.page.until(&format!(
        "window.treemind.sheet.sheet.value.files[0].text === {text}"
    ));
}

/// Takes back as many edits, one after the other.
fn undo(desk: &mut Desk, edits: usize) {
    heard(desk);
    for _ in 0..edits {
        let revision = desk
            .page
            .value("window.treemind.sheet.sheet.value.revision");
        desk.page
            .value("document.querySelector('.editing .bar button').click()");
        desk.page.until(&format!(
            "window.treemind.sheet.sheet.value.revision > {revision}"
        ));
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_field_says_what_its_expression_comes_to_now() {
    let mut desk = Desk::of(GUARD);
    desk.choose("action", "patrol");
    let worth = "document.querySelector('.inspector .worth-now code')?.textContent";
    desk.page.until(&format!("{worth} === 'false'"));
    // The value follows the running game.
    desk.page
        .value("document.querySelector('[data-key=near] button.held').click()");
    desk.page
        .until("document.activeElement.matches('[data-key=near] input')");
    desk.page.value("document.activeElement.select()");
    desk.page.type_text("0.8");
    desk.page.press("Enter");
    desk.page.until(&format!("{worth} === 'true'"));
    // And it is that of what is written now.
    desk.page
        .value("(() => { const field = document.querySelector('.inspector input[aria-label=when]'); field.focus(); field.value = 'near * 2 > 3'; })()");
    desk.page.press("Enter");
    desk.until(&GUARD.replace("> 1\"", "> 3\""));
    desk.page.until(&format!("{worth} === 'false'"));
}

#[test]
#[ignore = "needs Chromium"]
fn comments_and_names_are_fields() {
    let mut desk = Desk::of(GUARD);
    desk.choose("action", "patrol");
    desk.page
        .until("document.querySelector('.inspector textarea')");
    desk.page
        .value("document.querySelector('.inspector textarea').focus()");
    desk.page.type_text("All day,");
    desk.page.press_with("Enter", 8);
    desk.page
        .value("document.activeElement.setRangeText('\\nand at night.', 8, document.activeElement.value.length, 'end')");
    desk.page.press("Enter");
    let said = GUARD.replace(
        "        action patrol ",
        "        // All day,\n        // and at night.\n        action patrol ",
    );
    desk.until(&said);
    desk.page.until(
        "document.querySelector('.inspector textarea').value === 'All day,\\nand at night.'",
    );
    desk.page
        .value("document.querySelector('.inspector input[aria-label=name]').focus()");
    desk.page.type_text("round");
    desk.page.press("Enter");
    desk.until(&said.replace("> 1\"", "> 1\" name=round"));
    // An empty field has no name and no comment.
    heard(&mut desk);
    desk.page
        .until("document.querySelector('.inspector input[aria-label=name]').value === 'round'");
    desk.page.value("(() => { const field = document.querySelector('.inspector input[aria-label=name]'); field.focus(); field.value = ''; field.blur(); })()");
    desk.until(&said);
    heard(&mut desk);
    desk.page.value("(() => { const field = document.querySelector('.inspector textarea'); field.focus(); field.value = ''; field.blur(); })()");
    desk.until(GUARD);
    // Where there is no room for one, the page says why.
    desk.choose("action", "chase");
    desk.page
        .until("document.querySelector('.inspector h2')?.textContent.includes('chase')");
}

#[test]
#[ignore = "needs Chromium"]
fn points_of_a_curve_come_and_go() {
    let mut desk = Desk::of(GUARD);
    desk.choose("consider", "near");
    desk.page
        .until("document.querySelectorAll('.curve circle').length === 2");
    // With the mouse.
    let middle = desk.page.still_middle_of(".curve .frame");
    desk.page.double_click(middle);
    let last = "                    point 1.0 0.9\n";
    desk.until(&GUARD.replace(last, &format!("                    point 0.5 0.5\n{last}")));
    desk.page
        .until("document.querySelectorAll('.curve circle').length === 3");
    // With the keyboard: it is removed, and another one comes half way to the next.
    desk.page
        .value("document.querySelectorAll('.curve circle')[1].focus()");
    desk.page.press("Delete");
    desk.until(GUARD);
    desk.page
        .until("document.querySelectorAll('.curve circle').length === 2");
    desk.page
        .value("document.querySelectorAll('.curve circle')[0].focus()");
    desk.page.press("+");
    desk.until(&GUARD.replace(last, &format!("                    point 0.5 0.55\n{last}")));
    // Another curve takes neither points nor numbers along, in one step.
    let curve = "document.querySelector('.curve select')";
    let to = |desk: &mut Desk, name: &str| {
        desk.page.until(&format!("{curve}?.value !== '{name}'"));
        desk.page.value(&format!(
            "(() => {{ const list = {curve}; list.value = '{name}'; list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
        ));
    };
    to(&mut desk, "logistic");
    let begin = GUARD.find(" curve=points").expect("a curve");
    let end = GUARD.find("            }\n        }\n").expect("its end");
    let logistic = format!("{} curve=logistic\n{}", &GUARD[..begin], &GUARD[end..]);
    desk.until(&logistic);
    desk.page.until(&format!("{curve}.value === 'logistic'"));
    to(&mut desk, "points");
    let points = logistic.replace(
        "curve=logistic\n",
        "curve=points {\n                    point 0.0 0.0\n                    point 1.0 1.0\n                }\n",
    );
    desk.until(&points);
    undo(&mut desk, 5);
    desk.until(GUARD);
}

const MACHINE: &str = "leaves { action patrol; action rest; }
machine guard {
    initial calm
    state calm {
        initial walk
        state walk {
            do { action patrol; }
        }
        state look
    }
}
";

/// The lines of what is played have other numbers after an edit.
#[test]
#[ignore = "needs Chromium"]
fn a_state_that_is_put_into_another_stays_chosen() {
    let text = "machine m {
    initial a
    state a {
        initial x
        state x { transition to=y after=1.0; }
        state y { transition to=x after=1.0; }
    }
    state b { transition to=a after=2.0; }
    state c
}
";
    let mut desk = Desk::of(text);
    pause(&mut desk.page);
    desk.choose("state", "c");
    let lines = "window.treemind.model.lines.value.length";
    let before = desk.page.value(lines);
    desk.page.value("(() => { const { sheet } = window.treemind; const a = sheet.sheet.value.nodes.find((one) => one.word === 'state' && one.values[0] === 'a'); sheet.edit({ do: 'move', ids: [sheet.node.value.id], spot: { id: a.id, side: 'into' } }); })()");
    // It is played, and still chosen.
    desk.page
        .until("window.treemind.model.view.value.reloaded?.is_ok !== false && document.querySelector('.told.ok')");
    desk.page
        .value("new Promise((done) => setTimeout(done, 1000))");
    assert_eq!(desk.page.value(lines), before);
    assert_eq!(
        desk.page
            .value("window.treemind.sheet.node.value.values[0]"),
        "c"
    );
    assert_eq!(
        desk.page.value("window.treemind.model.lines.value.find((line) => line.id === window.treemind.model.selected.value).text.includes('c')"),
        true
    );
}

#[test]
#[ignore = "needs Chromium"]
fn all_states_of_a_state_are_active_and_it_goes_on_where_it_was_left() {
    let mut desk = Desk::of(MACHINE);
    // How it is entered again.
    desk.choose("state", "calm");
    desk.page
        .until("document.querySelector('.inspector .field select option[value=deep]')");
    desk.page.value("(() => { const list = document.querySelector('.inspector .field select option[value=deep]').parentElement; list.value = 'deep'; list.dispatchEvent(new Event('change', { bubbles: true })); })()");
    desk.until(&MACHINE.replace("initial walk", "initial walk history=deep"));
    undo(&mut desk, 1);
    desk.until(MACHINE);
    // With the keyboard, in the list of what can be done.
    desk.choose("state", "calm");
    // The browser makes this of the menu key.
    desk.page.value("document.querySelector('.sheet [aria-selected=true]').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))");
    desk.page
        .until("document.activeElement.matches('.menu [role=menuitem]')");
    for _ in 0..20 {
        if desk
            .page
            .value("document.activeElement.textContent.startsWith('Make it parallel')")
            == true
        {
            break;
        }
        desk.page.press("ArrowDown");
    }
    desk.page.press("Enter");
    let parallel = MACHINE
        .replace("        initial walk\n", "")
        .replace("    state calm {", "    parallel calm {");
    desk.until(&parallel);
    // With the mouse: a region more, and back.
    desk.page.until(
        "document.querySelector('.sheet [aria-selected=true]')?.dataset.word === 'parallel'",
    );
    let button = |name: &str| {
        format!(
            "[...document.querySelectorAll('.inspector .acts button')].find((one) => one.textContent.startsWith('{name}'))"
        )
    };
    desk.page.until(&button("Add a region"));
    desk.page
        .value(&format!("{}.click()", button("Add a region")));
    desk.page
        .until("document.activeElement.matches('.inspector .acts input')");
    desk.page.type_text("talk");
    desk.page.press("Enter");
    desk.until(&parallel.replace(
        "        state look\n",
        "        state look\n        state talk\n",
    ));
    undo(&mut desk, 1);
    desk.until(&parallel);
    desk.choose("parallel", "calm");
    let back = button("One state at a time");
    desk.page.until(&back);
    desk.page.value(&format!("{back}.click()"));
    desk.until(MACHINE);
    desk.page.until("document.querySelector('.told')?.textContent.includes('only one of its states') || [...document.querySelectorAll('.told')].some((one) => one.textContent.includes('only one of its states'))");
}

#[test]
#[ignore = "needs Chromium"]
fn nodes_move_out_and_in_with_the_keyboard() {
    let text = "leaves { action patrol; action rest; }
tree guard {
    selector {
        sequence {
            action patrol
            wait 2.5
        }
        action rest
    }
}
";
    let mut desk = Desk::of(text);
    desk.choose("wait", "2.5");
    // Alt is 1.
    desk.page.press_with("ArrowLeft", 1);
    let out = text.replace(
        "            wait 2.5\n        }\n",
        "        }\n        wait 2.5\n",
    );
    desk.until(&out);
    heard(&mut desk);
    desk.page.press_with("ArrowRight", 1);
    desk.until(text);
}

/// Gives a file to a field that asks for one.
fn give_file(page: &mut Browser, selector: &str, name: &str, text: &str) {
    page.value(&format!(
        "(() => {{
            const data = new DataTransfer();
            data.items.add(new File([{text:?}], '{name}', {{ type: 'text/csv' }}));
            const field = document.querySelector({selector:?});
            field.files = data.files;
            field.dispatchEvent(new Event('change', {{ bubbles: true }}));
        }})()"
    ));
}

#[test]
#[ignore = "needs Chromium"]
fn a_decision_tree_is_learned_from_a_table() {
    let text = "main decide=watch
blackboard { key far type=float default=9.0; }
leaves { action strike; action rest; }
decide watch {
    test \"far < 1.0\" {
        yes { action strike; }
        no { action rest; }
    }
}
";
    let mut desk = Desk::of(text);
    learn(&mut desk, "learned");
    // Nothing is changed before it is accepted.
    assert_eq!(desk.text(), text);
    let offered = desk
        .page
        .value("document.querySelectorAll('dialog.advice pre')[1].textContent");
    let offered = offered.as_str().expect("a text").to_owned();
    assert!(
        offered.contains("decide learned {") && offered.contains("far <= 3."),
        "{offered}"
    );
    // It is drawn, too, beside what there is.
    desk.page.until(
        "document.querySelector('dialog.advice .drawn img')?.alt.includes('decide learned')",
    );
    desk.page.value(ACCEPT);
    desk.page
        .until("document.querySelector('.sheet [data-word=decide][data-name=learned]')");
    let learned = desk.text();
    assert!(learned.starts_with(text), "{learned}");
    undo(&mut desk, 1);
    desk.until(text);

    // Learned anew, a tree takes the place of the present one, and the page says how good that is.
    learn(&mut desk, "watch");
    let told = desk
        .page
        .value("document.querySelector('dialog.advice').innerText");
    let told = told.as_str().expect("a text");
    assert!(
        told.contains("right: 15 of 15 rows")
            && told.contains("the present watch, which gets 12 of these 15 rows right"),
        "{told}"
    );
    assert_eq!(desk.text(), text);
    desk.page.value(ACCEPT);
    desk.page
        .until("document.querySelector('.sheet').innerText.includes('far <= 3.')");
    let learned = desk.text();
    assert_eq!(learned.matches("decide watch {").count(), 1, "{learned}");
    assert!(!learned.contains("far < 1.0"), "{learned}");
    undo(&mut desk, 1);
    desk.until(text);
}

const ACCEPT: &str = "[...document.querySelectorAll('dialog.advice button')].find((one) => one.textContent === 'Accept').click()";

/// Has a decision tree of this name learned from a table, up to the comparison.
fn learn(desk: &mut Desk, name: &str) {
    desk.choose("decide", "watch");
    let button = "[...document.querySelectorAll('.inspector .acts button')].find((one) => one.textContent.startsWith('Learn'))";
    desk.page.until(button);
    desk.page.value(&format!("{button}.click()"));
    desk.page
        .until("document.querySelector('dialog.ask input[type=file]')");
    let rows: Vec<String> = (0..60)
        .map(|nth| {
            let far = f64::from(nth % 20) / 2.0;
            let does = if far < 4.0 { "strike" } else { "rest" };
            format!("{far},{does}\n")
        })
        .collect();
    let table = format!("far,does\n{}", rows.concat());
    give_file(
        &mut desk.page,
        "dialog.ask input[type=file]",
        "nights.csv",
        &table,
    );
    // The last column says what was done.
    desk.page
        .until("document.querySelector('dialog.ask select')?.value === 'does'");
    desk.page.value(&format!(
        "(() => {{ const field = document.querySelector('dialog.ask input[name=name]'); field.value = '{name}'; field.focus(); }})()"
    ));
    desk.page.press("Enter");
    desk.page
        .until("document.querySelectorAll('dialog.advice pre').length === 2");
}

#[test]
#[ignore = "needs Chromium"]
fn a_field_says_what_the_value_of_its_word_is() {
    let mut desk = Desk::of(GUARD);
    for (word, name, label) in [
        ("key", "near", "key"),
        ("action", "chase", "action"),
        ("consider", "near", "value"),
        ("point", "0.0 0.2", "value"),
    ] {
        desk.choose(word, name);
        desk.page.until(&format!(
            "document.querySelector('.inspector h2')?.textContent.includes('{word}') && document.querySelector('.inspector .field span')?.textContent === '{label}'"
        ));
    }
}

const COOK: &str = "blackboard { key heat type=float default=0.25; }
leaves { action serve doc=\"carry a plate out\" { param pace type=float default=1.0 doc=\"how fast\"; }; }
tree cook {
    action serve
}
";

#[test]
#[ignore = "needs Chromium"]
fn a_parameter_of_a_leaf_is_a_field_and_takes_a_key_in_braces() {
    let mut desk = Desk::of(COOK);
    desk.choose("action", "serve");
    desk.page
        .until("document.querySelector('.inspector')?.textContent.includes('carry a plate out')");
    let field = "document.querySelector('.inspector input[aria-label=pace]')";
    desk.page.until(&format!("{field}?.placeholder === '1.0'"));
    desk.page
        .until("document.querySelector('.inspector').textContent.includes('how fast')");
    desk.page
        .value("document.querySelector('.inspector [aria-label=\"pace: a key\"]').click()");
    let chooser = "document.querySelector('.inspector select[aria-label=pace]')";
    desk.page.until(chooser);
    desk.page.value(&format!(
        "(() => {{ const chooser = {chooser}; chooser.value = 'heat'; chooser.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
    ));
    let by_key = COOK.replace("    action serve\n", "    action serve pace=\"{heat}\"\n");
    desk.until(&by_key);
    desk.page.until(&format!("{chooser}?.value === 'heat'"));
    desk.page
        .until("document.querySelector('.inspector .held-now .value')?.textContent === '0.25'");
    desk.page
        .until("window.treemind.sheet.sheet.value.problems.length === 0");
    // An expression stands behind `=`.
    desk.page
        .value("document.querySelector('.inspector [aria-label=\"pace: an expression\"]').click()");
    desk.page.until(field);
    desk.page.value(&format!(
        "(() => {{ const field = {field}; field.focus(); field.value = 'heat * 2'; }})()"
    ));
    desk.page.press("Enter");
    desk.until(&by_key.replace("{heat}", "=heat * 2"));
    desk.page
        .until("document.querySelector('.inspector .worth-now code')?.textContent === '0.5'");
    desk.page
        .until("window.treemind.sheet.sheet.value.problems.length === 0");
}

/// An expression that is typed over another one is one, too; the candidates of a `find` have parameters as leaves have.
#[test]
#[ignore = "needs Chromium"]
fn an_expression_is_typed_over_and_a_search_has_parameters() {
    let text = "blackboard { key heat type=float default=2.0; key spot type=vec2; }
leaves {
    action cook { param pace type=float default=1.0; }
    candidates covers type=vec2 { param range type=float default=10.0 doc=\"in metres\"; }
}
tree guard {
    sequence {
        find place in=covers into=\"{spot}\"
        action cook pace=\"=heat / 2\"
    }
}
";
    let mut desk = Desk::of(text);
    desk.choose("action", "cook");
    let type_over = |desk: &mut Desk, label: &str, typed: &str| {
        desk.page.until(&format!(
            "document.querySelector('.inspector input[aria-label={label}]')"
        ));
        desk.page.value(&format!(
            "(() => {{ const field = document.querySelector('.inspector input[aria-label={label}]'); field.focus(); field.select(); }})()"
        ));
        desk.page.type_text(typed);
        desk.page.press("Enter");
    };
    type_over(&mut desk, "pace", "heat * 3");
    let computed = text.replace("=heat / 2", "=heat * 3");
    desk.until(&computed);
    heard(&mut desk);
    type_over(&mut desk, "pace", "2.5");
    let plain = text.replace("\"=heat / 2\"", "2.5");
    desk.until(&plain);
    desk.choose("find", "place");
    desk.page
        .until("document.querySelector('.inspector')?.innerText.includes('in metres · float · usually 10.0')");
    type_over(&mut desk, "range", "25.0");
    desk.until(&plain.replace(
        "in=covers into=\"{spot}\"",
        "in=covers into=\"{spot}\" range=25.0",
    ));
}

#[test]
#[ignore = "needs Chromium"]
fn a_row_that_is_dragged_says_before_the_drop_where_it_cannot_go() {
    let mut desk = Desk::of(COOK);
    desk.choose("action", "serve");
    let over = |side: &str, word: &str| {
        format!(
            "(() => {{
                const row = (word) => [...document.querySelectorAll(`.sheet [data-word=\"${{word}}\"]`)].at(-1);
                const [from, to] = [row('action'), row('{word}')];
                const data = new DataTransfer();
                const box = to.getBoundingClientRect();
                const y = box.y + box.height * ({side});
                const at = {{ bubbles: true, cancelable: true, dataTransfer: data, clientX: box.x + 40, clientY: y }};
                from.dispatchEvent(new DragEvent('dragstart', {{ bubbles: true, dataTransfer: data }}));
                to.dispatchEvent(new DragEvent('dragover', at));
                window.letGo = () => to.dispatchEvent(new DragEvent('drop', at));
            }})()"
        )
    };
    desk.page.value(&over("0.5", "key"));
    desk.page
        .until("document.querySelector('.sheet .row.to-into.refused')?.dataset.word === 'key'");
    desk.page
        .until("document.querySelector('.dragged.why.over-rows')?.textContent.length > 5");
    desk.page.value("window.letGo()");
    desk.page
        .until("!document.querySelector('.dragged.why.over-rows')");
    desk.page
        .until("document.querySelector('.told.bad')?.textContent.length > 5");
    assert_eq!(desk.text(), COOK);
}

#[test]
#[ignore = "needs Chromium"]
fn a_misspelt_word_is_solved_beside_its_node() {
    let mut desk = Desk::of(&GUARD.replace("    utility-selector", "    utility-selectr"));
    desk.choose("utility-selectr", "");
    let fix = "document.querySelector('.inspector .troubles .fixes button')";
    desk.page
        .until(&format!("{fix}?.textContent === 'write utility-selector'"));
    desk.page.value(&format!("{fix}.click()"));
    desk.until(GUARD);
    desk.page
        .until("!document.querySelector('.inspector .troubles')");
    // It is one step of the history.
    undo(&mut desk, 1);
    desk.until(&GUARD.replace("    utility-selector", "    utility-selectr"));
    desk.page.until(&format!("!!{fix}"));
}
