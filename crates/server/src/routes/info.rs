//! What there is: tasks, and what answers.

use serde::{Deserialize, Serialize};
use toolwright_app::RunOverrides;
use toolwright_core::{Attachment, MAX_ATTACHMENT, Model};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError, AuthMode, attached::MAX_ATTACHMENTS, auth::Asker, json::Json, manage::is_managed,
};

/// What there is here.
#[derive(Serialize, ToSchema)]
pub(crate) struct Info {
    version: &'static str,
    model: Answering,
    tasks: Vec<TaskLine>,
    /// The task where nobody wishes for another.
    task: String,
    /// What to know about the tools of that task: the folder that is worked in, say.
    notices: Vec<String>,
    /// `local` or `token`.
    auth: &'static str,
    /// Whether settings can be changed here: a model connected, say.
    managed: bool,
    limits: Rounds,
}

/// What answers.
#[derive(Serialize, ToSchema)]
pub(crate) struct Answering {
    name: String,
    /// Whether it is what comes with Toolwright, and no model of the user's.
    offline: bool,
    /// A line about it.
    describe: String,
    /// What it takes as it is, by media type. Text files it is given as text, whatever it takes.
    accepts: Vec<&'static str>,
    /// Models on this machine that could be asked in the place of what comes with Toolwright, as `--model` names
    /// them. Nobody looks for them where a model of the user's answers.
    found: Vec<String>,
    /// How many tokens it reads at most.
    window: u64,
    /// At how many of them the older part of a conversation is replaced by a digest.
    compacts_at: u64,
}

/// A task.
#[derive(Serialize, ToSchema)]
pub(crate) struct TaskLine {
    name: String,
    title: String,
    description: String,
    /// Questions to begin with.
    starters: Vec<String>,
}

/// What bounds a run, and what may come with a question.
#[derive(Serialize, ToSchema)]
pub(crate) struct Rounds {
    rounds: u32,
    /// How much may be attached to a question.
    attachments: usize,
    /// The bytes of one attachment.
    attachment_bytes: u64,
    /// The bytes of a question with all that comes with it. Attachments are a third longer in it.
    upload_bytes: usize,
}

/// What models differ in taking, and how such things begin.
const SAMPLES: [(&str, &[u8]); 10] = [
    ("image/png", b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", b"\xff\xd8\xff"),
    ("image/gif", b"GIF89a"),
    ("image/webp", b"RIFF\0\0\0\0WEBP"),
    ("application/pdf", b"%PDF-"),
    ("audio/wav", b"RIFF\0\0\0\0WAVE"),
    ("audio/mpeg", b"\xff\xfb"),
    ("audio/ogg", b"OggS"),
    ("audio/flac", b"fLaC"),
    ("audio/mp4", b"\0\0\0\0ftypM4A"),
];

/// What a model takes: it is asked about one of each.
fn accepted(model: &dyn Model) -> Vec<&'static str> {
    let is_taken = |bytes: &[u8]| {
        Attachment::new(bytes, None, None).is_ok_and(|attachment| model.accepts(&attachment))
    };
    SAMPLES.into_iter().filter(|(_, bytes)| is_taken(bytes)).map(|(name, _)| name).collect()
}

/// What there is here
#[utoipa::path(get, path = "/api/info", tag = "about", responses((status = 200, body = Info)))]
pub(crate) async fn info(service: Asker) -> Result<Json<Info>, ApiError> {
    let host = service.host();
    let (engine, config) = (host.engine()?, host.config());
    let session = host.session(&RunOverrides::default())?;
    let tasks = host.tasks().into_iter().map(|task| TaskLine {
        name: task.name,
        title: task.title,
        description: task.description,
        starters: task.starters,
    });
    Ok(Json(Info {
        version: env!("CARGO_PKG_VERSION"),
        model: Answering {
            name: engine.name(),
            offline: engine.is_built_in(),
            describe: engine.describe(),
            accepts: accepted(&*session.agent().settings().model),
            found: host.found().await,
            window: session.agent().settings().window.tokens,
            compacts_at: session.agent().settings().window.threshold() as u64,
        },
        tasks: tasks.collect(),
        task: config.task.value.name.clone(),
        notices: host.notices()?,
        auth: match service.settings().auth {
            AuthMode::Local => "local",
            AuthMode::Token => "token",
        },
        managed: is_managed(service.settings()) && service.who().is_admin(),
        limits: Rounds {
            rounds: config.limits.rounds.value,
            attachments: MAX_ATTACHMENTS,
            attachment_bytes: MAX_ATTACHMENT,
            upload_bytes: service.limits().upload,
        },
    }))
}

/// Of which task.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfTask {
    /// The task; the usual one where none is named.
    pub(super) task: Option<String>,
}
