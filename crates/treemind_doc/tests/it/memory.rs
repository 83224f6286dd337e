//! How much memory large documents take.

use treemind_doc::Document;

/// The most bytes per node that reading and checking take, in documents of two sizes.
#[test]
fn a_node_takes_so_much() {
    for nodes in [10_000, 100_000] {
        let text = format!(
            "leaves {{ action go {{ param far type=float default=1.0; }}; }}\ntree t {{ sequence {{\n{}}}\n}}",
            "        action go far=2.0\n".repeat(nodes)
        );
        let mut has_errors = true;
        let info = allocation_counter::measure(|| {
            has_errors = Document::parse(&text, "large.kdl").has_errors();
        });
        assert!(!has_errors);
        let each = info.bytes_max / nodes as u64;
        println!("{each} bytes for each of {nodes} nodes");
        assert!(each < 1_100, "{each} bytes for each of {nodes} nodes");
        // If nothing is counted, the test must fail.
        assert!(each > 100, "{each} bytes for each of {nodes} nodes");
    }
}
