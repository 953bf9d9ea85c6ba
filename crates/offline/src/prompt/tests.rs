//! Prompts are byte for byte those the model was trained on.

use self::golden::GoldenPrompt;
use super::Prompt;

#[path = "../../tests/prompts/golden.rs"]
mod golden;

fn rendered(golden: &GoldenPrompt) -> Prompt {
    Prompt::render(&golden.conversation(), &golden.definitions(), golden.today)
}

#[test]
fn prompts_are_as_trained() {
    for (name, golden) in GoldenPrompt::all() {
        assert_eq!(rendered(&golden).text, golden.expected, "{name}");
    }
}

#[test]
fn values_come_from_the_person_and_from_results() {
    let golden = GoldenPrompt::all();
    let Prompt { said, found, .. } = rendered(&golden["demo-results"]);
    assert_eq!(said, ["What's the weather in São Paulo and a 20% tip on $45.60?"]);
    assert_eq!(found, ["Weather in São Paulo: 72°F, sunny", "{\"tip\":9.12,\"total\":54.72}"]);
    // What the runtime said in the person's place is not among them.
    let Prompt { said, found, .. } = rendered(&golden["trading-chain"]);
    let mut all = said.iter().chain(&found);
    assert!(all.all(|text| !text.contains("was refused")), "{said:?} {found:?}");
}
