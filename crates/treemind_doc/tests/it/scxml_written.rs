//! State machines in SCXML, as documents of ours.

use treemind_doc::{Document, Format, Severity, convert};

/// A machine in SCXML with this content, as a document of ours.
fn written(content: &str) -> Result<String, Vec<String>> {
    let text = format!(
        r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" name="m" datamodel="ecmascript">{content}</scxml>"#
    );
    has_no_errors(&text, "m.scxml");
    match convert(&text, "m.scxml", Format::Scxml, Format::Kdl) {
        Ok(converted) => {
            has_no_errors(&converted.text, "m.kdl");
            Ok(converted.text)
        }
        Err(errors) => Err(errors.iter().map(|one| one.message().to_string()).collect()),
    }
}

fn has_no_errors(text: &str, name: &str) {
    let document = Document::parse(text, name);
    let mut problems = document.diagnostics().iter();
    assert!(
        problems.all(|one| one.severity() != Severity::Error),
        "{text}: {document:?}"
    );
}

#[track_caller]
fn has(content: &str, lines: &[&str]) {
    let text = written(content).expect("it can be written");
    for line in lines {
        assert!(
            text.lines().any(|one| one.trim() == *line),
            "{line}:\n{text}"
        );
    }
}

#[track_caller]
fn refused(content: &str, why: &str) {
    let errors = written(content).expect_err("it cannot be written");
    assert_eq!(errors, [format!("{why} cannot be written in KDL")]);
}

#[test]
fn variables_are_keys_with_the_types_of_what_they_hold() {
    let data = r#"<datamodel><data id="n" expr="1"/><data id="half" expr="n / 2"/><data id="who"/><data id="if" expr="'a'"/></datamodel>
        <state id="a"><transition event="go" target="b"><assign location="who" expr="'me'"/></transition></state>
        <state id="b"><transition cond="n &gt;= 1 &amp;&amp; half * 2 == n &amp;&amp; who != 'you' &amp;&amp; !(if == 'b')" target="a"/></state>"#;
    has(
        data,
        &[
            "key n type=int default=1",
            "key half type=double",
            "set \"half = double(n) / 2\"",
            "key who type=string optional=#true",
            "set \"who = 'me'\"",
            "transition to=a when=\"n >= 1 && half * 2 == n && (!has(who) || who != 'you') && !(if_2 == 'b')\"",
        ],
    );
}

#[test]
fn data_of_events_are_parameters() {
    let reads = r#"<state id="a">
        <transition event="hit" cond="_event.data.force == 2.5" target="b"><log label="hit" expr="_event.data.by"/></transition>
        <transition event="fall" target="b"><raise event="hit"/></transition></state>
        <state id="b"><onentry><send event="hit"><param name="force" expr="3"/><param name="by" expr="'x'"/></send></onentry></state>"#;
    has(
        reads,
        &[
            "event hit { param by type=string default=\"\"; param force type=double default=0.0; }",
            "transition to=b on=hit when=\"event.force == 2.5\" {",
            "log \"hit: {event.by}\"",
            "emit hit by=x force=3 to=self",
        ],
    );
    let elsewhere = r#"<state id="a"><transition event="hit" target="b"/></state>
        <state id="b"><onentry><log expr="_event.data"/><if cond="_event.data == 1"><raise event="x"/></if></onentry></state>"#;
    refused(elsewhere, "`_event.data` here");
    let two = r#"<state id="a"><transition event="hit fall" cond="_event.data == 1" target="a"/></state>"#;
    refused(two, "`_event.data` here");
}

#[test]
fn timers_are_times_of_states() {
    let timer = |more: &str, exit: &str| {
        format!(
            r#"<state id="a"><onentry><send event="late" delay="200ms" id="t"/></onentry><onexit>{exit}</onexit>
            <transition event="late" target="b"/>{more}</state><state id="b"/>"#
        )
    };
    has(&timer("", ""), &["transition to=b after=0.2"]);
    has(
        &timer("", "<cancel sendid=\"t\"/>"),
        &["transition to=b after=0.2"],
    );
    let why = "this `<send>` with a delay";
    // What happens at another time, or elsewhere, is no time of the state.
    refused(&timer("<transition event=\"*\" target=\"b\"/>", ""), why);
    refused(
        &timer(
            "<transition event=\"x\"><raise event=\"late\"/></transition>",
            "",
        ),
        why,
    );
    refused(
        &timer(
            "<transition event=\"x\"><cancel sendid=\"t\"/></transition>",
            "",
        ),
        why,
    );
    let kept = timer("", "").replace(
        "<transition event=\"late\"",
        "<transition event=\"late\" cond=\"In('a')\"",
    );
    assert!(written(&kept).is_err());
    let elsewhere = r#"<state id="a"><transition event="go" target="b"><send event="late" delay="1s"/></transition></state>
        <state id="b"><transition event="late" target="a"/></state>"#;
    refused(elsewhere, why);
}

#[test]
fn ends_of_states_are_waited_for_in_two_ways() {
    let inner = r#"<state id="p" initial="q"><state id="q"><transition event="go" target="r"/></state><final id="r"/>"#;
    let own =
        format!(r#"{inner}<transition event="done.state.p" target="e"/></state><final id="e"/>"#);
    has(&own, &["transition to=e done=any", "state r final=#true"]);
    let other = format!(
        r#"<parallel id="all">{inner}</state><state id="s"><transition event="done.state.p" target="all"/></state></parallel>"#
    );
    has(
        &other,
        &[
            "emit \"done.state.p\"",
            "transition to=all on=\"done.state.p\"",
            "event \"done.state.p\"",
        ],
    );
}

#[test]
fn histories_lead_back() {
    let with = |default: &str| {
        format!(
            r#"<state id="on" initial="a"><history id="h" type="deep"><transition target="{default}"/></history>
            <state id="a"><transition event="go" target="b"/></state><state id="b"><transition event="off" target="out"/></state></state>
            <state id="out"><transition event="back" target="h"/></state>"#
        )
    };
    has(&with("a"), &["transition to=on history=deep on=back"]);
    refused(&with("b"), "the default of this history");
    let at_start = r#"<state id="on"><initial><transition target="h"/></initial>
        <history id="h"><transition target="b"/></history>
        <state id="a"/><state id="b"><transition event="go" target="a"/></state>
        <transition event="off" target="out"/></state><state id="out"><transition event="back" target="on"/></state>"#;
    has(at_start, &["initial b history=shallow"]);
}

#[test]
fn what_may_fail_stops_its_block() {
    let content = |more: &str| {
        format!(
            r#"<datamodel><data id="n" expr="1"/></datamodel>
            <state id="a"><onentry><raise event="x"/><log expr="'a'"/></onentry>
            <onexit><assign location="n" expr="n + 1"/><raise event="x"/></onexit>
            <transition event="x" target="b"/>{more}</state><state id="b"/>"#
        )
    };
    let plain = written(&content("")).expect("it can be written");
    assert_eq!(plain.matches("sequence {").count(), 1, "{plain}");
    assert!(!plain.contains("try-catch"), "{plain}");
    let caught = written(&content(
        r#"<transition event="error.execution" target="b"/>"#,
    ));
    let caught = caught.expect("it can be written");
    assert_eq!(caught.matches("try-catch {").count(), 1, "{caught}");
}

#[test]
fn names_and_comments_stay() {
    let content = r#"<!-- first --><state id="a.b"><!-- inner --><onentry><log expr="1 + 1"/></onentry><!-- go --><transition event="go" target="a-b"/></state>
        <state id="a-b"><state/></state>"#;
    has(
        content,
        &[
            "// first",
            "state a-b-2 {",
            "// go",
            "transition to=a-b on=go",
            "log \"1 + 1\"",
            "initial state-3",
        ],
    );
}

#[test]
fn texts_with_quotes() {
    has(
        r#"<datamodel><data id="who" expr="'x'"/></datamodel><state id="a"><onentry><assign location="who" expr="&quot;it's&quot;"/></onentry></state>"#,
        &["set \"who = 'it''s'\""],
    );
}
