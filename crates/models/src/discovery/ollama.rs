//! Ollama: `/api/tags` lists its models, `/api/show` says what each can do.

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::join;

use super::{Found, FoundModel, MOST_MODELS, probe::Probe, tokens, version};

/// How many models are asked about at once.
const AT_ONCE: usize = 16;

pub(super) async fn look(probe: &Probe, base_url: String) -> Option<Found> {
    let (list, said) = join!(probe.get("/api/tags"), probe.get("/api/version"));
    // llama.cpp lists its models at the same path, and speaks another API: it has no version there.
    let version = version(said.as_ref()?.get("version")?)?;
    let list = list?;
    let models = list.get("models")?.as_array()?;
    let name = |it: &Value| it["name"].as_str().or(it["model"].as_str()).map(str::to_owned);
    let names = models.iter().map(name).collect::<Option<Vec<_>>>()?;
    // Collected: what borrows cannot be proven to be sent between threads.
    let models = names.iter().filter_map(|it| FoundModel::named(it)).take(MOST_MODELS);
    let models: Vec<_> = models.collect();
    let models = stream::iter(models).map(|model| async {
        match probe.post("/api/show", &json!({"model": model.name})).await {
            Some(shown) => described(model, &shown),
            // Not in time, or an older version: it is there all the same.
            None => Some(model),
        }
    });
    let models = models.buffered(AT_ONCE).filter_map(|it| async { it }).collect().await;
    Some(Found { provider: "ollama", base_url, version: Some(version), models })
}

/// The model with what is said of it; none where it only makes vectors.
fn described(mut model: FoundModel, shown: &Value) -> Option<FoundModel> {
    if let Some(able) = shown["capabilities"].as_array().filter(|it| !it.is_empty()) {
        let can = |what: &str| able.iter().any(|it| it == what);
        if !can("completion") && can("embedding") {
            return None;
        }
        model.tools = Some(can("tools"));
        model.images = Some(can("vision"));
        model.reasoning = Some(can("thinking"));
    }
    model.window = loaded_with(shown).or_else(|| at_most(shown));
    Some(model)
}

/// The window that the model's own settings ask for.
fn loaded_with(shown: &Value) -> Option<u64> {
    let mut lines = shown["parameters"].as_str()?.lines();
    let set = lines.find_map(|line| line.trim().strip_prefix("num_ctx")?.trim().parse().ok());
    set.filter(|it| *it > 0)
}

/// The window that it was made for.
fn at_most(shown: &Value) -> Option<u64> {
    let info = shown["model_info"].as_object()?;
    let kind = info.get("general.architecture").and_then(Value::as_str).unwrap_or_default();
    let own = info.get(&format!("{kind}.context_length"));
    own.or_else(|| info.iter().find(|(name, _)| name.ends_with(".context_length")).map(|it| it.1))
        .and_then(tokens)
}
