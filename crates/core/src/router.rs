//! [`ToolRouter`]: which few of many tools a model gets. [`ToolSimilarity`]: what they mean beside what is
//! asked.

use std::sync::Arc;

use futures_core::future::BoxFuture;

use crate::{Conversation, ToolSpec};

/// Chooses the tools a model is offered, where it should get fewer than there are.
pub trait ToolRouter: Send + Sync {
    /// The places of the tools worth offering, in the order in which the model is told of them. None where it
    /// cannot tell: then they are chosen by their words.
    fn route<'a>(
        &'a self,
        conversation: &'a Conversation,
        tools: &'a [Arc<ToolSpec>],
    ) -> BoxFuture<'a, Option<Vec<usize>>>;

    /// Choices that it makes often, so that a model can get ready to read them.
    fn usual(&self, tools: &[Arc<ToolSpec>]) -> Vec<Vec<usize>> {
        let _ = tools;
        Vec::new()
    }
}

impl<R: ToolRouter + ?Sized> ToolRouter for Arc<R> {
    fn route<'a>(
        &'a self,
        conversation: &'a Conversation,
        tools: &'a [Arc<ToolSpec>],
    ) -> BoxFuture<'a, Option<Vec<usize>>> {
        (**self).route(conversation, tools)
    }

    fn usual(&self, tools: &[Arc<ToolSpec>]) -> Vec<Vec<usize>> {
        (**self).usual(tools)
    }
}

/// Compares what tools are for with what a conversation asks for, by meaning and not by words.
pub trait ToolSimilarity: Send + Sync {
    /// How similar each tool is to what is asked: the cosine of two vectors, 1 for the same meaning.
    /// None where it cannot tell: then words alone count.
    fn similarities<'a>(
        &'a self,
        conversation: &'a Conversation,
        tools: &'a [Arc<ToolSpec>],
    ) -> BoxFuture<'a, Option<Vec<f32>>>;
}
