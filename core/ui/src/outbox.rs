//! Prompts between Enter and the event that takes them up. Whatever goes wrong, their text is not lost.

use protocol::{CommandId, InputId};

#[derive(Clone, Default, Debug)]
pub struct Outbox {
    /// Written before the session was open, oldest first.
    held: Vec<String>,
    travelling: Vec<Travelling>,
}

#[derive(Clone, Debug)]
pub struct Travelling {
    pub command: CommandId,
    pub input: InputId,
    pub text: String,
    pub sent_at_ms: u64,
}

impl Outbox {
    pub fn is_empty(&self) -> bool {
        self.held.is_empty() && self.travelling.is_empty()
    }

    /// Keeps a prompt until there is a session.
    pub fn hold(&mut self, text: String) {
        self.held.push(text);
    }

    pub fn take_held(&mut self) -> Vec<String> {
        std::mem::take(&mut self.held)
    }

    pub fn send(&mut self, prompt: Travelling) {
        self.travelling.push(prompt);
    }

    /// An event took the input up.
    pub fn arrived(&mut self, input: InputId) {
        self.travelling.retain(|prompt| prompt.input != input);
    }

    /// The command came to nothing: the text goes back to its writer.
    pub fn refused(&mut self, command: CommandId) -> Option<Travelling> {
        let index = self.travelling.iter().position(|prompt| prompt.command == command)?;
        Some(self.travelling.remove(index))
    }

    /// Everything that was on its way, in order, when there is nobody left to take it.
    pub fn take_all(&mut self) -> Vec<String> {
        let travelling = std::mem::take(&mut self.travelling).into_iter().map(|prompt| prompt.text);
        let held = std::mem::take(&mut self.held);
        travelling.chain(held).collect()
    }

    /// When the oldest prompt on its way was sent.
    pub fn since_ms(&self) -> Option<u64> {
        self.travelling.iter().map(|prompt| prompt.sent_at_ms).min()
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.travelling.iter().map(|prompt| prompt.text.as_str()).chain(self.held.iter().map(String::as_str))
    }
}
