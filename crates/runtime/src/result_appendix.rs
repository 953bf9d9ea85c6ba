//! [`ResultAppendix`]: what is said beside the result of a call.

use serde_json::Value;

/// Says something beside the result of a call: what a project says about the files that were touched, say.
/// It becomes a part of the result, and counts as foreign text as the rest of it does.
pub trait ResultAppendix: Send + Sync {
    /// What is said beside the result of a call that went well, where something is. `is_told` says whether
    /// a text stands in the conversation already.
    fn beside(
        &self,
        tool: &str,
        arguments: &Value,
        is_told: &dyn Fn(&str) -> bool,
    ) -> Option<String>;
}
