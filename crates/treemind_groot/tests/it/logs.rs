//! Logs as databases of SQLite: there and back, one that SQLite itself wrote, and damaged ones.

use treemind_groot::{Log, LogRow};

/// A log with so many changes, and a tree that needs several pages.
fn log(changes: u64, letters: usize) -> Log {
    let row = |nth: u64| LogRow {
        micros: nth / 3 * 50_000,
        uid: (nth % 7) as u16 + 1,
        status: (nth % 5) as u8,
    };
    let long = "x".repeat(letters);
    Log {
        xml: format!("<root><Sequence _uid=\"1\" name=\"{long}\"/><A _uid=\"2\"/></root>"),
        begin_micros: 1_767_225_599_000_001,
        rows: (0..changes).map(row).collect(),
        cut_off: 0,
    }
}

#[test]
fn a_log_becomes_a_database_and_comes_back() {
    for (changes, letters) in [(0, 1), (1, 4_000), (90, 4_100), (40_000, 30_000)] {
        let log = log(changes, letters);
        let logs = Log::read_db3(&log.to_db3()).expect("a database");
        let [read] = &logs[..] else {
            panic!("one session");
        };
        assert_eq!(read.xml, log.xml);
        assert_eq!(read.rows.len(), log.rows.len());
        assert!(read.rows.is_empty() || read.begin_micros == log.begin_micros);
        let mut last = None;
        for (row, meant) in read.rows.iter().zip(&log.rows) {
            assert_eq!((row.uid, row.status), (meant.uid, meant.status));
            // Two changes never have the same time there.
            assert!(last.is_none_or(|last| row.micros > last));
            assert!((meant.micros..meant.micros + 3).contains(&row.micros));
            last = Some(row.micros);
        }
    }
}

/// `by-sqlite.db3` was written by SQLite 3.40 with pages of 512 bytes: two sessions, one with a long tree.
#[test]
fn a_database_that_sqlite_wrote() {
    let logs = Log::read_db3(include_bytes!("by-sqlite.db3")).expect("a database");
    assert_eq!(logs.len(), 2);
    assert_eq!(logs[0].xml, "<root/>");
    assert_eq!(logs[0].begin_micros, 1_000);
    let rows: Vec<(u64, u16, u8)> = logs[0]
        .rows
        .iter()
        .map(|row| (row.micros, row.uid, row.status))
        .collect();
    assert_eq!(rows, [(0, 1, 1), (5, 2, 2), (6, 1, 2)]);
    assert_eq!(logs[1].xml.len(), 2_000);
    assert_eq!(logs[1].rows.len(), 60);
    assert_eq!(logs[1].rows[59].micros, 590);
}

#[test]
fn damaged_databases_are_refused() {
    let good = log(200, 5_000).to_db3();
    for bad in [&b""[..], b"SQLite format 3\0", &good[..5_000], &[0; 4_096]] {
        assert!(Log::read_db3(bad).is_err());
    }
    // Whatever the bytes are, it comes to an end.
    for at in (0..good.len()).step_by(37) {
        let mut bytes = good.clone();
        bytes[at] ^= 0xff;
        let _ = Log::read_db3(&bytes);
    }
}

/// The first versions of the SQLite logger called two columns otherwise.
#[test]
fn a_database_with_the_first_names_of_the_columns_is_read() {
    let log = log(3, 40);
    let mut bytes = log.to_db3();
    for (new, old) in [
        ("uid        INTEGER", "node_uid   INTEGER"),
        ("metadata   VARCHAR", "extra_data VARCHAR"),
    ] {
        let places: Vec<usize> = (0..bytes.len() - new.len())
            .filter(|at| bytes[*at..].starts_with(new.as_bytes()))
            .collect();
        assert!(!places.is_empty(), "{new}");
        for at in places {
            bytes[at..at + old.len()].copy_from_slice(old.as_bytes());
        }
    }
    assert_eq!(Log::read_db3(&bytes), Log::read_db3(&log.to_db3()));
    assert_eq!(
        Log::read_db3(&bytes).expect("a database")[0].rows.len(),
        log.rows.len()
    );
}
