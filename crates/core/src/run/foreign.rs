//! Folding events that this installation did not write into a [`Run`].
//!
//! They tell what happened and allow nothing. A call that only they say was checked counts as not
//! checked; a decision that only they hold was not made; that a tool was started is believed, for
//! then it is not started again. A run that was begun elsewhere is bound by what holds here.

use std::sync::Arc;

use super::{ReviewMode, Run};
use crate::{Authenticity, Event, EventKind, Limits, Price, Timestamp};

/// What a call is answered with that was only ever checked elsewhere.
pub(super) const NOT_CHECKED: &str = "The call was not run: that it was checked, or allowed, is only \
    said by a part of this conversation that was not written here. Call it again if it is still \
    needed.";

/// What people are told.
const NOTICE: &str = "A part of this conversation was imported, or changed since it was kept. What was \
    checked or approved in that part does not count here and is asked for again.";

impl Run {
    pub(super) fn fold_foreign(&mut self, event: &Event) {
        self.place(event);
        self.conversation.mark_foreign();
        match &event.kind {
            EventKind::RunStarted { conversation_id, model, mode, tools_off, .. } => {
                self.begun = Authenticity::Foreign;
                // It only takes away.
                self.tools_off.clone_from(tools_off);
                self.models.begin(model);
                self.conversation_id = conversation_id.clone();
                self.mode = *mode;
            }
            EventKind::CallChecked { .. }
            | EventKind::DecisionNeeded { .. }
            | EventKind::CallPreview { .. }
            | EventKind::DecisionMade { .. } => self.disregarded = true,
            EventKind::Message { message, .. } => {
                if let Some(message) = message.foreign() {
                    // What waits in a queue here, nobody else took up.
                    self.fold_kind(&EventKind::message(message), event.at);
                }
            }
            EventKind::Reply { message, finish, usage } => {
                let message = message.foreign().unwrap_or_else(|| message.clone());
                let kind = EventKind::Reply { message, finish: *finish, usage: *usage };
                self.fold_kind(&kind, event.at);
            }
            EventKind::CallFinished { id, message, .. } => {
                let message = message.foreign().unwrap_or_else(|| message.clone());
                self.fold_result(id, &message);
            }
            EventKind::Nested { id, event } => {
                self.fold_nested(id, event, Authenticity::Foreign);
            }
            // What tokens cost, and who is asked, is said by whoever goes on here.
            EventKind::ModelFallback { usage, .. } => self.fold_silence(usage),
            // What form an answer has to have is said by whoever asks here.
            EventKind::OutputRequested => {}
            // That an answer stands is found out here.
            EventKind::Reviewed { verdict, usage, .. } if verdict.accepts() => self.usage += *usage,
            EventKind::Compacted(digest) => self.conversation.restore(&Arc::new(digest.foreign())),
            _ => self.fold_kind(&event.kind, event.at),
        }
    }

    /// Says that something was left out of account, if anything was.
    pub(super) fn tell_disregarded(&mut self, out: &mut Vec<Event>, at: Timestamp) {
        if self.disregarded {
            let message = NOTICE.to_owned();
            self.emit(out, at, EventKind::Notice { message, id: None });
        }
    }

    /// Binds a run that was begun elsewhere by what holds here; leaves one that was begun here as it
    /// is.
    pub fn adopt(&mut self, limits: Limits, review: ReviewMode, price: Option<Price>) {
        if self.begun == Authenticity::Foreign {
            (self.limits, self.reviewing) = (limits, review);
            // A model that was turned to here brought its own.
            if !self.is_on_fallback() {
                self.price = price;
            }
        }
    }

    /// Puts the instructions first where there are none: those of others were left out of account.
    pub fn instruct(&mut self, system: &str) {
        if self.begun == Authenticity::Foreign {
            self.conversation.instruct(system);
        }
    }
}
