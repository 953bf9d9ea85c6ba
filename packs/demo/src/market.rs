//! What the script does with a question about a market: it looks the instrument up, and asks for what
//! it found.

use serde_json::json;
use toolwright_core::{Call, Conversation};

/// What a question about a market wants to know.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Price,
    Candles,
}

impl Wanted {
    fn of(question: &str) -> Option<Self> {
        let lower = question.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        if has(&["ohlc", "candle"]) {
            return Some(Self::Candles);
        }
        has(&["price", "quote"]).then_some(Self::Price)
    }

    /// The tool that looks an instrument up, and the one that is asked about it.
    fn tools(self) -> (&'static str, &'static str) {
        match self {
            Self::Price => ("search_instruments", "get_market_quote"),
            Self::Candles => ("find_instrument", "get_daily_ohlcv"),
        }
    }
}

/// The next call a question about a market needs, if there is one.
pub(super) fn next_call(question: &str, since: &Conversation) -> Option<Call> {
    let wanted = Wanted::of(question)?;
    let (look, then) = wanted.tools();
    let called = |name: &str| since.was_called(name);
    match (called(look), called(then)) {
        (false, _) => {
            let name = instrument(question)?;
            let arguments = match wanted {
                Wanted::Candles => json!({"symbol": name, "segment": segment(&name)}),
                Wanted::Price => json!({"query": name}),
            };
            Some(Call::new("", look, arguments.to_string()))
        }
        (true, false) => found(since, wanted).map(|arguments| Call::new("", then, arguments)),
        (true, true) => None,
    }
}

/// What was found, as arguments of the next call.
fn found(since: &Conversation, wanted: Wanted) -> Option<String> {
    if wanted == Wanted::Candles {
        let text = |at: &str| since.value::<String>("find_instrument", at).ok();
        let (id, segment) = (text("/security_id")?, text("/exchange_segment")?);
        return Some(json!({"security_id": id, "exchange_segment": segment}).to_string());
    }
    let at = |field: &str| format!("/instruments/0/{field}");
    let id = since.value::<u64>("search_instruments", &at("security_id")).ok()?;
    let segment = since.value::<String>("search_instruments", &at("exchange_segment")).ok()?;
    Some(json!({"securities": {segment: [id]}}).to_string())
}

/// `What's the current price of NIFTY?` → `NIFTY`.
fn instrument(question: &str) -> Option<String> {
    let lower = question.to_lowercase();
    let start =
        [" of ", " for "].iter().filter_map(|it| Some(lower.rfind(it)? + it.len())).max()?;
    let rest = question.get(start..)?;
    let end = rest.find(['?', '!', ';', '.', ',', '\n']).unwrap_or(rest.len());
    let idle = ["share", "shares", "stock", "today", "now", "the", "please", "index"];
    let words = rest.get(..end)?.split_whitespace();
    let words = words.filter(|it| !idle.contains(&it.to_lowercase().as_str()));
    let name = words.collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}

fn segment(name: &str) -> &'static str {
    let name = name.to_lowercase();
    let indices = ["nifty", "sensex", "bankex", "vix"];
    if indices.iter().any(|it| name.contains(it)) { "IDX_I" } else { "NSE_EQ" }
}

/// What the last result says, without the mark that it is one.
pub(super) fn answer(question: &str, since: &Conversation) -> Option<String> {
    Wanted::of(question)?;
    Some(since.results().last()?.outcome.unmarked().to_owned())
}

#[cfg(test)]
mod tests {
    use super::instrument;

    #[test]
    fn instruments_are_found_in_questions() {
        for (question, name) in [
            ("What's the current price of NIFTY?", Some("NIFTY")),
            ("Get OHLCV data for NIFTY", Some("NIFTY")),
            ("price of the Bank Nifty index today, please", Some("Bank Nifty")),
            ("What is a price?", None),
        ] {
            assert_eq!(instrument(question).as_deref(), name, "{question}");
        }
    }
}
