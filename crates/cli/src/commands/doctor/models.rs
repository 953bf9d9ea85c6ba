//! Whether the models that are asked answer, and what else would.

use std::{borrow::Cow, time::Duration};

use toolwright_app::{
    Config, DaprModel, Endpoint, Found, ModelBackend, OpenPacks,
    config::{Setting, SettingSource},
    found_here, listed_models,
};
use toolwright_core::{ActionableError, truncate_line};
use toolwright_pack::{Check, CheckState};

use super::exposed;

/// How many names are told.
const TOLD: usize = 12;

pub(super) async fn checks(config: &Config) -> Vec<Check> {
    let chosen = match ModelBackend::chosen(config, &OpenPacks::default()) {
        Ok(chosen) => chosen,
        Err(error) => {
            let (says, advice) = (error.to_string(), error.advice().map(Cow::into_owned));
            return vec![Check { name: "model", state: CheckState::Bad, says, advice }];
        }
    };
    let mut checks = keys(config);
    let is_chain = !chosen.others.is_empty();
    for model in chosen.iter() {
        let mut check = check(model).await;
        if is_chain {
            check.says = format!("{}: {}", model.name(), check.says);
        }
        // Whoever has another is not told how to connect one.
        if model.is_built_in() && checks.iter().any(|it: &Check| it.name == "model") {
            (check.state, check.advice) = (CheckState::Good, None);
        }
        checks.push(check);
    }
    if matches!(chosen.first, ModelBackend::Offline(_) | ModelBackend::Pack(..)) {
        let found = found_here(config).await;
        checks.extend(found.iter().map(offered));
    }
    checks
}

/// Files with a key in them that others can read.
fn keys(config: &Config) -> Vec<Check> {
    let providers = config.providers.values().map(|it| &it.api_key);
    let files =
        providers.chain([&config.model.api_key]).filter_map(|Setting { place, .. }| match place {
            SettingSource::File(path) | SettingSource::Folder(path) => Some(path.clone()),
            _ => None,
        });
    let mut files: Vec<_> = files.collect();
    files.sort();
    files.dedup();
    files.iter().filter_map(|path| exposed(path)).collect()
}

async fn check(model: &ModelBackend) -> Check {
    match model {
        ModelBackend::Endpoint(endpoint) => endpoint_check(endpoint).await,
        ModelBackend::Dapr(model) => sidecar(model).await,
        ModelBackend::Recorded(recording) => Check::good("model", recording.about().to_owned()),
        ModelBackend::Offline(model) => {
            let says = match model.missing() {
                None => "the offline model: small, in this process".to_owned(),
                Some(_) => "the offline model, which is fetched when it is first needed (93 MB); \
                            `toolwright models pull offline` does it now"
                    .to_owned(),
            };
            let advice = Some(CONNECT.to_owned());
            Check { name: "model", state: CheckState::Warning, says, advice }
        }
        ModelBackend::Pack(about, _) => Check {
            name: "model",
            state: CheckState::Warning,
            says: about.about.to_owned(),
            advice: Some(CONNECT.to_owned()),
        },
    }
}

/// A server on this machine that nobody configured.
fn offered(found: &Found) -> Check {
    let version = found.version.as_deref().map(|it| format!(" {it}")).unwrap_or_default();
    let names: Vec<_> = found.models.iter().take(TOLD).map(|it| it.name.as_str()).collect();
    let says = format!(
        "{}{version} answers at {}{}",
        found.provider,
        found.base_url,
        match names.is_empty() {
            true => ", with no model to ask".to_owned(),
            false => format!(" and has {}", names.join(", ")),
        }
    );
    let advice = names
        .first()
        .map(|name| format!("to ask it: --model {}:{name}, or TOOLWRIGHT_MODEL", found.provider));
    Check { name: "found", state: CheckState::Good, says, advice }
}

async fn endpoint_check(endpoint: &Endpoint) -> Check {
    let name = endpoint.config().model.as_str();
    let warn = |says, advice| Check { name: "model", state: CheckState::Warning, says, advice };
    let is_it = |model: &String| {
        // Ollama names a model with its tag, Gemini with its folder.
        let listed = model.strip_prefix("models/").unwrap_or(model);
        listed == name || listed.strip_suffix(":latest") == Some(name)
    };
    match listed_models(endpoint).await {
        Ok(models) if models.is_empty() || models.iter().any(is_it) => {
            Check::good("model", format!("the endpoint answers and has `{name}`"))
        }
        Ok(models) => {
            let told = models.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ");
            let says = format!("the endpoint answers, but does not list `{name}`");
            warn(says, Some(format!("it lists: {}", truncate_line(&told, 2_000))))
        }
        // Not every server has a list of models; chatting with it may work all the same. Where the
        // address is probably wrong, it will not.
        Err(error) if error.status == Some(404) && endpoint.address_with_version().is_none() => {
            let says = "the endpoint answers, but has no list of models to check".to_owned();
            warn(says, Some("try `toolwright ask \"hello\"`".to_owned()))
        }
        Err(error) => Check {
            name: "model",
            state: CheckState::Bad,
            says: error.message,
            advice: error.advice,
        },
    }
}

/// Whether a Dapr sidecar answers, and has the component.
async fn sidecar(model: &DaprModel) -> Check {
    let name = model.component();
    let bad = |says, advice| Check { name: "model", state: CheckState::Bad, says, advice };
    match tokio::time::timeout(Duration::from_secs(10), model.components()).await {
        Ok(Ok(all)) if all.iter().any(|it| it == name) => {
            Check::good("model", format!("the Dapr sidecar answers and has `{name}`"))
        }
        Ok(Ok(all)) => bad(
            format!("the Dapr sidecar answers, but has no conversation component `{name}`"),
            Some(match all.is_empty() {
                true => "it has none: give it one (a file of the kind `conversation.…`)".to_owned(),
                false => format!("it has: {}", truncate_line(&all.join(", "), 2_000)),
            }),
        ),
        Ok(Err(error)) => bad(error.message, error.advice),
        Err(_) => bad(
            "the Dapr sidecar did not answer within 10 s".to_owned(),
            Some("see whether it runs, and whether DAPR_GRPC_PORT is right".to_owned()),
        ),
    }
}

const CONNECT: &str = "to connect another:
      export ANTHROPIC_API_KEY=… TOOLWRIGHT_MODEL=anthropic:NAME   # or OPENAI_API_KEY and openai:NAME, and so on
      export TOOLWRIGHT_MODEL=ollama:NAME                          # a model that Ollama has on this machine
      export OPENAI_API_BASE=http://HOST:PORT/v1 TOOLWRIGHT_MODEL=NAME   # any OpenAI-compatible server
      `toolwright models` lists who is known by name, and what answers here";
