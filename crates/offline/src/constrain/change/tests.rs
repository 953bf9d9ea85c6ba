//! What lines may become, by what is said.

use super::*;

const FILES: &str = "     1\tdate,who,what,amount\n     2\t2026-01-12,Mina,membership,25.00\n     3\t2026-01-20,Oskar,membership,25.00\n     4\t2026-02-03,club,coffee,-14.60\n     5\tport = 8080\n     6\ttimeout = 30 # seconds\n     7\tregion = \"us-east-1\"\n     8\tdebug = false\n     9\t- call the bank\n    10\tversion = \"0.4.1\"\n    11\trequires-python = \">=3.9\"";

/// The lines that may come about.
fn new(request: &str) -> Vec<String> {
    let all = changes(request, &[FILES.to_owned()]).unwrap_or_default();
    let lines: Vec<_> = FILES.lines().filter_map(|it| Some(it.split_once('\t')?.1)).collect();
    let whole = all.into_iter().filter(|it| lines.contains(&it.old.as_str()));
    whole.map(|it| it.new).collect()
}

#[test]
fn what_is_said_takes_the_place_of_what_is_of_its_kind() {
    for (request, lines) in [
        ("change the port to 9090", &["port = 9090"][..]),
        ("change 8080 to 9090", &["port = 9090"]),
        ("it is -15 for coffee and not -14.60", &["2026-02-03,club,coffee,-15"]),
        ("set port = 8080 to port = 7000 in app.toml", &["port = 7000"]),
        ("bump the port to 8081", &["port = 8081"]),
        ("set port to 9090 in app.toml, club.csv stays", &["port = 9090"]),
        ("9090 instead of 8080 pls", &["port = 9090"]),
        ("make the coffee one -15.20", &["2026-02-03,club,coffee,-15.20"]),
        ("coffee was on 2026-02-04, fix the date", &["2026-02-04,club,coffee,-14.60"]),
        (
            "Oskar paid 30.00 for his membership and not 25.00, fix his row",
            &["2026-01-20,Oskar,membership,30.00"],
        ),
        ("double the timeout", &["timeout = 60 # seconds"]),
        ("raise the timeout by 5", &["timeout = 35 # seconds"]),
        ("mark the bank item as done", &["- [x] call the bank"]),
        ("comment out the port with a #", &["# port = 8080"]),
        ("pls comment debug, with #", &["# debug = false"]),
        ("requires-python should be >=3.11", &["requires-python = \">=3.11\""]),
        (
            "bump the version",
            &["version = \"0.4.2\"", "version = \"0.5.0\"", "version = \"1.0.0\""],
        ),
    ] {
        assert_eq!(new(request), lines, "{request}");
    }
    assert!(new("turn debug on").contains(&"debug = true".to_owned()));
    assert!(new("change the region to eu-west-1").contains(&"region = \"eu-west-1\"".to_owned()));
    assert!(new("change the region to eu-west-1").iter().all(|it| it.starts_with("region = ")));
    let board = new("change club to board");
    assert!(board.contains(&"2026-02-03,board,coffee,-14.60".to_owned()), "{board:?}");
    assert!(board.iter().all(|it| it.ends_with(",coffee,-14.60")), "{board:?}");
}

#[test]
fn what_is_added_beside_words_or_taken_out_leaves_the_rest() {
    let added = new("add tea behind coffee, with a comma");
    assert!(added.contains(&"2026-02-03,club,coffee, tea,-14.60".to_owned()), "{added:?}");
    assert_eq!(added.len(), 3, "{added:?}");
    let file = ["     1\t# Kites\n     2\t## Use\n     3\tUse them\n".to_owned()];
    let named = changes("rename the heading Use to Usage", &file).unwrap_or_default();
    assert!(named.iter().all(|it| it.old == "## Use" || it.old == "Use"), "{named:?}");
    let title = changes("the title should be My Kites", &file).unwrap_or_default();
    assert!(
        title.iter().any(|it| it.new == "# My Kites")
            && title.iter().all(|it| it.old.contains("Kites"))
    );
    let gone = new("remove the coffee");
    assert!(gone.contains(&String::new()) && gone.contains(&"2026-02-03,club,-14.60".to_owned()));
}

#[test]
fn where_nobody_says_what_is_to_stand_there_the_model_finds_it() {
    for request in [
        "fix the typo in line 3",
        "add a line about tea",
        "translate the header to French",
        "improve it",
    ] {
        assert_eq!(new(request), [""; 0], "{request}");
    }
    let unseen = |request: &str| changes(request, &[]);
    assert_eq!(unseen("change the port to 9090"), Some(Vec::new()), "that is to be looked for");
    assert_eq!(unseen("improve it"), None);
    let version = Changed { new: "3.11".to_owned(), old: "3.9".to_owned() };
    assert_eq!(unseen("python >=3.11 instead of >=3.9 pls"), Some(vec![version]));
}

#[test]
fn lines_of_files_are_known_by_what_stands_before_them() {
    let found = [
        "     1\tport = 8080\n     2\t\n     3\t  a: b\n",
        "app.toml:4: timeout = 30\n",
        "File edited successfully: /w/a\n\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-port = 1\n+port = 2\n",
        "TCS: 3,900.00",
    ];
    let found = found.map(str::to_owned);
    assert_eq!(shown(&found), ["a: b", "port = 2", "port = 8080", "timeout = 30"]);
}

#[test]
fn what_stands_between_quotes_is_taken_as_it_is() {
    for (request, lines) in [
        ("change \"coffee\" to \"tea, green\"", &["2026-02-03,club,tea, green,-14.60"][..]),
        ("write 'Anna\'s bank' instead of 'the bank'", &["- call Anna's bank"]),
        ("change the bank item to '- call the printer'", &["- call the printer"]),
        ("remove the word \"the\" from the bank line", &["- call bank"]),
        ("set the region to \"eu, or us\"", &["region = \"eu, or us\""]),
    ] {
        assert_eq!(new(&request.replace("\\'", "'")), lines, "{request}");
    }
}

#[test]
fn what_is_said_of_it_is_about_what_was_shown() {
    assert!(new("make it 8181").contains(&"port = 8181".to_owned()));
    let item = "- call the printer in June".to_owned();
    assert!(new("change the second one to '- call the printer in June'").contains(&item));
}

#[test]
fn what_nobody_named_stays() {
    for request in
        ["set retries to 5", "change the fax number to 555-1234", "use tea instead of beer"]
    {
        assert_eq!(changes(request, &[FILES.to_owned()]), Some(Vec::new()), "{request}");
    }
}
