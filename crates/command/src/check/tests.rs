use serde_json::json;

use super::*;

#[expect(clippy::needless_pass_by_value, reason = "reads as json!({…}) at the call")]
fn checked(more: Value, author: &Author) -> Result<CheckedCommand, String> {
    let mut all = json!({
        "description": "Counts words.",
        "command": ["wc", "-w", "--", "{path}"],
        "args": {"path": "string, the file"},
    });
    let fields = all.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    let definition = serde_json::from_value(all).map_err(|it| it.to_string())?;
    CheckedCommand::new("count", &definition, author)
}

fn user() -> Author {
    Author::User("/usr".into())
}

fn project() -> Author {
    Author::Project("/usr".into())
}

#[test]
fn what_changes_nothing_only_reads() {
    assert_eq!(checked(json!({}), &user()).unwrap().spec.effect, ToolEffect::ReadOnly);
    let network = json!({"sandbox": {"network": true}});
    assert_eq!(checked(network.clone(), &user()).unwrap().spec.effect, ToolEffect::Write);
    let lies = json!({"sandbox": {"network": true}, "effect": "read_only"});
    assert_eq!(checked(lies.clone(), &user()).unwrap().spec.effect, ToolEffect::ReadOnly);
    assert_eq!(checked(lies, &project()).unwrap().spec.effect, ToolEffect::Destructive);
    let open = json!({"sandbox": false});
    assert_eq!(checked(open, &user()).unwrap().spec.effect, ToolEffect::Write);
}

#[test]
fn a_project_says_less_than_its_user() {
    for (more, why) in [
        (json!({"sandbox": false}), "runs in a sandbox"),
        (json!({"env": ["OPENAI_API_KEY"]}), "a project's tool gets only"),
        (json!({"env": ["LD_PRELOAD"]}), "a project's tool gets only"),
        (json!({"env": ["PATH"]}), "a project's tool gets only"),
        (json!({"sandbox": {"read": ["/etc"]}}), "outside of the project"),
        (json!({"sandbox": {"read": [".."]}}), "outside of the project"),
        (json!({"sandbox": {"write": ["/tmp"]}}), "outside of the project"),
        (json!({"cwd": "/"}), "outside of the project"),
    ] {
        let error = checked(more.clone(), &project()).unwrap_err();
        assert!(error.contains(why), "{more}: {error}");
        let of_user = checked(more.clone(), &user());
        assert!(of_user.is_ok(), "{more}: {of_user:?}");
    }
    checked(json!({"env": ["LANG"], "sandbox": {"read": ["bin"]}}), &project()).unwrap();
}

#[test]
fn what_is_wrong_is_told() {
    for (more, why) in [
        (json!({"command": ["wc", "{path}"]}), "could become an option"),
        (json!({"command": ["wc", "--", "{file}"]}), "is no parameter"),
        (json!({"command": ["wc"]}), "goes nowhere"),
        (json!({"command": []}), "names no program"),
        (json!({"command": ["a\0", "--", "{path}"]}), "NUL"),
        (json!({"stdin": "{nothing}"}), "is no parameter"),
        (json!({"stdin": "text {path}"}), "`stdin` is"),
        (json!({"timeout": "soon"}), "`timeout`"),
        (json!({"timeout": "0s"}), "`timeout`"),
        (json!({"env": ["A=b"]}), "names of variables"),
        (json!({"description": " "}), "`description`"),
        (json!({"cwd": "/nonexistent"}), "cannot be opened"),
        (json!({"descripton": "x"}), "unknown field"),
        (json!({"sandbox": {"net": true}}), "did not match"),
    ] {
        let error = checked(more.clone(), &user()).unwrap_err();
        assert!(error.contains(why), "{more}: {error}");
    }
}
