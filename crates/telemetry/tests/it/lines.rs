//! What log lines say, to people and to programs.

use serde_json::Value;

use crate::part;

#[test]
fn people_read_what_happens_line_by_line() {
    let played = part::play("info", "pretty", &[]);
    let log = played.log;
    let lines: Vec<_> =
        log.lines().filter(|it| it.contains("conversation=conv-answered")).collect();
    let line = |needle: &str| {
        let found: Vec<_> = lines.iter().filter(|it| it.contains(needle)).collect();
        assert_eq!(found.len(), 1, "{needle:?} in\n{}", lines.join("\n"));
        found[0].to_string()
    };
    assert!(line("Iteration 1/5").starts_with(" INFO [agentic_loop] Iteration 1/5 "));
    line("Iteration 2/5");
    // A tool's own lines say where they belong, too.
    line(r"looked out\nof the \u{1b}[31mwindow");
    line(r#"[execute_tool] Executing: weather {"city":"Bonn"} call=call_ok"#);
    let finished = line("finished call=call_ok");
    assert!(finished.contains("status=success") && finished.contains("latency_ms="), "{finished}");
    assert!(finished.contains(r#"result="21 degrees"#), "{finished}");
    assert!(line("finished call=call_slow").contains("status=timeout"));
    assert!(line("finished call=call_panic").contains("status=error"));
    assert!(lines.iter().all(|it| it.contains(" run=run_")), "{}", lines.join("\n"));
    assert!(!log.contains('\u{1b}'), "no colours where nobody sees them");
}

#[test]
fn what_a_tool_returns_does_not_command_the_terminal() {
    let coloured = part::play("info", "pretty", &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")]).log;
    assert!(coloured.contains("\u{1b}[32m INFO"), "{coloured:?}");
    assert!(coloured.contains(r"\u{1b}[31mand sunny"), "{coloured:?}");
    assert!(!coloured.contains("\u{1b}[31mand"), "{coloured:?}");
}

#[test]
fn programs_read_objects() {
    let played = part::play("info", "json", &[]);
    let lines: Vec<Value> =
        played.log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    for line in &lines {
        let time = line["time"].as_str().unwrap();
        assert!(time.len() == 24 && time.ends_with('Z'), "{line}");
        assert_eq!(line["level"], "info");
        assert!(line["run"].as_str().unwrap().starts_with("run_"), "{line}");
    }
    let of_run = lines.iter().filter(|it| it["conversation"] == "conv-answered");
    let said = |line: &&Value| line["message"].as_str().unwrap().to_owned();
    let messages: Vec<_> = of_run.clone().map(|it| said(&it)).collect();
    assert_eq!(messages[0], "[agentic_loop] Iteration 1/5");
    assert!(messages.contains(&r#"[execute_tool] Executing: weather {"city":"Bonn"}"#.to_owned()));
    let is_end =
        |it: &&Value| it["fields"]["call"] == "call_ok" && it["fields"]["status"] != Value::Null;
    let end = of_run.clone().find(is_end).expect("how it ended");
    assert_eq!(end["message"], "[execute_tool] finished");
    assert_eq!(end["fields"]["status"], "success");
    assert!(end["fields"]["latency_ms"].is_f64(), "{end}");
    assert_eq!(end["fields"]["result"], "21 degrees \u{1b}[31mand sunny");
}

#[test]
fn a_quiet_level_is_quiet() {
    assert_eq!(part::play("error", "json", &[]).log, "");
    assert_eq!(part::play("off", "pretty", &[]).log, "");
}
