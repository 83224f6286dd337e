//! libFuzzer on one target: that of the variable `TREEMIND_FUZZ_TARGET`. `cargo xtask fuzz` builds and starts it.

// The macro of libFuzzer defines the functions that it calls.
#![allow(unsafe_code)]
#![no_main]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use treemind_fuzz::{TARGETS, Target};

static TARGET: OnceLock<Target> = OnceLock::new();

fn target() -> Target {
    let name = std::env::var("TREEMIND_FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("there is no target `{name}`"))
}

libfuzzer_sys::fuzz_target!(
    init: {
        // libFuzzer ends the process at every panic, but hosts of the targets may panic on purpose.
        std::panic::set_hook(Box::new(|_| {}));
    },
    |data: &[u8]| {
        let check = TARGET.get_or_init(target).check;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(data))) {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied());
            eprintln!("panicked: {}", text.unwrap_or("without a text"));
            std::process::abort();
        }
    }
);
