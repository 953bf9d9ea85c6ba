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
    let texts = Seen::of(&found).lines.into_iter().map(|it| it.text).collect::<Vec<_>>();
    assert_eq!(texts, ["port = 8080", "a: b", "port = 2", "timeout = 30"]);
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

/// What one call may make of the file, where several changes are one: the lines of it that differ afterwards.
fn blocks(request: &str) -> Vec<Vec<String>> {
    let all = changes(request, &[FILES.to_owned()]).unwrap_or_default();
    let lines: Vec<_> = FILES.lines().filter_map(|it| Some(it.split_once('\t')?.1)).collect();
    let text = lines.join("\n");
    let of = |it: &Changed| {
        assert!(text.contains(&it.old), "{request}: {}", it.old);
        let after = text.replacen(&it.old, &it.new, 1);
        let new = after.lines().filter(|line| !lines.contains(line)).map(str::to_owned);
        let gone = lines.iter().filter(|line| !after.lines().any(|it| it == **line));
        new.chain(gone.map(|it| format!("-{it}"))).collect::<Vec<_>>()
    };
    all.iter().map(of).collect()
}

#[test]
fn several_changes_of_a_file_are_one() {
    for (request, lines) in [
        (
            "set the port to 9090 and the timeout to 60",
            &["port = 9090", "timeout = 60 # seconds", "-port = 8080", "-timeout = 30 # seconds"][..],
        ),
        (
            "change the region to \"eu, west\", and turn debug on",
            &["region = \"eu, west\"", "debug = true", "-region = \"us-east-1\"", "-debug = false"],
        ),
        (
            "set all memberships to 30.00",
            &[
                "2026-01-12,Mina,membership,30.00",
                "2026-01-20,Oskar,membership,30.00",
                "-2026-01-12,Mina,membership,25.00",
                "-2026-01-20,Oskar,membership,25.00",
            ],
        ),
        (
            "comment out the port and the timeout with #",
            &[
                "# port = 8080",
                "# timeout = 30 # seconds",
                "-port = 8080",
                "-timeout = 30 # seconds",
            ],
        ),
    ] {
        let all = blocks(request);
        assert!(all.iter().any(|it| it == lines), "{request}: {all:?}");
        assert!(all.iter().all(|it| it.len() == 4), "{request}: nothing is done by half, {all:?}");
    }
    let all = blocks("remove the coffee and Oskar");
    let gone = ["-2026-01-20,Oskar,membership,25.00", "-2026-02-03,club,coffee,-14.60"];
    assert!(all.iter().any(|it| it == &gone), "{all:?}");
    // What stands in no file that was shown is one change alone.
    let found = ["app.toml:3: port = 8080".to_owned(), "     1\ttimeout = 30".to_owned()];
    let two = changes("set the port to 9090 and the timeout to 60", &found).unwrap_or_default();
    let whole: Vec<_> = two.iter().filter(|it| it.new.contains('=')).map(|it| &*it.new).collect();
    assert_eq!(whole, ["port = 9090", "timeout = 60"]);
}

#[test]
fn what_is_not_done_of_several_changes_is_told() {
    let edited = |gone: &str, come: &str| {
        format!(
            "File edited successfully: /w/a\n\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-{gone}\n+{come}\n"
        )
    };
    let results = [FILES.to_owned(), edited("port = 8080", "port = 9090")];
    let request = "set the port to 9090 and the retries to 5";
    assert_eq!(left(request, &results), ["the retries to 5"]);
    assert_eq!(left("set the port to 9090 and debug to false", &results), [""; 0]);
    assert_eq!(left("set the port to 9090 and show me the file", &results), [""; 0]);
    assert_eq!(
        left(request, &results[..1]),
        [""; 0],
        "nothing was done, and that is told elsewhere"
    );
    let gone = [FILES.to_owned(), edited("2026-02-03,club,coffee,-14.60", "x")];
    assert_eq!(left("remove the coffee and the bank", &gone), ["the bank"]);
}

#[test]
fn a_line_that_went_is_no_line_any_more() {
    let edit = "File edited successfully: /w/a\n\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-port = 8080\n+port = 9090\n";
    let found = ["     1\tport = 8080\n     2\ttimeout = 30\n".to_owned(), edit.to_owned()];
    let texts = Seen::of(&found).lines.into_iter().map(|it| it.text).collect::<Vec<_>>();
    assert_eq!(texts, ["port = 9090", "timeout = 30"]);
    let rest = changes("set the port to 9090 and the timeout to 60", &found).unwrap_or_default();
    assert!(rest.iter().all(|it| it.new == "timeout = 60" || it.new == "60"), "{rest:?}");
}

#[test]
fn what_is_added_goes_where_it_is_said_to_go_and_looks_as_what_is_there() {
    let file = "     1\t# Plan\n     2\t\n     3\t## Buy\n     4\t\n     5\t- [x] milk\n     6\t- [ ] eggs\n     7\t\n     8\t## Done\n     9\t- rent\n    10\t[server]\n    11\t  port = 1\n    12\t[log]\n    13\tlevel = 2";
    let text: Vec<_> = file.lines().filter_map(|it| Some(it.split_once('\t')?.1)).collect();
    let text = text.join("\n");
    for (request, place) in [
        ("add 'call Anna' behind milk", "milk\n- [ ] call Anna\n- [ ] eggs"),
        ("add 'tea' under the heading Buy, at the end", "- [ ] eggs\n- [ ] tea\n\n## Done"),
        ("add 'tea' as the first thing below Buy", "## Buy\n\n- [ ] tea\n- [x] milk"),
        ("add 'host = \"a\"' to the server section", "  port = 1\n  host = \"a\"\n[log]"),
        ("insert 'x = 1' before port", "[server]\n  x = 1\n  port = 1"),
    ] {
        let all = changes(request, &[file.to_owned()]).unwrap_or_default();
        let after: Vec<_> = all.iter().map(|it| text.replacen(&it.old, &it.new, 1)).collect();
        assert!(after.iter().any(|it| it.contains(place)), "{request}: {after:#?}");
    }
    let elsewhere = changes("add 'x = 1' to the cache section", &[file.to_owned()]);
    assert_eq!(elsewhere, Some(Vec::new()), "there is no such section");
}

#[test]
fn what_is_to_stay_stays() {
    let file = "     1\tDB_HOST=db3\n     2\tDB_USER=app\n     3\tDB_HOST_REPLICA=db3\n     4\tDB_USER_REPLICA=app\n     5\tfastcsv>=1.4.1\n     6\tversion = 1.4.1".to_owned();
    for (request, gone) in [
        (
            "change DB_HOST to db7 and DB_USER to app_rw. Don't touch the replica ones",
            &["DB_HOST=db3\nDB_USER=app"][..],
        ),
        ("set the version to 1.4.2, fastcsv stays as it is", &["version = 1.4.1"]),
    ] {
        let all = changes(request, std::slice::from_ref(&file)).unwrap_or_default();
        let old: Vec<_> = all.iter().filter(|it| it.old.contains(['=', '>'])).collect();
        assert!(
            !old.is_empty() && old.iter().all(|it| gone.contains(&&*it.old)),
            "{request}: {old:?}"
        );
    }
}

#[test]
fn what_goes_where_something_else_is_added_is_not_to_be_kept() {
    for request in [
        "remove the milk and add eggs",
        "put the price up by 5",
        "tick the milk off and add tea",
        "The hall is booked, so that line can go. And the meeting has moved, put that in b.txt",
        "the members file has it wrong. Put that right.",
    ] {
        assert!(!only_adds(request), "{request}");
    }
    for request in ["add eggs", "put milk on the list"] {
        assert!(only_adds(request), "{request}");
    }
}

/// What may become of the files that were shown, as they stand afterwards: `lines` are those of a file, which begins at its first.
fn after(request: &str, files: &[&str]) -> Vec<String> {
    let shown = files.iter().map(|text| {
        let lines = text.lines().enumerate();
        lines.map(|(at, it)| format!("{:6}\t{it}\n", at + 1)).collect::<String>()
    });
    let shown: Vec<String> = shown.collect();
    let all = changes(request, &shown).unwrap_or_default();
    let of = |it: &Changed| {
        let file = files.iter().find(|text| text.matches(&*it.old).count() == 1);
        file.map(|text| text.replacen(&it.old, &it.new, 1))
    };
    let all = all
        .iter()
        .map(|it| of(it).unwrap_or_else(|| panic!("{request}: {it:?} stands nowhere, or twice")));
    all.collect()
}

#[test]
fn a_line_is_told_apart_by_what_it_stands_under_and_by_its_fields() {
    let plan = "# Plan\n## Friday\n- Aarti: 7:00 pm\n- Prasad: Iyer family\n## Saturday\n- Aarti: 7:00 pm\n- Prasad: Iyer family";
    let loans = "id,book,class,status\n1,Matilda,7A,out\n2,Matilda,7B,out\n3,Holes,7B,overdue\n7,Emil,8A,out";
    let trip =
        "OUTBOUND\n  Fri 5 June   06:40  BLR\n  Cab at 04:10\nRETURN\n  Mon 8 June   06:40  DEL";
    let meeting = "# Minutes\nThe club met.\nNext meeting: Tuesday 14 April, 18:00, hall";
    let move_list = "[x] give notice\n[ ] call water company\n[ ] read the water meter";
    for (request, file, new) in [
        (
            "on Saturday aarti is now 7:15 pm. Other days no change",
            plan,
            &["## Saturday\n- Aarti: 7:15 pm"][..],
        ),
        (
            "on Saturday prasad will be by the Mehta family instead of the Iyer family",
            plan,
            &["- Prasad: Mehta family"],
        ),
        (
            "the meeting should be in May, not April",
            "- meet in April\n- pay in June",
            &["- meet in May"],
        ),
        (
            "the example should be --month 4 instead of --month 3",
            "    python3 -m report --month 3",
            &["report --month 4"],
        ),
        (
            "put returned as the status for every 7B row",
            loans,
            &["2,Matilda,7B,returned\n3,Holes,7B,returned"],
        ),
        ("set the status of id 7 to returned", loans, &["7,Emil,8A,returned"]),
        (
            "data/cars.csv, the Swift with number KA-05: next service is 2027-02-10 now",
            "number,model,next_service\nKA-05,Swift,2026-12-01\nKA-06,Swift,2026-12-01",
            &["KA-05,Swift,2027-02-10\nKA-06,Swift,2026"],
        ),
        (
            "in a/prod.env change DB_HOST to db7.internal and DB_USER to app_rw",
            "DB_HOST=db3.internal\nDB_PORT=5432\nDB_USER=app\nLOG=info",
            &["DB_HOST=db7.internal\nDB_PORT=5432\nDB_USER=app_rw"],
        ),
        (
            "my outbound flight got delayed to 09:10, update trip/itinerary.txt. (return one is still 06:40)",
            trip,
            &["  Fri 5 June   09:10  BLR"],
        ),
        (
            "The next meeting is one week later than planned, so Tuesday 21 April, same time. It's in minutes/committee.md",
            meeting,
            &["Next meeting: Tuesday 21 April, 18:00, hall"],
        ),
        (
            "I rang the water company just now, tick it off in todo/move.txt",
            move_list,
            &["[x] call water company"],
        ),
    ] {
        let all = after(request, &[file]);
        for lines in new {
            assert!(all.iter().any(|it| it.contains(lines)), "{request}: {all:#?}");
        }
        let is_else = |it: &&String| {
            it.lines().filter(|line| !file.lines().any(|old| old == *line)).count() == 0
        };
        assert!(!all.iter().any(|it| is_else(&it)), "{request}: {all:#?}");
    }
    // A figure takes the place of words only where the line is called so.
    let notify = "[mail]\nretry = 3\n[sms]\nfrom = NORTHGATE\nretry = 3";
    let all = after("the sms part should retry 5 times. mail stays at 3!", &[notify]);
    assert_eq!(all, ["[mail]\nretry = 3\n[sms]\nfrom = NORTHGATE\nretry = 5"]);
    // No loan has this number: what stands elsewhere in a line is none.
    assert_eq!(after("set the status of id 8 to returned", &[loans]), [""; 0]);
    let month = "    python3 -m report --month 3";
    let all = after("the example should be --month 4 instead of --month 3", &[month]);
    assert!(all.iter().all(|it| it == "    python3 -m report --month 4"), "{all:?}");
}

#[test]
fn what_is_needed_no_more_goes_and_what_was_changed_is_known() {
    let needed = "django==5\ncelery==5\ndjango-redis==5\nflask==3\nredis==5";
    let all = after(
        "we don't use celery and redis anymore, take both out (django-redis has to stay!)",
        &[needed],
    );
    assert_eq!(all, ["django==5\ndjango-redis==5\nflask==3"]);
    let feeds =
        "{\n  \"feeds\": [\n    {\"name\": \"Weekly\"},\n    {\"name\": \"Digest\"}\n  ]\n}";
    let all = after("get rid of the digest feed", &[feeds]);
    assert!(all.iter().any(|it| it.contains("    {\"name\": \"Weekly\"}\n  ]")), "{all:#?}");
    let calc = "export function calc(a) {\n  return calcTax(a);\n}\nexport const recalc = calc(1);";
    let all = after(
        "rename function calc to total throughout a.js. calcTax and recalc are others",
        &[calc],
    );
    assert_eq!(all, [calc.replace("calc(a)", "total(a)").replace("= calc(1)", "= total(1)")]);
    let greenhouse = "## Beds\n- [ ] dig\n## Greenhouse\n- [ ] water\n- [x] vent\n- [ ] sow";
    let all = after("everything under Greenhouse is done, tick those off", &[greenhouse]);
    assert_eq!(all, ["## Beds\n- [ ] dig\n## Greenhouse\n- [x] water\n- [x] vent\n- [x] sow"]);
    // The file that is left to be changed is the other one.
    let shown = [
        "     1\t| 10 am | Parents | Hall 2 |\n",
        "     1\tthe parents meet at 10 am in Hall 2.\n",
    ];
    let edited = "File edited successfully: /w/a.md\n\n--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-| 10 am | Parents | Hall 2 |\n+| 11 am | Parents | Hall 2 |\n";
    let found = [shown[0], shown[1], edited].map(str::to_owned);
    let request = "the parents meet at 11 am now and not 10 am, pls correct it in a.md and b.txt. The sports thing stays at 10.";
    let all = changes(request, &found).unwrap_or_default();
    let new: Vec<_> = all.iter().map(|it| it.new.as_str()).collect();
    assert!(new.contains(&"the parents meet at 11 am in Hall 2."), "{all:?}");
    assert!(!new.iter().any(|it| it.starts_with('|')), "{all:?}");
}
