//! [`ToolRouter`]: which few of many tools a model gets.

use std::sync::Arc;

use futures_core::future::BoxFuture;

use crate::{Conversation, ToolSpec};

/// Chooses the tools a model is offered, where it should get fewer than there are.
pub trait ToolRouter: Send + Sync {
    /// The places of the tools worth offering, in the tools' order. None where it cannot tell: then
    /// they are chosen by their words.
    fn route<'a>(
        &'a self,
        conversation: &'a Conversation,
        tools: &'a [Arc<ToolSpec>],
    ) -> BoxFuture<'a, Option<Vec<usize>>>;
}

impl<R: ToolRouter + ?Sized> ToolRouter for Arc<R> {
    fn route<'a>(
        &'a self,
        conversation: &'a Conversation,
        tools: &'a [Arc<ToolSpec>],
    ) -> BoxFuture<'a, Option<Vec<usize>>> {
        (**self).route(conversation, tools)
    }
}
