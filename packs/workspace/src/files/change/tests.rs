use proptest::prelude::*;

use super::*;

fn edit(content: &str, old: &str, new: &str) -> Result<String, String> {
    changed(content.as_bytes(), old, new, Which::Only)
        .map(|content| String::from_utf8(content).unwrap())
}

fn changed(content: &[u8], old: &str, new: &str, which: Which) -> Result<Vec<u8>, String> {
    let change = replace(Path::new("/ws/f"), content, (old, new), which);
    change.map(|it| it.content).map_err(|error| error.to_string())
}

#[test]
fn what_is_added_stands_on_lines_of_its_own() {
    for (content, text, all) in [
        ("a\n", "b", "a\nb\n"),
        ("a\n", "b\n", "a\nb\n"),
        ("a", "b", "a\nb"),
        ("a", "b\n", "a\nb\n"),
        ("", "b", "b"),
        ("a\r\n", "b\nc", "a\r\nb\r\nc\r\n"),
        ("a\r\nx", "b\n", "a\r\nx\r\nb\r\n"),
        ("a\n\n", "b", "a\n\nb\n"),
    ] {
        assert_eq!(
            String::from_utf8(appended(content.as_bytes(), text)).unwrap(),
            all,
            "{content:?}"
        );
    }
}

#[test]
fn a_setting_is_not_left_with_half_of_its_line() {
    for (content, old, new) in [
        ("[a]\ndebug = false\n", "debug", "true"),
        ("debug: false", "debug", "true"),
        ("  port=8080\n", "port", "9090"),
        ("debug = false\n", "debug", "debug = true"),
        ("a.b-c: 1\n", "a.b-c", "a.b-c: 2"),
    ] {
        let error = edit(content, old, new).unwrap_err();
        assert!(error.contains("would leave half of the line"), "{content}: {error}");
        assert!(error.contains(content.lines().last().unwrap().trim()), "{error}");
    }
    for (content, old, new, all) in [
        ("debug = false\n", "debug = false", "debug = true", "debug = true\n"),
        ("debug = false\n", "debug", "verbose", "verbose = false\n"),
        ("debug = false\n", "false", "true", "debug = true\n"),
        ("a == b\n", "a", "1", "1 == b\n"),
        ("foo::bar()\n", "foo", "foo::baz", "foo::baz::bar()\n"),
        ("if port = 1\n", "port", "2", "if 2 = 1\n"),
        ("8080: a\n", "8080", "9090", "9090: a\n"),
    ] {
        assert_eq!(edit(content, old, new).unwrap(), all);
    }
}

#[test]
fn the_only_occurrence_is_replaced() {
    assert_eq!(edit("a b c", "b", "x").unwrap(), "a x c");
}

#[test]
fn many_occurrences_are_counted_with_their_lines() {
    let error = edit("x\nx\ny\nx\n", "x", "z").unwrap_err();
    assert!(error.contains("occurs 3 times in /ws/f, in lines 1, 2, 4"), "{error}");
    let error = edit(&"x\n".repeat(1200), "x", "z").unwrap_err();
    assert!(error.contains("1,200 times") && error.contains("and 1,195 more"), "{error}");
}

#[test]
fn of_whole_lines_nothing_stays_not_even_an_empty_one() {
    for (content, old, left) in [
        ("a\nb\nc\n", "b", "a\nc\n"),
        ("a\nb\nc\n", "a\nb", "c\n"),
        ("a\r\nb\r\nc", "b", "a\r\nc"),
        ("a\nb", "b", "a"),
        ("a\r\nb", "b", "a"),
        ("a\n", "a", ""),
        ("a", "a", ""),
        // Of several the one that is a line.
        ("buy milk\ncall\nbuy milk powder\n", "buy milk", "call\nbuy milk powder\n"),
        // Its end was named, or it is no whole line.
        ("a\nb\n\nc\n", "b\n", "a\n\nc\n"),
        ("a\nb c\n", "b ", "a\nc\n"),
        ("a\n  b\nc\n", "b", "a\nc\n"),
    ] {
        assert_eq!(edit(content, old, "").unwrap(), left, "{content:?} without {old:?}");
    }
    assert_eq!(changed(b"x\na\nx\n", "x", "", Which::All).unwrap(), b"a\n");
    assert_eq!(changed(b"x\nax\n", "x", "", Which::All).unwrap(), b"\na\n");
    assert_eq!(edit("a\nb\nc\n", "b", "x").unwrap(), "a\nx\nc\n");
    for (content, old) in [("a\nab\na\n", "a"), ("ab a", "a")] {
        assert!(edit(content, old, "").unwrap_err().contains("occurs"), "{content:?}");
    }
}

#[test]
fn of_a_line_that_goes_its_indent_goes_too() {
    let code = "def f():\n    # TODO: more\n\treturn 1\n";
    assert_eq!(edit(code, "# TODO: more", "").unwrap(), "def f():\n\treturn 1\n");
    assert_eq!(edit(code, "return 1", "").unwrap(), "def f():\n    # TODO: more\n");
    // What stands behind something is no line.
    assert_eq!(edit("a = 1  # one\nb\n", "# one", "").unwrap(), "a = 1  \nb\n");
    assert_eq!(edit("  a\n  b a\n", "b a", "").unwrap(), "  a\n");
}

#[test]
fn occurrences_that_overlap_are_many() {
    assert!(edit("aaa", "aa", "b").unwrap_err().contains("occurs 2 times"));
    assert_eq!(changed(b"aaa", "aa", "b", Which::All).unwrap(), b"ba");
}

#[test]
fn line_endings_are_the_files() {
    assert_eq!(edit("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\n").unwrap(), "x\r\ny\r\nc\r\n");
    assert_eq!(edit("a\r\nb\r\n", "b", "x\ny").unwrap(), "a\r\nx\r\ny\r\n");
    assert_eq!(edit("a\nb\n", "a\r\nb\r\n", "x\r\n").unwrap(), "x\n");
    // Where both are in use, what was given is what is meant, as long as it is there.
    assert_eq!(edit("a\r\nb\nc\n", "b\nc", "x\ny").unwrap(), "a\r\nx\ny\n");
    assert!(edit("a\r\n", "a\r\n", "a\n").unwrap_err().contains("nothing to change"));
}

#[test]
fn what_was_probably_meant_is_said() {
    let content = "fn a() {\n    one();\n\ttwo();\n}\n";
    let error = edit(content, "one();\n  two();", "x").unwrap_err();
    assert!(error.contains("Lines 2-3 differ from it only in whitespace"), "{error}");
    let error = edit(content, "     2\t    one();", "x").unwrap_err();
    assert!(error.contains("leave those out"), "{error}");
    let error = edit(content, "three();", "x").unwrap_err();
    assert!(error.contains("Show the file"), "{error}");
    assert!(edit("", "x", "y").unwrap_err().contains("is not in /ws/f."));
}

#[test]
fn more_occurrences_than_can_be_meant_are_refused() {
    let content = vec![b'a'; 1_000_001];
    assert!(changed(&content, "a", "b", Which::All).unwrap_err().contains("more than 1,000,000"));
}

#[test]
fn a_file_does_not_grow_without_bound() {
    let content = vec![b'a'; 1 << 19];
    let error = changed(&content, "a", &"b".repeat(1 << 20), Which::All).unwrap_err();
    assert!(error.contains("512 GiB"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn replacing_the_only_occurrence_keeps_all_other_bytes(
        before in proptest::collection::vec(any::<u8>(), 0..60),
        after in proptest::collection::vec(any::<u8>(), 0..60),
        old in "[a-d\u{e9}]{1,6}",
        new in "[a-d\u{e9}]{1,6}",
    ) {
        let content = [before.as_slice(), old.as_bytes(), after.as_slice()].concat();
        let times = (0..content.len()).filter(|at| content[*at..].starts_with(old.as_bytes())).count();
        let result = changed(&content, &old, &new, Which::Only);
        if old == new || times > 1 {
            prop_assert!(result.is_err());
        } else {
            prop_assert_eq!(result.unwrap(), [before.as_slice(), new.as_bytes(), after.as_slice()].concat());
        }
    }

    #[test]
    fn replacing_all_keeps_what_is_between(
        parts in proptest::collection::vec(proptest::collection::vec(128_u8..=255, 0..20), 1..12),
        old in "[a-d]{1,6}",
        new in "[e-h\n]{0,6}",
    ) {
        let content = parts.join(old.as_bytes());
        let result = changed(&content, &old, &new, Which::All);
        if parts.len() == 1 {
            prop_assert!(result.is_err());
        } else {
            prop_assert_eq!(result.unwrap(), parts.join(new.as_bytes()));
        }
    }
}
