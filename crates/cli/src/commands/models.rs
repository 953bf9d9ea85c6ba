//! `toolwright models`: what can answer, and what has to be fetched for it.

use serde_json::json;
use toolwright_app::{
    AskedModel, Config, Found, ModelBackend, ModelSurvey, OfflineModel, OpenPacks,
    SurveyedProvider, config::CassetteConfig,
};
use toolwright_core::truncate_line;

use super::connecting;
use crate::{
    args::ModelsCommand,
    bar::Bar,
    error::{CommandError, Result},
    exit::Exit,
    style::{BOLD, DIM, END, ERROR, GOOD, line, out},
};

pub(crate) async fn run(
    config: &Config,
    command: Option<&ModelsCommand>,
    json: bool,
) -> Result<Exit> {
    match command {
        Some(ModelsCommand::Test { name }) => {
            return connecting::test(config, name.as_deref(), json).await;
        }
        Some(ModelsCommand::Add(args)) => return connecting::add(config, args, json).await,
        Some(ModelsCommand::Pull { .. }) => {
            pull(config).await?;
            let folder = config.offline_folder();
            out(&if json {
                format!("{}\n", json!({"model": "offline", "folder": folder}))
            } else {
                format!("The offline model is in {}.\n", folder.display())
            })?;
        }
        None | Some(ModelsCommand::List) => list(config, json).await?,
    }
    Ok(Exit::Answered)
}

/// Fetches what the offline model needs, if it is what answers and something is missing.
pub(crate) async fn ready(config: &Config) -> Result {
    // What was recorded answers: nothing is needed for that.
    if config.cassette.as_ref().is_some_and(CassetteConfig::is_replayed) {
        return Ok(());
    }
    if let Ok(ModelBackend::Offline(model)) =
        ModelBackend::from_config(config, &OpenPacks::default())
        && model.missing().is_some()
    {
        line(&format!(
            "{DIM}No model is configured: the offline model answers. It is fetched once.{END}"
        ));
        pull(config).await?;
    }
    Ok(())
}

/// Fetches the offline model, and the one that finds tools for it.
async fn pull(config: &Config) -> Result {
    if let Some(licence) = OfflineModel::LICENCE {
        line(&format!("{DIM}{licence}{END}"));
    }
    let config = config.clone();
    let fetched = tokio::task::spawn_blocking(move || {
        let mut bar: Option<(&str, Bar)> = None;
        let fetched = OfflineModel::fetch(&config, &mut |what, done, all| {
            if bar.as_ref().is_none_or(|(of, _)| *of != what) {
                end(bar.replace((what, Bar::of_bytes(format!("fetching {what}")))));
            }
            if let Some((_, bar)) = &mut bar {
                bar.set(done, all);
            }
        });
        end(bar);
        fetched
    });
    Ok(fetched.await.map_err(CommandError::failed)??)
}

fn end(bar: Option<(&str, Bar)>) {
    if let Some((_, mut bar)) = bar {
        bar.end();
    }
}

async fn list(config: &Config, json: bool) -> Result {
    let is_there = OfflineModel::is_fetched(config);
    let survey = ModelSurvey::of(config).await?;
    if json {
        let offline = json!({"fetched": is_there, "folder": config.offline_folder()});
        let answers = survey.asked.first().map(|it| it.name.as_str());
        let ModelSurvey { asked, providers, found, known, .. } = &survey;
        let all = json!({
            "answers": answers, "offline": offline, "asked": asked, "providers": providers,
            "found": found, "known": known,
        });
        out(&format!("{all}\n"))?;
        return Ok(());
    }
    for (number, model) in survey.asked.iter().enumerate() {
        let role = if number == 0 { "answers" } else { "answers where those before give no reply" };
        out(&format!(
            "{BOLD}{}{END} {role}{DIM}{}{END}\n",
            one_line(&model.name),
            known_of(model)
        ))?;
    }
    if !survey.providers.is_empty() {
        out(&format!("\n{BOLD}Providers{END}\n"))?;
    }
    for provider in &survey.providers {
        out(&of_provider(provider))?;
    }
    if !survey.found.is_empty() {
        out(&format!("\n{BOLD}On this machine{END}\n"))?;
    }
    for found in &survey.found {
        out(&of_found(found))?;
    }
    in_this_process(config, is_there)?;
    let known = survey.known.iter().map(|it| match it.keys.first() {
        Some(key) => format!("{} ({key})", it.name),
        None => it.name.to_owned(),
    });
    let known = known.collect::<Vec<_>>().join(", ");
    out(&format!(
        "\n{BOLD}Known by name{END}\n{DIM}  {known}\n  any other: [providers.NAME] in toolwright.toml, or \
         OPENAI_API_BASE{END}\n"
    ))?;
    Ok(())
}

fn in_this_process(config: &Config, is_there: bool) -> Result {
    let fetched =
        if is_there { "fetched" } else { "not fetched yet: toolwright models pull offline" };
    out(&format!(
        "\n{BOLD}In this process{END}\n{DIM}  offline  {fetched}\n           a GGUF of yours, or one that Ollama \
         or LM Studio has here: --model offline:FILE or offline:NAME{END}\n"
    ))?;
    for model in config.packs().iter().flat_map(|pack| pack.info().models) {
        out(&format!("{DIM}  {:<8} {}{END}\n", model.name, model.about))?;
    }
    Ok(())
}

/// What is known of a model that is asked.
fn known_of(model: &AskedModel) -> String {
    let tokens =
        |verb: &str, it: Option<u64>| it.map(|it| format!("{verb} {} k tokens", it / 1000));
    let price = model.price.map(|(input, output)| {
        format!("{input} and {output} for a million tokens read and written")
    });
    let takes = (!model.takes.is_empty()).then(|| format!("takes {}", model.takes.join(", ")));
    let known = [tokens("reads", model.window), tokens("writes", model.max_output), takes, price];
    let known = known.into_iter().flatten().collect::<Vec<_>>().join("; ");
    if known.is_empty() { known } else { format!("  {known}") }
}

/// How many names of a provider's are told.
const TOLD: usize = 12;

fn names(names: &[String], provider: &str) -> String {
    let told = names.iter().take(TOLD).map(|it| format!("{provider}:{}", one_line(it)));
    let told = told.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(TOLD) {
        0 => told,
        more => format!("{told} and {more} more (--json lists them)"),
    }
}

fn of_provider(provider: &SurveyedProvider) -> String {
    let SurveyedProvider { name, base_url, answers, models, problem, advice, .. } = provider;
    let sign = if *answers { format!("{GOOD}✓{END}") } else { format!("{ERROR}✗{END}") };
    let says = match problem {
        Some(problem) => one_line(problem),
        None if models.is_empty() => "answers, and lists no models".to_owned(),
        None => names(models, name),
    };
    let advice = advice.as_ref().filter(|_| !answers);
    let advice = advice.map(|it| format!("\n    {DIM}{}{END}", one_line(it))).unwrap_or_default();
    format!("  {sign} {name}  {DIM}{}{END}\n    {says}{advice}\n", one_line(base_url))
}

fn of_found(found: &Found) -> String {
    let version = found.version.as_deref().map(|it| format!(" {}", one_line(it)));
    let mut told = format!(
        "  {GOOD}✓{END} {}{}  {DIM}{}{END}\n",
        found.provider,
        version.unwrap_or_default(),
        one_line(&found.base_url)
    );
    for model in found.models.iter().take(TOLD) {
        let can = [
            (model.tools, "calls tools"),
            (model.images, "sees pictures"),
            (model.reasoning, "thinks"),
        ];
        let can = can.iter().filter(|(is, _)| *is == Some(true)).map(|(_, it)| (*it).to_owned());
        let reads = model.window.map(|it| format!("reads {} k tokens", it.div_ceil(1000)));
        let can = reads.into_iter().chain(can).collect::<Vec<_>>().join("; ");
        told +=
            &format!("    --model {}:{}  {DIM}{can}{END}\n", found.provider, one_line(&model.name));
    }
    told
}

/// What others write, in one line.
fn one_line(text: &str) -> String {
    truncate_line(text, 500)
}
