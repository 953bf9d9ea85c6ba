//! [`RunSpec`]: how a run was asked, so that any process with the same settings makes the same of it.

use std::{collections::BTreeSet, sync::Arc};

use serde::{Deserialize, Serialize};
use toolwright_core::{ModelOptions, OutputSchema, RunContext, SEPARATOR};
use toolwright_models::ToolMode;
use toolwright_runtime::Toolbox;

use crate::{
    AgentPool, AppError, ApprovalMode, AutoApprove, RunOverrides, Session, config::RunSettings,
};

/// How a run was asked: what is needed, beside the settings and what was said, to drive it.
///
/// A credential that came with the question is in it. So it is kept nowhere but sealed
/// (`Store::put_spec`), and cannot be printed.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
// What is not known here was asked for by somebody: to leave it out would be another run.
#[serde(default, deny_unknown_fields)]
pub struct RunSpec {
    /// The job, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How the model is offered its tools.
    #[serde(skip_serializing_if = "Option::is_none", with = "tool_mode")]
    pub tool_mode: Option<ToolMode>,
    /// How the model is to write.
    #[serde(skip_serializing_if = "ModelOptions::is_empty")]
    pub options: ModelOptions,
    /// The form of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputSchema>,
    /// Whether the older part of the conversation is replaced by a digest first.
    #[serde(skip_serializing_if = "is_not")]
    pub compact: bool,
    /// The tools that are off, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools_off: Vec<String>,
    /// The credential that came with the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credential: Option<GivenCredential>,
    /// Whether nobody is asked about calls.
    #[serde(skip_serializing_if = "is_not")]
    pub unattended: bool,
    /// Whether everything was approved beforehand that nobody has to look at.
    #[serde(skip_serializing_if = "is_not")]
    pub approved: bool,
    /// The settings of whoever was asked. Without them those of whoever drives hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<Arc<RunSettings>>,
    /// The tools that there were where it was asked, by name.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub tools: BTreeSet<String>,
}

/// A credential that came with a question.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct GivenCredential {
    /// The pack that it is for.
    pub pack: String,
    /// The credential.
    pub text: String,
}

impl RunSpec {
    /// What is wished for, where there is such a pack here.
    ///
    /// # Errors
    /// When the credential is for a pack that is not here.
    pub fn wish(&self, pool: &AgentPool) -> Result<RunOverrides, AppError> {
        let given = self.credential.as_ref();
        let given = given.map(|given| {
            let known = pool.credentials().into_iter().find(|(pack, _)| *pack == given.pack);
            known.ok_or_else(|| AppError::NoPack(given.pack.clone()))
        });
        let given = given.transpose()?;
        let of_credential = || given.map(|(_, credential)| credential.task.to_owned());
        Ok(RunOverrides {
            task: self.task.clone().or_else(of_credential),
            model: self.model.clone(),
            tool_mode: self.tool_mode,
            pack: given.map(|(pack, _)| pack),
            deciding: match self.unattended {
                true => ApprovalMode::Nobody,
                false => ApprovalMode::Asked,
            },
            approved: self.approved,
            settings: self.settings.clone(),
        })
    }

    /// The same for others to drive, who may have other settings: with all of this process's that a run depends on,
    /// whether or not they were asked for.
    ///
    /// # Errors
    /// When what is wished for cannot be granted.
    pub fn explicit(mut self, pool: &AgentPool) -> Result<Self, AppError> {
        let wish = self.wish(pool)?;
        let (task, settings) = pool.run_settings(&wish)?;
        let toolbox = pool.session(&wish)?.agent().settings().toolbox.current();
        self.tools = toolbox.names().map(str::to_owned).collect();
        self.task = Some(task);
        self.approved |= pool.beforehand() == AutoApprove::Everything;
        self.settings = Some(Arc::new(settings));
        Ok(self)
    }

    /// What the run is given and no model sees.
    ///
    /// # Errors
    /// When what is wished for cannot be granted.
    pub fn context(&self, pool: &AgentPool) -> Result<RunContext, AppError> {
        let credential = self.credential.as_ref().map(|given| given.text.as_str());
        pool.context(&self.wish(pool)?, credential)
    }

    /// The agent for it, made to answer as is wished, and what the run is given.
    ///
    /// # Errors
    /// When what is wished for cannot be granted.
    pub fn session(&self, pool: &AgentPool) -> Result<(Session, RunContext), AppError> {
        let session = pool.session(&self.wish(pool)?)?;
        Ok((self.shaped(&session)?, self.context(pool)?))
    }

    /// As [`RunSpec::session`], for whoever drives the run elsewhere than where it was asked: with all the tools that
    /// there were, or not at all. The model was offered them, and would be told that there are none. Nor without a model
    /// that can be asked from here: the run would end, where another process goes on with it.
    ///
    /// # Errors
    /// When what is wished for cannot be granted, or something is missing here.
    pub async fn session_to_drive(
        &self,
        pool: &AgentPool,
    ) -> Result<(Session, RunContext), AppError> {
        let session = pool.session_to_drive(&self.wish(pool)?).await?;
        let settings = session.agent().settings();
        if !self.lacking(&settings.toolbox.current()).is_empty() {
            settings.toolbox.ready_within(pool.config().context.source_wait.value).await;
        }
        let lacking = self.lacking(&settings.toolbox.current());
        match lacking.is_empty() {
            true => Ok((self.shaped(&session)?, self.context(pool)?)),
            false => Err(AppError::Lacking(lacking)),
        }
    }

    /// The tools that are missing in a toolbox. Those of a source that is there are not: what it has changes, and it
    /// knows best.
    fn lacking(&self, toolbox: &Toolbox) -> Vec<String> {
        fn source(tool: &str) -> Option<&str> {
            tool.split_once(SEPARATOR).map(|(source, _)| source)
        }
        let names: BTreeSet<_> = toolbox.names().collect();
        let all: Vec<_> = toolbox.sources().iter().map(|it| it.tools()).collect();
        let known = all.iter().flat_map(|it| &it.tools).filter_map(|it| source(&it.spec().name));
        let known: BTreeSet<_> = known.collect();
        let is_here = |tool: &str| {
            names.contains(tool) || source(tool).is_some_and(|source| known.contains(source))
        };
        self.tools.iter().filter(|it| !is_here(it)).cloned().collect()
    }

    /// The agent of a session, made to answer as is wished.
    ///
    /// # Errors
    /// When the options or the form cannot be used.
    pub fn shaped(&self, session: &Session) -> Result<Session, AppError> {
        let mut agent = session.agent().clone();
        let refused = |field| {
            move |reason: toolwright_runtime::ToolboxError| AppError::Asked { field, reason }
        };
        if !self.options.is_empty() {
            agent = agent.with_options(&self.options).map_err(refused("options"))?;
        }
        if let Some(output) = self.output.clone() {
            agent = agent.with_output(output).map_err(refused("schema"))?;
        }
        if self.compact {
            agent = agent.compacting();
        }
        if !self.tools_off.is_empty() {
            agent = agent.without_tools(self.tools_off.iter().cloned());
        }
        Ok(session.with_agent(agent))
    }

    /// As it is given to a store, which seals it.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Texts, numbers and lists of them: there is nothing in it that JSON has no form for.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// As a store gave it back.
    ///
    /// # Errors
    /// When it is none, or says something that this version does not know.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AppError> {
        // What was read is not told: it may be the credential.
        serde_json::from_slice(bytes).map_err(|_| AppError::Spec)
    }
}

fn is_not(it: &bool) -> bool {
    !it
}

/// A mode by its word.
mod tool_mode {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use toolwright_models::ToolMode;

    pub(super) fn serialize<S: Serializer>(
        mode: &Option<ToolMode>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        mode.map(ToolMode::name).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<ToolMode>, D::Error> {
        let word = Option::<String>::deserialize(deserializer)?;
        let mode = word.map(|it| it.parse().map_err(|_| D::Error::custom("no such mode")));
        mode.transpose()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_asked_comes_back_as_it_was() {
        let mut options = ModelOptions::default();
        options.set("temperature", "0.2").unwrap();
        let spec = RunSpec {
            task: Some("trading".to_owned()),
            model: Some("gpt-4o-mini".to_owned()),
            tool_mode: Some(ToolMode::Text),
            options,
            output: Some(OutputSchema::new("answer", json!({"type": "object"})).unwrap()),
            compact: true,
            tools_off: vec!["bash".to_owned()],
            credential: Some(GivenCredential { pack: "market".to_owned(), text: "k".to_owned() }),
            unattended: true,
            approved: true,
            settings: None,
            tools: BTreeSet::from(["bash".to_owned()]),
        };
        assert!(RunSpec::from_bytes(&spec.to_bytes()).unwrap() == spec);
        assert_eq!(RunSpec::default().to_bytes(), b"{}");
        assert!(RunSpec::from_bytes(b"{}").unwrap() == RunSpec::default());
    }

    #[test]
    fn what_is_not_known_here_is_not_left_out() {
        let error = RunSpec::from_bytes(br#"{"credential": "secret word"}"#).err().unwrap();
        assert!(!error.to_string().contains("secret word"), "{error}");
        assert!(RunSpec::from_bytes(br#"{"patience": 3}"#).is_err());
        assert!(RunSpec::from_bytes(br#"{"tool_mode": "loud"}"#).is_err());
        assert!(RunSpec::from_bytes(b"").is_err());
    }
}
