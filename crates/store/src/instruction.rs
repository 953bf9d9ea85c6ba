//! [`Instruction`]: a word that anybody leaves for a run, wherever it is driven.
//!
//! It needs no lease, as a message that waits needs none. It is sealed, because an answer may be a secret, and
//! gone with the run's last event, in the same transaction.

use hmac::Mac;
use serde::{Deserialize, Serialize};
use toolwright_core::{
    CallId, ConversationId, Decision, Digest, Fingerprint, QuestionAnswer, QuestionId, RunId,
};

use crate::{LogKey, Store, StoreError, columns::Columns, sealed::Sealed, sql};

/// A word that is left for a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "instruction")]
pub enum Instruction {
    /// It is to end.
    Stop,
    /// Somebody decided about a call.
    Decide {
        /// The call.
        call: CallId,
        /// What exactly was looked at.
        about: Fingerprint,
        /// What was decided.
        verdict: InstructedVerdict,
    },
    /// Somebody answered a tool's question.
    Answer {
        /// The call that asked it.
        call: CallId,
        /// The question.
        question: QuestionId,
        /// What was said.
        answer: QuestionAnswer,
    },
}

/// What was decided about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstructedVerdict {
    /// About this call alone.
    Once(Decision),
    /// Run it, and such calls are not asked about again.
    Always,
}

/// What became of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructed {
    /// It is left for the run.
    Taken,
    /// Somebody decided about this call as it was shown, or answered this question, before.
    Twice,
    /// No such run goes on.
    NotOpen,
}

const KIND: &str = "instruction";

/// An instruction as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct SealedInstruction {
    /// What there is one of.
    pub(crate) subject: String,
    pub(crate) body: Vec<u8>,
}

impl Instruction {
    /// What there is one instruction about, in this installation: somebody with another key stands in nobody's way.
    /// Names that come from models are not kept as they are.
    fn subject(&self, key: &LogKey) -> String {
        let about = match self {
            Self::Stop => serde_json::json!(["stop"]),
            Self::Decide { call, about, .. } => serde_json::json!(["decide", call, about]),
            Self::Answer { call, question, .. } => serde_json::json!(["answer", call, question]),
        };
        let mut mac = key.mac();
        mac.update(b"toolwright instruction 1\0");
        mac.update(about.to_string().as_bytes());
        Digest::of(&mac.finalize().into_bytes()).to_string()
    }
}

impl Store {
    /// Leaves an instruction for a run that goes on, wherever. Once this returns it survives a crash.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn instruct(
        &self,
        id: &ConversationId,
        run: &RunId,
        instruction: &Instruction,
    ) -> Result<Instructed, StoreError> {
        self.check_owner(id).await?;
        let subject = instruction.subject(&self.key);
        let plain = serde_json::to_vec(instruction);
        let plain = plain
            .map_err(|error| StoreError::Invalid(format!("an instruction is not JSON: {error}")))?;
        let about = Sealed { conversation: id, run, kind: KIND, subject: &subject };
        let body = about.seal(&self.key, &plain)?;
        let done = self.backend.instruct(id, run, SealedInstruction { subject, body }).await?;
        Ok(match (instruction, done) {
            // To say it again changes nothing, and wakes whoever did not hear it.
            (Instruction::Stop, Instructed::Twice) => Instructed::Taken,
            (_, done) => done,
        })
    }

    /// What was left for a run, the oldest first. What was not left by this installation is left out: it
    /// allows nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn instructions(
        &self,
        id: &ConversationId,
        run: &RunId,
    ) -> Result<Vec<Instruction>, StoreError> {
        if self.view.is_bounded() && self.ledger(id).await?.is_none() {
            return Ok(Vec::new());
        }
        let cells = vec![id.as_str().into(), run.as_str().into()];
        let stored = self.backend.query(sql::INSTRUCTIONS, cells, read).await?;
        let open = |stored: SealedInstruction| {
            let subject = stored.subject.as_str();
            let about = Sealed { conversation: id, run, kind: KIND, subject };
            let plain = about.open(&self.key, &stored.body);
            let instruction = plain.and_then(|plain| serde_json::from_slice(&plain).ok());
            if instruction.is_none() {
                tracing::warn!(conversation = %id, %run, "an instruction was left by nobody here");
            }
            instruction
        };
        Ok(stored.into_iter().filter_map(open).collect())
    }

    /// Takes an instruction away that changed nothing: a decision that a run refused, say, or one after which
    /// it asks about the very same thing again. From here on another can be left about it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn dismiss(
        &self,
        id: &ConversationId,
        run: &RunId,
        instruction: &Instruction,
    ) -> Result<(), StoreError> {
        self.check_owner(id).await?;
        self.backend.dismiss(id, run, instruction.subject(&self.key)).await
    }
}

/// Columns as in `sql::INSTRUCTIONS`.
fn read(row: &dyn Columns) -> Result<SealedInstruction, StoreError> {
    let body = row.maybe_bytes(1)?.unwrap_or_default().to_vec();
    Ok(SealedInstruction { subject: row.text(0)?.to_owned(), body })
}
