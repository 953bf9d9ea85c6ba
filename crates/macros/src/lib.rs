//! [`macro@tool`] makes a tool of a function, [`macro@toolset`] of the methods of an `impl` block.
//!
//! What a model is told is what is already written: the doc comment, the names and the types. A
//! mistake in it is an error of the compiler, at the word that is wrong.

use proc_macro::TokenStream;

mod attrs;
mod definition;
mod docs;
mod duration;
mod errors;
mod expand;
mod function;
mod krate;
mod owned;
mod param_attrs;
mod params;
mod policy;
mod toolset;

/// Makes a tool of a function, sync or async.
///
/// ```
/// use toolwright_macros::tool;
///
/// /// Get the current weather in a given location.
/// #[tool(read_only, timeout = "5s")]
/// async fn get_weather(
///     /// The city and state, e.g. San Francisco, CA
///     location: String,
/// ) -> String {
///     format!("22 degrees in {location}")
/// }
///
/// assert_eq!(get_weather::tool().spec().name, "get_weather");
/// ```
///
/// The function stays what it was, and can be called as before. Beside it there is a module of the
/// same name whose `tool()` makes the tool; unless it is `manual`, the tool is also found by
/// `Registration::all()`.
///
/// The doc comment is what the model is told, without its `# Errors` and `# Panics` sections.
/// Parameters become the properties of the arguments; a parameter of type `&RunContext` is filled
/// in by the runtime and never shown. Whatever can be serialised may be returned, and so may a
/// `Result` of it with any error that can be shown.
///
/// A function that is not `async` runs on a thread where it holds up nobody: a timeout, or whoever
/// stops the run, ends the wait for it. The thread cannot be killed; a function that works for long
/// may ask `RunContext::is_cancelled` and stop.
///
/// # On the function
///
/// | | |
/// |---|---|
/// | `read_only`, `idempotent`, `destructive` | what a call does to the world; at most one |
/// | `name = "…"` | the name the model calls, instead of the function's |
/// | `description = "…"` | what the model is told, instead of the doc comment |
/// | `render = plain` | how results are put into words: `plain`, `envelope` or `readable` |
/// | `after = "…"`, `after("…", "…")` | tools that must have answered first |
/// | `asked_by("…", "…")` | words of which the user must have said one before the offline model calls it: for tools that change something. `note` stands for its usual forms, `lösch*` for all that begins so, `start over` for these words in a row |
/// | `examples = ["…", "…"]` | things people say when they want this tool: how one is found among many; no provider is sent them |
/// | `verbatim`, `verbatim = numbered`, `verbatim = diff` | what it returns is the text of files or what programs printed, to be shown letter by letter; `numbered`: each line behind its number; `diff`: what it changed, as a unified diff behind a sentence |
/// | `inline` | on a function that is not `async` and is done within microseconds: it runs where it is called, and not on a thread of its own |
/// | `manual` | not found by `Registration::all()` |
/// | `crate = path` | where the library is, if not where the manifest says |
///
/// How calls are treated on their way to the function. Whoever runs the tool may say otherwise.
///
/// | | |
/// |---|---|
/// | `timeout = "5s"` | how long one attempt may take: `250ms`, `30s`, `5m`, `1h 30m` |
/// | `idle_timeout = "1s"` | how long it may go without `RunContext::progress` |
/// | `retry = 3`, `retry(attempts = 3, initial_backoff = "200ms", max_backoff = "5s", on = "any")` | how often a failure that may pass is tried, the first time included; only where doing it twice does no harm |
/// | `cache = "60s"`, `cache(ttl = "60s", entries = 1000)` | how long an answer serves again, for runs whose context is equal. Only for `read_only` |
/// | `breaker`, `breaker(failures = 0.5, window = 20, min_calls = 5, cooldown = "30s")` | a tool that keeps failing is left alone for a while |
/// | `limit(per_run = 3, calls = 10, period = "1s", max_concurrent = 2)` | how often it may be called, in one run and in all together |
/// | `redact("email", "phone")` | fields of its results whose values nobody may see |
///
/// # On a parameter
///
/// | | |
/// |---|---|
/// | `default`, `default = …` | the value when the model gives none |
/// | `range(min = …, max = …)` | bounds of a number |
/// | `length(min = …, max = …)` | bounds of the length of a text or a list |
/// | `pattern = "…"` | a regular expression a text must match (`regex` is the same) |
/// | `rename = "…"` | the name the model sees |
/// | `grounded` | the value must have come from an earlier result, the user or the configuration |
/// | `grounded(with = "…")` | the same, and it must belong to the value of that parameter: where results returned both, one returned them together |
/// | `free_text` | the value is prose or code, never a placeholder |
/// | `executable` | the value is a command or an address: one that came from a result is looked at by a person first |
/// | `generated` | a model writes the value itself (a command, a note); the offline model takes any other from the conversation |
/// | `asked_by("…", "…")` | words of which the user must have said one before the offline model gives it: for a flag that does more than was asked for |
/// | `even_unseen("…", "…")` | words that mean nothing else, of which the user must have said one before any model may make a text disappear by it that nobody has seen |
/// | `seen` | the text must have been seen: in a result, in what the user said, or in what an earlier call wrote |
/// | `args` | this one struct is all the arguments; `grounded("…")`, `free_text("…")`, `executable("…")`, `generated("…")` and `seen("…")` name its fields |
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(args.into(), &item.into()).into()
}

/// Makes tools of the methods of an `impl` block that are marked `#[tool]`, and implements
/// `Toolset` for the type.
///
/// ```
/// use std::{collections::HashMap, sync::Arc};
/// use toolwright_core::Toolset;
/// use toolwright_macros::toolset;
///
/// struct Prices(HashMap<String, f64>);
///
/// #[toolset]
/// impl Prices {
///     /// Look up the last price of a symbol.
///     #[tool(read_only)]
///     fn last_price(&self, symbol: String) -> Option<f64> {
///         self.0.get(&symbol).copied()
///     }
/// }
///
/// let tools = Arc::new(Prices(HashMap::new())).tools();
/// assert_eq!(tools[0].spec().name, "last_price");
/// ```
///
/// Marked methods take `&self` and everything [`macro@tool`] takes, except `manual`: a toolset is
/// handed over by whoever made the state. Other methods are left alone. `#[toolset(crate = path)]`
/// says where the library is, if not where the manifest says.
#[proc_macro_attribute]
pub fn toolset(args: TokenStream, item: TokenStream) -> TokenStream {
    toolset::expand(args.into(), &item.into()).into()
}
