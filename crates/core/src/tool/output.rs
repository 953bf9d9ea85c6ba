//! [`Output`]: what a tool gives back, made from whatever its function returns.

use std::{any::Any, fmt::Display, sync::Arc};

use serde::Serialize;
use serde_json::Value;

use super::{ToolError, ToolResult};
use crate::Attachment;

/// What a tool gives back.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Text for the model to read as it is.
    Text(String),
    /// A value, already serialised: the model reads the JSON.
    Json(String),
    /// Words for the model, and the same as data for programs and pages.
    Readable {
        /// What the model reads.
        text: String,
        /// What programs and pages read.
        data: Value,
    },
    /// JSON for the model, and the same in words for people and as data for pages.
    Structured {
        /// What the model reads, already serialised.
        json: String,
        /// What people read.
        words: String,
        /// What programs and pages read.
        data: Value,
    },
    /// Any of these, with pictures and files.
    Attached {
        /// What the model reads.
        output: Box<Output>,
        /// What stands behind it.
        attachments: Vec<Attachment>,
    },
}

impl Output {
    /// A picture, a sound or a file with this name.
    ///
    /// ```
    /// use toolwright_core::Output;
    ///
    /// let picture = b"\x89PNG\r\n\x1a\n...".to_vec();
    /// let output = Output::file(picture, "chart.png")?;
    /// # Ok::<(), toolwright_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    /// When it cannot be attached: it is empty, too large, or not what its name says.
    pub fn file(bytes: impl Into<Arc<[u8]>>, name: &str) -> ToolResult {
        let attachment = Attachment::new(bytes, None, Some(name));
        let attachment = attachment.map_err(|error| {
            ToolError::new(format!("{} cannot be shown: {error}", crate::truncate_line(name, 200)))
        })?;
        let text = format!("Attached: {}", attachment.describe());
        Ok(Self::Text(text).attach(attachment))
    }

    /// The same with one more thing attached.
    #[must_use]
    pub fn attach(self, attachment: Attachment) -> Self {
        match self {
            Self::Attached { output, mut attachments } => {
                attachments.push(attachment);
                Self::Attached { output, attachments }
            }
            output => Self::Attached { output: Box::new(output), attachments: vec![attachment] },
        }
    }

    /// What the model reads, and what is attached.
    pub fn into_parts(self) -> (Self, Vec<Attachment>) {
        match self {
            Self::Attached { output, attachments } => {
                let (output, mut inner) = output.into_parts();
                inner.extend(attachments);
                (output, inner)
            }
            output => (output, Vec::new()),
        }
    }

    /// Words for the model, and the same as data for programs and pages.
    pub fn readable(text: impl Into<String>, data: Value) -> Self {
        Self::Readable { text: text.into(), data }
    }

    /// Any value: text stays text, nothing (`()`) becomes `Done.`, everything else JSON.
    ///
    /// # Errors
    /// When the value cannot be JSON (a map with keys that are not text, say).
    pub fn from_value<T: Serialize + 'static>(value: T) -> ToolResult {
        let mut slot = Some(value);
        let any: &mut dyn Any = &mut slot;
        if let Some(output) = any.downcast_mut::<Option<Output>>().and_then(Option::take) {
            return Ok(output);
        }
        if let Some(text) = any.downcast_mut::<Option<String>>().and_then(Option::take) {
            return Ok(Self::Text(text));
        }
        if any.is::<Option<()>>() {
            // `null` would tell the model that nothing happened.
            return Ok(Self::Text("Done.".into()));
        }
        let json = serde_json::to_string(&slot).map_err(|error| {
            ToolError::new("the result could not be written as JSON").with_detail(error.to_string())
        })?;
        Ok(match serde_json::from_str::<String>(&json) {
            // `&str`, `Cow<str>`, a newtype around a `String`: text all the same.
            Ok(text) => Self::Text(text),
            Err(_) => Self::Json(json),
        })
    }
}

// Only so that a function may return it: `from_value` takes it as it is.
impl Serialize for Output {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Json(json) | Self::Structured { json, .. } => serde_json::from_str::<Value>(json)
                .map_err(serde::ser::Error::custom)?
                .serialize(serializer),
            Self::Readable { data, .. } => data.serialize(serializer),
            Self::Attached { output, .. } => output.serialize(serializer),
        }
    }
}

/// What the macros call to turn any return value into a [`ToolResult`].
///
/// `(&&&ReturnedValue(value)).to_result()` picks the first of three traits that fits: a `Result` whose
/// error has sources, any other `Result`, any other value. It is chosen by the type and not by how
/// the type is spelled, so an alias of `Result` works too. What else a type must be able to do is
/// asked by the methods, after the choice: a `Result` whose error cannot be shown does not compile,
/// instead of being told to the model as a success.
///
/// ```
/// use toolwright_core::__private::kit::{FromDisplay as _, FromError as _, FromValue as _, ReturnValue};
/// let result: Result<u8, String> = Err("no such file".into());
/// assert!((&&&ReturnValue::new(result)).to_result().is_err());
/// ```
///
/// ```compile_fail,E0277
/// use toolwright_core::__private::kit::{FromDisplay as _, FromError as _, FromValue as _, ReturnValue};
/// let result: Result<u8, Vec<u8>> = Err(vec![1]);
/// assert!((&&&ReturnValue::new(result)).to_result().is_err());
/// ```
pub mod kit {
    use std::{cell::Cell, marker::PhantomData};

    use schemars::JsonSchema;

    use super::{Any, Display, Output, Serialize, ToolError, ToolResult, Value};
    use crate::tool::schema::returned_schema_of;

    /// What a tool's function returns, as a type: `(&&&ReturnType::<T>::it()).schema()` is the schema of it, or of
    /// what is in its `Ok`, where it has one and is an object. It is chosen as it is for [`ReturnValue`].
    pub struct ReturnType<T>(PhantomData<T>);

    impl<T> ReturnType<T> {
        /// The type.
        pub fn it() -> Self {
            Self(PhantomData)
        }
    }

    /// A `Result` whose value has a schema.
    pub trait SchemaOfOk {
        /// The schema of the value.
        fn schema(&self) -> Option<Value>;
    }
    /// Any other type that has a schema.
    pub trait SchemaOfValue {
        /// The schema of the value.
        fn schema(&self) -> Option<Value>;
    }
    /// Any other type.
    pub trait NoSchema {
        /// There is none.
        fn schema(&self) -> Option<Value>;
    }

    impl<T: JsonSchema, E> SchemaOfOk for &&ReturnType<Result<T, E>> {
        fn schema(&self) -> Option<Value> {
            returned_schema_of::<T>()
        }
    }

    impl<T: JsonSchema> SchemaOfValue for &ReturnType<T> {
        fn schema(&self) -> Option<Value> {
            returned_schema_of::<T>()
        }
    }

    impl<T> NoSchema for ReturnType<T> {
        fn schema(&self) -> Option<Value> {
            None
        }
    }

    /// A value on its way to becoming a [`ToolResult`].
    pub struct ReturnValue<T>(Cell<Option<T>>);

    impl<T> ReturnValue<T> {
        /// Wraps what a tool's function returned.
        pub fn new(value: T) -> Self {
            Self(Cell::new(Some(value)))
        }

        fn take(&self) -> Result<T, ToolError> {
            self.0.take().ok_or_else(|| ToolError::new("the result was taken twice"))
        }
    }

    /// A `Result` whose error has sources.
    pub trait FromError<T> {
        /// The result as a tool's.
        fn to_result(&self) -> ToolResult
        where
            T: Serialize + 'static;
    }
    /// A `Result` whose error can be shown.
    pub trait FromDisplay<T, E> {
        /// The result as a tool's.
        fn to_result(&self) -> ToolResult
        where
            T: Serialize + 'static,
            E: Display + 'static;
    }
    /// Any other value.
    pub trait FromValue<T> {
        /// The value as a tool's result.
        fn to_result(&self) -> ToolResult
        where
            T: Serialize + 'static;
    }

    impl<T, E: std::error::Error + 'static> FromError<T> for &&ReturnValue<Result<T, E>> {
        fn to_result(&self) -> ToolResult
        where
            T: Serialize + 'static,
        {
            match self.take()? {
                Ok(value) => Output::from_value(value),
                Err(error) => Err(known(&error).unwrap_or_else(|| {
                    let detail = sources(&error);
                    with_detail(ToolError::new(error.to_string()), detail)
                })),
            }
        }
    }

    impl<T, E> FromDisplay<T, E> for &ReturnValue<Result<T, E>> {
        fn to_result(&self) -> ToolResult
        where
            T: Serialize + 'static,
            E: Display + 'static,
        {
            match self.take()? {
                Ok(value) => Output::from_value(value),
                Err(error) => {
                    // `{:#}` is where error types such as anyhow's show their sources.
                    let (message, whole) = (error.to_string(), format!("{error:#}"));
                    let detail = (whole != message).then_some(whole);
                    Err(with_detail(ToolError::new(message), detail))
                }
            }
        }
    }

    impl<T> FromValue<T> for ReturnValue<T> {
        fn to_result(&self) -> ToolResult
        where
            T: Serialize + 'static,
        {
            Output::from_value(self.take()?)
        }
    }

    fn known(error: &dyn Any) -> Option<ToolError> {
        error.downcast_ref::<ToolError>().cloned()
    }

    fn with_detail(error: ToolError, detail: Option<String>) -> ToolError {
        match detail {
            Some(detail) => error.with_detail(detail),
            None => error,
        }
    }

    fn sources(error: &dyn std::error::Error) -> Option<String> {
        let mut chain = Vec::new();
        let mut next = error.source();
        while let Some(source) = next {
            chain.push(source.to_string());
            next = source.source();
        }
        (!chain.is_empty()).then(|| format!("{error}: {}", chain.join(": ")))
    }
}
