//! A model that can be asked.

use std::sync::Arc;

use futures::stream::BoxStream;
use protocol::{Chunk, Failure, Message, ModelRef};

/// Streams answers of one provider's models.
pub trait Provider: Send + Sync {
    /// Sends the request when the stream is first polled; dropping the stream ends it.
    /// A stream that ends without `Chunk::Done` or an error was cut.
    fn stream(&self, request: Arc<ModelRequest>) -> BoxStream<'static, Result<Chunk, Failure>>;
}

#[derive(Clone, PartialEq, Debug)]
pub struct ModelRequest {
    pub model: ModelRef,
    pub system: String,
    pub messages: Vec<Message>,
    pub tools: Arc<Vec<ToolSpec>>,
}

/// A tool as the model is told of it.
#[derive(Clone, PartialEq, Debug)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// A JSON schema of the arguments, as JSON text.
    pub schema: String,
}
