//! LM Studio: `/api/v0/models` says what is loaded; before it had that, `/v1/models` names them.

use serde_json::Value;
use tokio::join;

use super::{Found, FoundModel, listed, probe::Probe, tokens};

pub(super) async fn look(probe: &Probe, base_url: String) -> Option<Found> {
    let (own, common) = join!(probe.get("/api/v0/models"), probe.get("/v1/models"));
    let own = own.as_ref().and_then(|it| listed(it, is_its));
    let models = match own {
        Some(models) => models.into_iter().filter_map(|(it, model)| described(it, model)).collect(),
        None => {
            // Anybody's list has this form: it is told by whose the models are said to be.
            let models = listed(common.as_ref()?, |it| it["owned_by"] == "organization_owner")?;
            let models: Vec<_> = models.into_iter().map(|(_, model)| model).collect();
            Some(models).filter(|it| !it.is_empty())?
        }
    };
    Some(Found { provider: "lmstudio", base_url: format!("{base_url}/v1"), version: None, models })
}

fn is_its(model: &Value) -> bool {
    model["type"].is_string() && model["state"].is_string()
}

/// The model with what is said of it; none where it only makes vectors.
fn described(said: &Value, mut model: FoundModel) -> Option<FoundModel> {
    if said["type"] == "embeddings" {
        return None;
    }
    model.images = Some(said["type"] == "vlm");
    let able = said["capabilities"].as_array();
    model.tools = able.map(|able| able.iter().any(|it| it == "tool_use"));
    model.window =
        tokens(&said["loaded_context_length"]).or_else(|| tokens(&said["max_context_length"]));
    Some(model)
}
