//! Expressions, among keys of every type.

use super::documents;

/// What stands before the expression.
const HEAD: &str = r##"enum mood { calm; angry; afraid; }
event heard { param volume type=int; }
semaphore door max=2
blackboard {
    key yes type=bool
    key no type=bool default=#true
    key i type=int default=3
    key j type=int default=-1
    key f type=float default=0.5
    key d type=double default=2.25
    key t type=text default="a b"
    key m type=mood default=angry
    key v type=vec3
    key l type=int list=#true
    key w type=int scope=world
    key opt type=int
}
tree t {
    sequence {
"##;

/// The expression is tested, assigned, and part of another.
pub(super) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // The raw strings of KDL end there.
    if text.contains("\"#") || text.contains('\n') {
        return;
    }
    let document = format!(
        "{HEAD}        check #\"{text}\"#\n        set #\"i = {text}\"#\n        succeed when=#\"{text}\"#\n    }}\n}}\n"
    );
    documents::kdl(document.as_bytes());
    let alone = format!("{HEAD}        check #\"{text}\"#\n    }}\n}}\n");
    documents::kdl(alone.as_bytes());
    let assigned = format!("{HEAD}        set #\"{text}\"#\n    }}\n}}\n");
    documents::kdl(assigned.as_bytes());
}
