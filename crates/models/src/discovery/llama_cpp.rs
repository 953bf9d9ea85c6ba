//! llama.cpp's server: `/v1/models` names what is loaded, `/props` says with what settings.

use serde_json::Value;
use tokio::join;

use super::{Found, FoundModel, listed, probe::Probe, tokens, version};

pub(super) async fn look(probe: &Probe, base_url: String) -> Option<Found> {
    let (list, props) = join!(probe.get("/v1/models"), probe.get("/props"));
    let props = &props.unwrap_or_default();
    // Anybody's list has this form, and plenty of servers are on this port.
    let list = list?;
    let models = listed(&list, |it| it["owned_by"] == "llamacpp")?;
    let is_alone = models.len() == 1;
    let models: Vec<_> = models
        .into_iter()
        .map(|(said, model)| described(said, model, if is_alone { props } else { &Value::Null }))
        .collect();
    let is_llama = !models.is_empty() || props["default_generation_settings"].is_object();
    is_llama.then(|| Found {
        provider: "llamacpp",
        base_url: format!("{base_url}/v1"),
        version: version(&props["build_info"]),
        models,
    })
}

fn described(said: &Value, mut model: FoundModel, props: &Value) -> FoundModel {
    let at = |path| props.pointer(path).unwrap_or(&Value::Null);
    let meta = &said["meta"];
    model.window = tokens(at("/default_generation_settings/n_ctx"))
        .or_else(|| tokens(&meta["n_ctx"]))
        .or_else(|| tokens(&meta["n_ctx_train"]));
    model.images = at("/modalities/vision").as_bool();
    model.tools = at("/chat_template_caps/supports_tools").as_bool();
    model
}
