//! [`BoundedRequests`]: what a server asks for, so many at a time.
//!
//! Each of its requests is answered, and an answer waits for as long as the server does not read it. One that asks
//! without end and reads nothing is not heard until it has read: what waits for it would fill the memory.

use std::{collections::HashMap, sync::Arc};

use rmcp::{
    RoleClient,
    model::{ClientJsonRpcMessage, JsonRpcMessage, RequestId, ServerNotification},
    service::RxJsonRpcMessage,
    transport::Transport,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many of its requests may be open.
const MOST: usize = 64;

/// A connection over which a server may ask for so much at a time.
pub(super) struct BoundedRequests<T> {
    transport: T,
    places: Arc<Semaphore>,
    open: HashMap<RequestId, OwnedSemaphorePermit>,
}

impl<T> BoundedRequests<T> {
    pub(super) fn new(transport: T) -> Self {
        Self { transport, places: Arc::new(Semaphore::new(MOST)), open: HashMap::new() }
    }

    /// The place of the request that this answers.
    fn answered(&mut self, message: &ClientJsonRpcMessage) -> Option<OwnedSemaphorePermit> {
        match message {
            JsonRpcMessage::Response(answer) => self.open.remove(&answer.id),
            JsonRpcMessage::Error(answer) => self.open.remove(answer.id.as_ref()?),
            _ => None,
        }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for BoundedRequests<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let place = self.answered(&message);
        let sent = self.transport.send(message);
        async move {
            let sent = sent.await;
            drop(place);
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let place = self.places.clone().acquire_owned().await.ok()?;
        let message = self.transport.receive().await?;
        match &message {
            JsonRpcMessage::Request(request) => {
                // Of two with one id only one is answered.
                self.open.insert(request.id.clone(), place);
            }
            // What it does not want to know any more is not answered.
            JsonRpcMessage::Notification(told) => {
                if let ServerNotification::CancelledNotification(it) = &told.notification
                    && let Some(id) = &it.params.request_id
                {
                    self.open.remove(id);
                }
            }
            _ => {}
        }
        Some(message)
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use futures_util::FutureExt as _;
    use serde_json::json;
    use tokio::sync::Notify;

    use super::*;

    /// A server that asks without end, and reads when it is told to.
    struct Flooding {
        asked: i64,
        /// What it does not want to know any more, which it says next.
        cancels: Option<i64>,
        reads: Arc<Notify>,
    }

    impl Transport<RoleClient> for Flooding {
        type Error = std::io::Error;

        fn send(
            &mut self,
            _: ClientJsonRpcMessage,
        ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
            let reads = self.reads.clone();
            async move {
                reads.notified().await;
                Ok(())
            }
        }

        async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
            if let Some(id) = self.cancels.take() {
                let params = json!({"requestId": id});
                let told = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
                return Some(serde_json::from_value(told).unwrap());
            }
            self.asked += 1;
            let ping = json!({"jsonrpc": "2.0", "id": self.asked, "method": "ping"});
            Some(serde_json::from_value(ping).unwrap())
        }

        async fn close(&mut self) -> Result<(), Self::Error> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn who_does_not_read_is_not_heard_until_it_does() {
        let reads = Arc::new(Notify::new());
        let mut bounded =
            BoundedRequests::new(Flooding { asked: 0, cancels: None, reads: reads.clone() });
        let mut answers = Vec::new();
        while let Some(message) = bounded.receive().now_or_never() {
            let Some(JsonRpcMessage::Request(ping)) = message else { panic!("it asks") };
            let answer = json!({"jsonrpc": "2.0", "id": ping.id, "result": {}});
            answers.push(tokio::spawn(bounded.send(serde_json::from_value(answer).unwrap())));
            assert!(answers.len() <= MOST, "it goes on");
        }
        assert_eq!(answers.len(), MOST);
        // It reads one: it is heard once more.
        tokio::task::yield_now().await;
        reads.notify_one();
        assert!(bounded.receive().await.is_some());
        assert!(bounded.receive().now_or_never().is_none());
    }

    #[tokio::test]
    async fn what_is_not_wanted_any_more_takes_no_room() {
        let reads = Arc::new(Notify::new());
        let mut bounded = BoundedRequests::new(Flooding { asked: 0, cancels: None, reads });
        for _ in 1..MOST {
            bounded.receive().await.unwrap();
        }
        bounded.transport.cancels = Some(1);
        assert!(matches!(bounded.receive().await.unwrap(), JsonRpcMessage::Notification(_)));
        for _ in 0..2 {
            assert!(bounded.receive().now_or_never().is_some());
        }
        assert!(bounded.receive().now_or_never().is_none());
    }
}
