use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;
use toolwright_core::{ToolChoice, ToolSpec};

use super::{Constraint, Context, Style, lexicon, world::World};
use crate::prompt::spaced;

/// More tokens than any turn of these has.
const MOST: usize = 20_000;

fn spec(world: &mut World) -> Arc<ToolSpec> {
    let parameters = world.parameters();
    let spec = ToolSpec::new("find", "Finds.", parameters);
    let composed = world.composed.clone();
    Arc::new(composed.into_iter().fold(spec, ToolSpec::generated))
}

fn constraint(world: &mut World, spec: &Arc<ToolSpec>, choice: &ToolChoice) -> Constraint {
    let lexicon = lexicon(&mut world.rng);
    let pointers = ["[[1]]".to_owned(), "[[tools]]".to_owned()];
    let context = Context::answering(&world.said(), &[], &[], &pointers);
    Constraint::new(lexicon, std::slice::from_ref(spec), context, choice, Style::default())
}

/// Writes a turn with tokens taken at random.
fn written(constraint: &mut Constraint, world: &mut World) -> Vec<u8> {
    let mut written = Vec::new();
    for _ in 0..MOST {
        let tokens: Vec<_> = constraint.allowed().tokens().collect();
        assert!(
            !tokens.is_empty(),
            "stuck after {} of {:?}",
            String::from_utf8_lossy(&written),
            world.said()
        );
        let token = tokens[world.rng.usize(..tokens.len())];
        written.extend(constraint.lexicon.vocabulary().bytes(token));
        constraint.push(token);
        if constraint.is_finished() {
            return written;
        }
    }
    panic!("no end: {}", String::from_utf8_lossy(&written));
}

/// The arguments of the calls in a turn.
fn calls(turn: &str) -> Vec<Value> {
    let calls = turn.split('\n').map(|call| {
        assert!(call.ends_with("</tool_call>"), "cut off: {turn}");
        let call = call.strip_prefix("<tool_call>").unwrap();
        let call: Value = serde_json::from_str(call.strip_suffix("</tool_call>").unwrap()).unwrap();
        assert_eq!(call["name"], "find");
        call["arguments"].clone()
    });
    calls.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whatever_is_written_ends_parses_validates_and_is_grounded(seed: u64) {
        let mut world = World::new(seed);
        let spec = spec(&mut world);
        let mut constraint = constraint(&mut world, &spec, &ToolChoice::Required);
        let turn = String::from_utf8(written(&mut constraint, &mut world)).unwrap();
        if turn.starts_with('<') {
            let validator = jsonschema::validator_for(&spec.parameters).unwrap();
            for arguments in calls(&turn) {
                let errors: Vec<_> = validator.iter_errors(&arguments).map(|it| it.to_string()).collect();
                prop_assert!(errors.is_empty(), "{arguments}: {errors:?} {}", spec.parameters);
                prop_assert!(world.is_grounded(&arguments, &spec.parameters), "{arguments} of {:?} {}", world.said(), spec.parameters);
            }
        }
    }

    #[test]
    fn what_is_valid_and_grounded_may_be_written(seed: u64) {
        let mut world = World::new(seed);
        let spec = spec(&mut world);
        let Some(arguments) = world.value(&spec.parameters) else { return Ok(()) };
        let arguments = spaced(&arguments);
        let turn = format!("<tool_call>{{\"name\": \"find\", \"arguments\": {arguments}}}</tool_call>");
        let mut constraint = constraint(&mut world, &spec, &ToolChoice::Auto);
        let mut rest = turn.as_bytes();
        while !rest.is_empty() {
            // Any token that fits may be taken, long or short.
            let fitting: Vec<_> = (0..constraint.lexicon.vocabulary().size())
                .filter(|token| {
                    let bytes = constraint.lexicon.vocabulary().bytes(*token);
                    !bytes.is_empty() && rest.starts_with(bytes)
                })
                .collect();
            let token = fitting[world.rng.usize(..fitting.len())];
            prop_assert!(constraint.allowed().allows(token), "{turn} at {} of {:?}", String::from_utf8_lossy(rest), world.said());
            constraint.push(token);
            rest = &rest[constraint.lexicon.vocabulary().bytes(token).len()..];
        }
        let end = constraint.lexicon.vocabulary().end();
        prop_assert!(constraint.allowed().allows(end));
    }
}

proptest! {
    // Each looks at every token at every step.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_mask_has_the_tokens_whose_bytes_can_follow(seed: u64) {
        let mut world = World::new(seed);
        let spec = spec(&mut world);
        let mut constraint = constraint(&mut world, &spec, &ToolChoice::Auto);
        for _ in 0..40 {
            let end = constraint.lexicon.vocabulary().end();
            for token in 0..end {
                let lexicon = constraint.lexicon.clone();
                let bytes = lexicon.vocabulary().bytes(token).iter();
                let mut goes_beyond = false;
                let state = bytes.enumerate().fold(constraint.state.clone(), |state, (at, byte)| {
                    goes_beyond |= at > 0 && state.is_called();
                    state.push(&constraint.grammar, *byte)
                });
                let is_allowed = constraint.allowed().allows(token);
                // A call that was made is not made again, although it could be.
                let may_differ = !is_allowed && constraint.repeated.has_any();
                prop_assert!(may_differ || is_allowed == (!state.is_dead() && !goes_beyond));
            }
            let tokens: Vec<_> = constraint.allowed().tokens().collect();
            constraint.push(tokens[world.rng.usize(..tokens.len())]);
            if constraint.is_finished() {
                break;
            }
        }
    }
}
