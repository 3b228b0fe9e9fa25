//! Arguments as the model wrote them, to typed requests. What a request means is the tool's business.

use serde::de::DeserializeOwned;
use serde_json::error::Category;

/// Decodes JSON text, or says for the model what is wrong with it.
pub(crate) fn decode<Request: DeserializeOwned>(tool: &str, arguments: &str) -> Result<Request, String> {
    // A call without arguments comes as nothing at all from some servers.
    let text = if arguments.trim().is_empty() { "{}" } else { arguments };
    serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Syntax | Category::Eof | Category::Io => {
            format!("the arguments of `{tool}` are no JSON: {error}; send one whole JSON object")
        }
        Category::Data => format!("the arguments of `{tool}` do not fit: {error}"),
    })
}
