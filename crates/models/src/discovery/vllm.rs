//! vLLM: `/v1/models` says how much each of its models reads.

use tokio::join;

use super::{Found, listed, probe::Probe, tokens, version};

pub(super) async fn look(probe: &Probe, base_url: String) -> Option<Found> {
    let (list, said) = join!(probe.get("/v1/models"), probe.get("/version"));
    // Anybody's list has this form, and plenty of servers are on this port.
    let list = list?;
    let models = listed(&list, |it| it["owned_by"] == "vllm")?;
    let models: Vec<_> = models
        .into_iter()
        .map(|(said, mut model)| {
            model.window = tokens(&said["max_model_len"]);
            model
        })
        .collect();
    (!models.is_empty()).then(|| Found {
        provider: "vllm",
        base_url: format!("{base_url}/v1"),
        version: said.as_ref().and_then(|it| version(&it["version"])),
        models,
    })
}
