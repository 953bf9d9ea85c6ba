//! What is declared about a tool.

use std::time::Duration;

use toolwright_core::{Policy, ResultFormat, ToolEffect, ToolSpec, Toolset, Verbatim, schema_of};
use toolwright_macros::tool;

/// Ignored.
#[tool(
    manual,
    name = "place-order",
    description = "Place an order.",
    destructive,
    timeout = "250ms",
    render = envelope,
    after = "find_security",
    after("get_funds", "get_quote"),
    asked_by("order", "start over"),
    examples = ["buy ten of them", "sell my shares"],
    verbatim = numbered,
    crate = ::toolwright_core
)]
fn everything(
    #[tool(grounded, rename = "securityId")] security: String,
    #[tool(free_text, generated, seen)] note: String,
    #[tool(
        default,
        rename = "forSure",
        asked_by("force", "at any price"),
        even_unseen("at any price")
    )]
    force: bool,
) {
    let _ = (security, note, force);
}

#[derive(schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema matters")]
struct Arguments {
    #[schemars(rename = "securityId")]
    security: String,
    note: String,
    #[serde(default, rename = "forSure")]
    force: bool,
}

#[test]
fn everything_that_can_be_said_is_in_the_spec() {
    let expected = ToolSpec::new("place-order", "Place an order.", schema_of::<Arguments>())
        .effect(ToolEffect::Destructive)
        .timeout(Duration::from_millis(250))
        .render(ResultFormat::Envelope)
        .after("find_security")
        .after("get_funds")
        .after("get_quote")
        .grounded("securityId")
        .free_text("note")
        .generated("note")
        .seen("note")
        .asked_by(["order", "start over"])
        .asked_for("forSure", ["force", "at any price"])
        .even_unseen("forSure", ["at any price"])
        .examples(["buy ten of them", "sell my shares"])
        .verbatim(Verbatim::Numbered);
    assert_eq!(everything::tool().spec(), &expected);
}

#[allow(deprecated, reason = "the compiler warns that they have no doc comment")]
mod undescribed {
    use toolwright_macros::{tool, toolset};

    #[tool(manual)]
    pub(super) fn bare(text: String) -> String {
        text
    }

    pub(super) struct Desk;

    #[toolset]
    impl Desk {
        #[tool(name = "look-up")]
        fn unsaid(&self, text: String) -> String {
            text
        }
    }
}

/// S2.1: a function without a doc comment is a tool all the same, with its name as the description.
#[test]
fn a_tool_without_words_is_described_by_its_name() {
    let bare = undescribed::bare::tool();
    assert_eq!((&*bare.spec().name, &*bare.spec().description), ("bare", "bare"));
    let tools = std::sync::Arc::new(undescribed::Desk).tools();
    assert_eq!((&*tools[0].spec().name, &*tools[0].spec().description), ("look-up", "look-up"));
}

/// Get candles.
#[tool(manual, read_only)]
fn candles(
    #[tool(grounded(with = "exchangeSegment"))] id: u32,
    #[tool(rename = "exchangeSegment")] segment: String,
    #[tool(grounded)] account: String,
) {
    let _ = (id, segment, account);
}

#[test]
fn what_must_belong_together_is_in_the_spec() {
    let tool = candles::tool();
    assert_eq!(tool.spec().grounded, ["account", "id"]);
    assert_eq!(tool.spec().together, [("id".to_owned(), "exchangeSegment".to_owned())]);
}

/// Look something up.
/// Costs nothing.
///
/// Use it:
/// - often
/// - and early
#[tool(manual)]
pub(crate) fn lookup() {}

#[test]
fn nothing_said_is_nothing_special() {
    let tool = lookup::tool();
    let spec = tool.spec();
    assert_eq!(spec.name, "lookup");
    assert_eq!(
        spec.description,
        "Look something up. Costs nothing.\n\nUse it:\n- often\n- and early"
    );
    assert_eq!(spec.effect, ToolEffect::Write);
    assert_eq!((spec.render, &spec.policy), (ResultFormat::Plain, &Policy::default()));
    assert!(spec.after.is_empty() && spec.grounded.is_empty() && spec.free_text.is_empty());
}

mod inner {
    use toolwright_macros::tool;

    /// Seen by the parent.
    #[tool(manual, read_only)]
    pub(super) fn parent() {}

    /// Seen by the crate.
    #[tool(manual, idempotent, timeout = "2m")]
    pub(crate) fn everyone() {}

    pub(super) mod deeper {
        use toolwright_macros::tool;

        /// Seen two modules up.
        #[tool(manual, render = readable)]
        pub(in super::super) fn grandparent() {}

        /// Seen here.
        #[tool(manual)]
        fn own() {}

        pub(in super::super) fn own_name() -> String {
            own::tool().spec().name.clone()
        }
    }
}

#[test]
fn the_tool_is_seen_where_the_function_is() {
    assert_eq!(inner::parent::tool().spec().effect, ToolEffect::ReadOnly);
    assert_eq!(inner::everyone::tool().spec().effect, ToolEffect::Idempotent);
    assert_eq!(inner::everyone::tool().spec().policy.timeout, Some(Duration::from_secs(120)));
    assert_eq!(inner::deeper::grandparent::tool().spec().render, ResultFormat::Readable);
    assert_eq!(inner::deeper::own_name(), "own");
}
