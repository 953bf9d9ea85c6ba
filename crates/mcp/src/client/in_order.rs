//! [`InOrder`]: what a server tells about its calls, heard in the order in which it tells it.
//!
//! Notifications are otherwise handled side by side: how far a call is would be told in any order, and after its
//! result, which is nobody's any more.

use std::sync::Arc;

use rmcp::{
    RoleClient,
    model::{ClientJsonRpcMessage, JsonRpcMessage, ServerNotification},
    service::RxJsonRpcMessage,
    transport::Transport,
};

use super::handler::OpenCalls;

/// A connection over which a server tells how far its calls are.
pub(super) struct InOrder<T> {
    transport: T,
    calls: Arc<OpenCalls>,
}

impl<T> InOrder<T> {
    pub(super) fn new(transport: T, calls: &Arc<OpenCalls>) -> Self {
        Self { transport, calls: calls.clone() }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for InOrder<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let message = self.transport.receive().await?;
            let JsonRpcMessage::Notification(told) = &message else { return Some(message) };
            match &told.notification {
                ServerNotification::ProgressNotification(it) => self.calls.tell(&it.params),
                _ => return Some(message),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}
