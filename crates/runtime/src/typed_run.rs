//! [`TypedRun`]: a run whose answer is a value.

use std::{
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::{Stream, future::BoxFuture};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolwright_core::{Answer, Event, EventKind, Failure, FailureKind, OutputSchema};

use crate::{RunStream, partial_json::PartialJson};

/// A run whose answer is a `T`. Awaiting it gives the answer; listening to it gives the value as it grows.
///
/// A value that is not whole yet is there as soon as a `T` can be read from it: fields that are to be seen
/// one by one are optional, or have a default.
///
/// ```
/// # use toolwright_core::ModelResponse;
/// # use toolwright_models::Scripted;
/// # use toolwright_runtime::Agent;
/// #[derive(Default, serde::Deserialize, schemars::JsonSchema)]
/// #[serde(default)]
/// struct Report {
///     title: String,
///     lines: Vec<String>,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let said = ModelResponse::text(r#"{"title": "Bridges", "lines": ["There are many."]}"#);
/// # let agent = Agent::builder(Scripted::new([said])).build()?;
/// let mut run = agent.ask::<Report>("Report on bridges.");
/// while let Some(so_far) = run.next().await {
///     println!("{} lines of {}", so_far.lines.len(), so_far.title);
/// }
/// assert_eq!(run.finish().await?.value.title, "Bridges");
/// # Ok(())
/// # }
/// ```
pub struct TypedRun<T> {
    run: RunStream,
    output: OutputSchema,
    /// The answer so far, once it is asked for.
    partial: Option<PartialJson>,
    /// What was handed out last.
    last: Option<Value>,
    of: PhantomData<fn() -> T>,
}

/// An answer that is a value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Typed<T> {
    /// The value.
    pub value: T,
    /// The answer it was read from, with the calls that led to it and what it cost.
    pub answer: Answer,
}

impl<T: DeserializeOwned> TypedRun<T> {
    pub(crate) fn new(run: RunStream, output: OutputSchema) -> Self {
        Self { run, output, partial: None, last: None, of: PhantomData }
    }

    /// The value as far as it is there, each time it has grown; none at the end.
    pub async fn next(&mut self) -> Option<T> {
        StreamExt::next(self).await
    }

    /// Goes on to the end, whatever was listened to before.
    ///
    /// # Errors
    /// When there is no answer, or it is no `T`: the model declined ([`FailureKind::Refused`]), was cut off
    /// ([`FailureKind::Truncated`]), or wrote something else twice ([`FailureKind::Output`]).
    pub async fn finish(&mut self) -> Result<Typed<T>, Failure> {
        let answer = self.run.finish().await?;
        match serde_json::from_str(&answer.response) {
            Ok(value) => Ok(Typed { value, answer }),
            // The schema allows what the type does not.
            Err(error) => Err(Failure {
                kind: FailureKind::Output,
                message: format!("the answer fits the schema and cannot be read: {error}"),
                advice: Some("say in the type's schema what its fields may hold".to_owned()),
                response: answer.response,
                tool_calls: answer.tool_calls,
                usage: answer.usage,
                conversation_id: answer.conversation_id,
            }),
        }
    }

    /// The run itself, for whoever wants to see every event.
    pub fn into_events(self) -> RunStream {
        self.run
    }

    fn grown(&mut self, event: &Event) -> Option<T> {
        match &event.kind {
            EventKind::OutputRequested => self.partial = Some(PartialJson::default()),
            // Another attempt begins anew.
            EventKind::RoundStarted { .. } | EventKind::ModelFallback { .. }
                if self.partial.is_some() =>
            {
                self.partial = Some(PartialJson::default());
            }
            EventKind::Content { data } => {
                let value = self.partial.as_mut()?.add(data)?;
                let value = self.output.partial(value);
                if self.last.as_ref() != Some(&value) {
                    let read = T::deserialize(&value).ok();
                    self.last = Some(value);
                    return read;
                }
            }
            _ => {}
        }
        None
    }
}

impl<T: DeserializeOwned> Stream for TypedRun<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        loop {
            let Some(event) = ready!(self.run.poll_next_unpin(cx)) else {
                return Poll::Ready(None);
            };
            if let Some(value) = self.grown(&event) {
                return Poll::Ready(Some(value));
            }
        }
    }
}

/// Awaiting a run is [finishing](TypedRun::finish) it: `let typed = agent.ask::<T>("…").await?`.
impl<T: DeserializeOwned + 'static> IntoFuture for TypedRun<T> {
    type Output = Result<Typed<T>, Failure>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        Box::pin(async move { self.finish().await })
    }
}
