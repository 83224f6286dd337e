//! The types of columns are found out, and tables from which nothing can be learned are refused with a reason.

use treemind_learn::{Cells, Examples, ExamplesError, Options, Table, TableError, document, learn};

fn table(text: &str) -> Table {
    Table::read(text.as_bytes()).expect("the text is a table")
}

#[test]
fn the_kind_of_a_column_is_the_narrowest_that_fits() {
    let table = table("a,b,c,d\n1,1,true,red\n-2,0.5,FALSE,blue\n?,NA,,\n");
    assert_eq!(table.rows, 3);
    let cells: Vec<&Cells> = table.columns.iter().map(|column| &column.cells).collect();
    assert_eq!(*cells[0], Cells::Int(vec![Some(1), Some(-2), None]));
    assert_eq!(*cells[1], Cells::Double(vec![Some(1.0), Some(0.5), None]));
    assert_eq!(*cells[2], Cells::Bool(vec![Some(true), Some(false), None]));
    let Cells::Category { values, cells } = cells[3] else {
        panic!("a category");
    };
    assert_eq!(values, &["blue", "red"]);
    assert_eq!(cells, &[Some(1), Some(0), None]);
}

#[test]
fn what_is_no_table_is_refused_with_the_reason() {
    let refused = |text: &[u8]| match Table::read(text) {
        Ok(table) => panic!("read as {table:?}"),
        Err(error) => error,
    };
    assert!(matches!(refused(b""), TableError::Empty));
    assert!(matches!(refused(b"a,b\n"), TableError::Empty));
    assert!(matches!(refused(b"a,a\n1,2\n"), TableError::SameName(name) if name == "a"));
    assert!(matches!(refused(b"a,\n1,2\n"), TableError::NoName(2)));
    assert!(matches!(refused(b"a,b\n1\n"), TableError::Csv(_)));
    assert!(matches!(refused(b"a,b\n1,\xff\n"), TableError::Csv(_)));
}

#[test]
fn what_cannot_be_foretold_is_refused_with_the_reason() {
    let refused = |text: &str, target: &str, ignored: &[&str]| {
        let ignored: Vec<String> = ignored.iter().map(|name| (*name).to_owned()).collect();
        match Examples::of(table(text), target, &ignored) {
            Ok(examples) => panic!("taken as {examples:?}"),
            Err(error) => error,
        }
    };
    let two = "x,class\n1,a\n2,b\n";
    let names = vec!["x".to_owned(), "class".to_owned()];
    let unknown = ExamplesError::NoColumn("clas".to_owned(), names.clone());
    assert_eq!(refused(two, "clas", &[]), unknown);
    let unknown = ExamplesError::NoColumn("y".to_owned(), names);
    assert_eq!(refused(two, "class", &["y"]), unknown);
    assert_eq!(refused(two, "class", &["x"]), ExamplesError::NothingToAsk);
    let one = ExamplesError::OneClass("class".to_owned());
    assert_eq!(refused("x,class\n1,a\n2,a\n3,?\n", "class", &[]), one);
    let numbers = ExamplesError::Numbers("class".to_owned());
    assert_eq!(refused("x,class\n1,0.5\n2,1\n", "class", &[]), numbers);
    let many: String = (0..300).map(|row| format!("1,c{row}\n")).collect();
    let too_many = ExamplesError::TooManyClasses("class".to_owned(), 300);
    assert_eq!(refused(&format!("x,class\n{many}"), "class", &[]), too_many);
}

#[test]
fn a_document_names_what_stands_in_the_table() {
    let text = "\
Enemy Distance (m),2nd weapon,in,class
1.5,bow,true,Strike!
2.0,sword,true,Strike!
40.0,bow,true,shoot
50.0,bow,false,shoot
45.0,sword,true,walk home
60.0,sword,,walk home
";
    let examples = Examples::of(table(text), "class", &[]).expect("there is something to learn");
    let options = Options {
        min_leaf: 1,
        ..Options::default()
    };
    let tree = learn(&examples, &examples.rows, &options);
    let expected = "\
// Learned: what `class` is, from 6 rows. Behind each leaf: how many rows of a class came there.
blackboard {
    key enemy_distance_m type=double default=0.0 doc=\"Enemy Distance (m)\"
    key column_2nd_weapon type=enum default=bow doc=\"2nd weapon\" { value bow sword; }
}
leaves {
    action strike doc=\"Strike!\"
    action shoot
    action walk-home doc=\"walk home\"
}
main decide=soldier
decide soldier {
    test \"enemy_distance_m <= 21.0\" { action strike; } // 2 Strike!
    test \"column_2nd_weapon == bow\" { action shoot; } // 2 shoot
    action walk-home // 2 walk home
}
";
    assert_eq!(document(&tree, &examples, "soldier"), expected);
}

#[test]
fn missing_values_go_where_they_belong() {
    let rows: String = (0..40)
        .map(|row| match row % 4 {
            0 => "1,a\n",
            1 => "9,b\n",
            2 => "?,b\n",
            _ => "2,a\n",
        })
        .collect();
    let examples = Examples::of(table(&format!("x,class\n{rows}")), "class", &[]);
    let examples = examples.expect("there is something to learn");
    let tree = learn(&examples, &examples.rows, &Options::default());
    let document = document(&tree, &examples, "x");
    assert!(
        document.contains("test \"has(x) && x <= 5\" { action a; }"),
        "{document}"
    );
    assert!(
        document.contains("key x type=int optional=#true"),
        "{document}"
    );
    assert_eq!((tree.leaves(), tree.depth()), (2, 1));
}
