//! The three conversations: what is asked, which tools there are, what the scripted model calls,
//! what the tools return, and the answer that proves that they ran.

use std::{collections::HashMap, fmt, str::FromStr, time::Duration};

/// The system message of every scenario.
pub const SYSTEM: &str =
    "You are a market assistant. Use the tools to answer; never guess a price.";

/// Calls in the one turn of [`Scenario::Parallel`].
pub const LOOKUPS: i64 = 8;

/// How long `slow_lookup` sleeps.
pub const LOOKUP_TIME: Duration = Duration::from_millis(50);

/// Rounds of [`Scenario::Long`], each with one page.
pub const PAGES: i64 = 100;

/// Bytes in the result of `fetch_page`.
const PAGE_LEN: usize = 2048;

const SEARCH_RESULT: &str = r#"[{"security_id":13,"exchange_segment":"IDX_I","symbol":"NIFTY","name":"Nifty 50 Index","instrument_type":"INDEX"}]"#;
const QUOTE_RESULT: &str = r#"{"IDX_I":{"13":{"last_price":24613.05,"net_change":102.4,"ohlc":{"open":24500.0,"high":24655.8,"low":24480.1,"close":24510.65}}}}"#;

/// Returned by a tool that was called otherwise than the script says. It lacks what the server
/// looks for, so the conversation fails there.
pub const BAD_ARGUMENTS: &str = "bad arguments";

/// One of the three conversations; its name is also the name of the model in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scenario {
    /// Two calls of two tools, one after the other, then the answer: three requests.
    Nifty,
    /// Eight calls at once of a tool that sleeps 50 ms, then the answer: two requests.
    Parallel,
    /// A hundred rounds of one call with a result of 2 KB, then the answer: 101 requests.
    Long,
}

/// A tool as the model is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// The JSON Schema of its arguments, as text.
    pub parameters: &'static str,
}

/// One call that the scripted model makes, and what becomes of it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The identity that pairs the call with its result.
    pub id: String,
    /// The tool called.
    pub name: &'static str,
    /// The arguments, as JSON text.
    pub arguments: String,
    /// What the tool returns.
    pub result: String,
    /// A part of `result` free of quotes, by which the server recognises it in the history.
    pub witness: String,
}

impl Scenario {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Nifty, Self::Parallel, Self::Long];

    /// The name, on the command line and as the model.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nifty => "nifty",
            Self::Parallel => "parallel",
            Self::Long => "long",
        }
    }

    /// The user's message.
    pub fn prompt(self) -> &'static str {
        match self {
            Self::Nifty => "What is the NIFTY index trading at right now?",
            Self::Parallel => "Look up the ids 0 to 7, all at once.",
            Self::Long => "Read the 100 pages one by one, then summarise.",
        }
    }

    /// The model's answer, given only to a history that holds the results of the tools.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Nifty => {
                "The NIFTY 50 index last traded at 24613.05, up 0.42% on the day, in a range of 24480.10 to 24655.80."
            }
            Self::Parallel => {
                "All eight lookups returned; the checksum of the values is 28, and none of them failed."
            }
            Self::Long => {
                "Read 100 pages; the summary is complete and every page was seen exactly once."
            }
        }
    }

    /// The tools that the model is offered.
    pub fn tools(self) -> &'static [Tool] {
        match self {
            Self::Nifty => &[
                Tool {
                    name: "search_instruments",
                    description: "Search instruments by name.",
                    parameters: r#"{"type":"object","properties":{"query":{"type":"string"},"instrument_type":{"type":"string"}},"required":["query","instrument_type"]}"#,
                },
                Tool {
                    name: "get_market_quote",
                    description: "Latest quote by segment and security ids.",
                    parameters: r#"{"type":"object","properties":{"securities":{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}}},"required":["securities"]}"#,
                },
            ],
            Self::Parallel => &[Tool {
                name: "slow_lookup",
                description: "Look up one id.",
                parameters: r#"{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}"#,
            }],
            Self::Long => &[Tool {
                name: "fetch_page",
                description: "Fetch one page.",
                parameters: r#"{"type":"object","properties":{"page":{"type":"integer"}},"required":["page"]}"#,
            }],
        }
    }

    /// [`tools`](Self::tools) as the `tools` array of a request.
    pub fn tools_json(self) -> String {
        let tools: Vec<_> = self
            .tools()
            .iter()
            .map(|Tool { name, description, parameters }| {
                format!(
                    r#"{{"type":"function","function":{{"name":"{name}","description":"{description}","parameters":{parameters}}}}}"#
                )
            })
            .collect();
        format!("[{}]", tools.join(","))
    }

    /// The calls that the model makes, turn by turn; after the last turn it answers.
    pub fn turns(self) -> Vec<Vec<Call>> {
        match self {
            Self::Nifty => vec![
                vec![Call {
                    id: "call_search_1".into(),
                    name: "search_instruments",
                    arguments: r#"{"query":"NIFTY","instrument_type":"INDEX"}"#.into(),
                    result: SEARCH_RESULT.into(),
                    witness: "Nifty 50 Index".into(),
                }],
                vec![Call {
                    id: "call_quote_2".into(),
                    name: "get_market_quote",
                    arguments: r#"{"securities":{"IDX_I":[13]}}"#.into(),
                    result: QUOTE_RESULT.into(),
                    witness: "24613.05".into(),
                }],
            ],
            Self::Parallel => vec![
                (0..LOOKUPS)
                    .map(|id| Call {
                        id: format!("call_slow_{id}"),
                        name: "slow_lookup",
                        arguments: format!(r#"{{"id":{id}}}"#),
                        result: lookup_result(id),
                        witness: format!("slow-ok-{id}"),
                    })
                    .collect(),
            ],
            Self::Long => (0..PAGES)
                .map(|page| {
                    vec![Call {
                        id: format!("call_page_{page}"),
                        name: "fetch_page",
                        arguments: format!(r#"{{"page":{page}}}"#),
                        result: page_result(page),
                        // The space ends the number: page 1 is not page 12.
                        witness: format!("page-ok-{page} "),
                    }]
                })
                .collect(),
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scenario {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|scenario| scenario.name() == name).ok_or_else(|| {
            anyhow::anyhow!("no scenario named {name}; there are nifty, parallel and long")
        })
    }
}

/// What `search_instruments` returns.
pub fn search_result(query: &str, instrument_type: &str) -> &'static str {
    if query == "NIFTY" && instrument_type == "INDEX" { SEARCH_RESULT } else { BAD_ARGUMENTS }
}

/// What `get_market_quote` returns.
pub fn quote_result(securities: &HashMap<String, Vec<i64>>) -> &'static str {
    if securities.get("IDX_I").is_some_and(|ids| ids == &[13]) {
        QUOTE_RESULT
    } else {
        BAD_ARGUMENTS
    }
}

/// What `slow_lookup` returns, after [`LOOKUP_TIME`].
pub fn lookup_result(id: i64) -> String {
    format!(r#"{{"id":{id},"value":"slow-ok-{id}"}}"#)
}

/// What `fetch_page` returns, after [`mark`](crate::measure::mark).
pub fn page_result(page: i64) -> String {
    let mut text = format!("page-ok-{page} ");
    while text.len() < PAGE_LEN {
        text.push_str("lorem ipsum dolor sit amet ");
    }
    text.truncate(PAGE_LEN);
    text
}

/// `text` as a JSON string, with its quotes.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_scenario() {
        for scenario in Scenario::ALL {
            assert_eq!(scenario.name().parse::<Scenario>().unwrap(), scenario);
        }
        assert!("nift".parse::<Scenario>().is_err());
    }

    #[test]
    fn every_call_names_an_offered_tool_and_its_result_holds_the_witness() {
        for scenario in Scenario::ALL {
            for call in scenario.turns().into_iter().flatten() {
                assert!(scenario.tools().iter().any(|tool| tool.name == call.name));
                assert!(call.result.contains(&call.witness), "{call:?}");
                serde_json::from_str::<serde_json::Value>(&call.arguments).unwrap();
            }
            serde_json::from_str::<serde_json::Value>(&scenario.tools_json()).unwrap();
        }
    }

    #[test]
    fn pages_have_one_length() {
        assert!((0..PAGES).all(|page| page_result(page).len() == PAGE_LEN));
    }
}
