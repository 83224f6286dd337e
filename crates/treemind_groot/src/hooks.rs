//! Breakpoints, and answers that are replaced.

use serde_json::{Value, json};
use treemind_core::Status;

/// A breakpoint at a node: the game stands still after the tick in which the node was reached (position 0) or answered
/// (position 1). Or what the node answers in place of being ticked.
#[derive(Clone, Debug)]
pub(crate) struct Hook {
    pub(crate) uid: u16,
    pub(crate) position: u8,
    is_enabled: bool,
    is_once: bool,
    /// It is no breakpoint.
    replaces: bool,
    desired: Desired,
}

/// What a hook wants a node to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Desired {
    Success,
    Failure,
    /// What it answers anyway, by the name that was given.
    Own(&'static str),
}

impl Desired {
    fn name(self) -> &'static str {
        match self {
            Desired::Success => "SUCCESS",
            Desired::Failure => "FAILURE",
            Desired::Own(name) => name,
        }
    }
}

/// All breakpoints, and those at which the game stands.
#[derive(Debug, Default)]
pub(crate) struct Hooks {
    all: Vec<Hook>,
    /// The uids and positions at which the game stands.
    stands_at: Vec<(u16, u8)>,
    /// Nobody has asked for anything for a while, so that nothing stops the game.
    is_asleep: bool,
    /// The game asks what to replace.
    pub(crate) may_replace: bool,
}

fn number(value: &Value, name: &str) -> Option<u64> {
    value[name].as_u64()
}

fn place(value: &Value) -> Result<(u16, u8), String> {
    let uid = number(value, "uid").and_then(|uid| u16::try_from(uid).ok());
    let uid = uid.ok_or("a hook needs the `uid` of a node")?;
    let position = number(value, "position").unwrap_or(0);
    match u8::try_from(position) {
        Ok(position @ 0..=1) => Ok((uid, position)),
        _ => Err("the position of a hook is 0 or 1".to_owned()),
    }
}

/// The status that a hook or its release names, which Groot2 always writes.
fn status(value: &Value) -> Result<Desired, String> {
    let Some(status) = value.get("desired_status") else {
        return Ok(Desired::Own("SKIPPED"));
    };
    match status.as_str() {
        Some("SUCCESS") => Ok(Desired::Success),
        Some("FAILURE") => Ok(Desired::Failure),
        Some(other) => ["SKIPPED", "RUNNING", "IDLE"]
            .into_iter()
            .find(|known| *known == other)
            .map(Desired::Own)
            .ok_or_else(|| format!("the `desired_status` {status} is not a status")),
        None => Err(format!("the `desired_status` {status} is not a status")),
    }
}

impl Hooks {
    /// Inserts a hook, or a list of them, or changes those that are there.
    pub(crate) fn insert(
        &mut self,
        text: &str,
        exists: impl Fn(u16) -> bool,
    ) -> Result<(), String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let one = [value.clone()];
        let values = value.as_array().map_or(&one[..], Vec::as_slice);
        let mut hooks = Vec::new();
        for value in values {
            let (uid, position) = place(value)?;
            if !exists(uid) {
                return Err(format!("there is no node {uid}"));
            }
            let replaces = match value.get("mode").map_or(Some(0), Value::as_u64) {
                Some(0) => false,
                Some(1) if !self.may_replace => {
                    let refused =
                        "this program has only breakpoints: answers of nodes are not replaced";
                    return Err(refused.to_owned());
                }
                Some(1) if position == 1 => {
                    let refused = "an answer is replaced before its node is ticked: position 0";
                    return Err(refused.to_owned());
                }
                Some(1) => true,
                _ => return Err("the mode of a hook is 0, a breakpoint, or 1".to_owned()),
            };
            let desired = status(value)?;
            hooks.push(Hook {
                uid,
                position,
                is_enabled: value["enabled"].as_bool().unwrap_or(true),
                is_once: value["once"].as_bool().unwrap_or(false),
                replaces,
                desired,
            });
        }
        for hook in hooks {
            let at = (hook.uid, hook.position);
            self.all.retain(|known| (known.uid, known.position) != at);
            if !hook.is_enabled || hook.replaces {
                self.stands_at.retain(|stands| *stands != at);
            }
            self.all.push(hook);
        }
        Ok(())
    }

    /// Lets the game go on from a breakpoint.
    pub(crate) fn unlock(&mut self, text: &str) -> Result<(), String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let at = place(&value)?;
        if !self.all.iter().any(|hook| (hook.uid, hook.position) == at) {
            return Err(format!("there is no hook at node {}", at.0));
        }
        if !matches!(status(&value)?, Desired::Own(_)) {
            let refused =
                "the node has answered already: go on with SKIPPED, and replace its next answer";
            return Err(refused.to_owned());
        }
        let is_removed = value["remove_when_done"].as_bool().unwrap_or(false);
        self.all
            .retain(|hook| (hook.uid, hook.position) != at || !(is_removed || hook.is_once));
        self.stands_at.retain(|stands| *stands != at);
        Ok(())
    }

    /// Removes a hook.
    pub(crate) fn remove(&mut self, text: &str) -> Result<(), String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let at = place(&value)?;
        let before = self.all.len();
        self.all.retain(|hook| (hook.uid, hook.position) != at);
        self.stands_at.retain(|stands| *stands != at);
        match self.all.len() < before {
            true => Ok(()),
            false => Err(format!("there is no hook at node {}", at.0)),
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self {
            may_replace: self.may_replace,
            ..Self::default()
        };
    }

    /// The nodes whose answers are replaced, and by what, in the order of their uids.
    pub(crate) fn answers(&self) -> Vec<(u16, Status)> {
        let hooks = self.all.iter();
        let hooks = hooks.filter(|hook| hook.replaces && hook.is_enabled && !self.is_asleep);
        let answers = hooks.filter_map(|hook| match hook.desired {
            Desired::Success => Some((hook.uid, Status::Success)),
            Desired::Failure => Some((hook.uid, Status::Failure)),
            Desired::Own(_) => None,
        });
        let mut answers: Vec<_> = answers.collect();
        answers.sort_unstable_by_key(|(uid, _)| *uid);
        answers
    }

    pub(crate) fn disable_all(&mut self) {
        self.all.iter_mut().for_each(|hook| hook.is_enabled = false);
        self.stands_at.clear();
    }

    /// Nobody listens any more, or somebody does again.
    pub(crate) fn sleep(&mut self, is_asleep: bool) {
        self.is_asleep = is_asleep;
        if is_asleep {
            self.stands_at.clear();
        }
    }

    pub(crate) fn dump(&self) -> String {
        let all: Vec<Value> = self.all.iter().map(shown).collect();
        Value::Array(all).to_string()
    }

    /// Whether the game has to be looked at after each tick.
    pub(crate) fn are_armed(&self) -> bool {
        !self.is_asleep && self.all.iter().any(|hook| hook.is_enabled)
    }

    pub(crate) fn is_standing(&self) -> bool {
        !self.stands_at.is_empty()
    }

    /// A tick is over: stops at the hooks of the nodes with these uids. Returns the uids of those that were hit.
    pub(crate) fn look(&mut self, uids: impl Iterator<Item = u16>) -> Vec<u16> {
        if !self.are_armed() {
            return Vec::new();
        }
        let mut hit = Vec::new();
        for uid in uids {
            for hook in self.all.iter().filter(|hook| hook.is_enabled) {
                let at = (hook.uid, hook.position);
                if hook.uid == uid && hook.replaces {
                    hit.push(uid);
                } else if hook.uid == uid && !self.stands_at.contains(&at) {
                    self.stands_at.push(at);
                    hit.push(uid);
                }
            }
        }
        let is_done = |hook: &Hook| hook.replaces && hook.is_once && hit.contains(&hook.uid);
        self.all.retain(|hook| !is_done(hook));
        hit
    }
}

fn shown(hook: &Hook) -> Value {
    json!({
        "enabled": hook.is_enabled,
        "uid": hook.uid,
        "mode": u8::from(hook.replaces),
        "once": hook.is_once,
        "desired_status": hook.desired.name(),
        "position": hook.position,
    })
}
