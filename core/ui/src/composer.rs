//! The composer: where the prompt is written. The draft, its cursor and every edit of it.
//! Knows no key (`keymap` does), sends nothing and stores nothing.

mod draft;
mod history;
mod kills;
mod line;
mod moving;
mod paste;
mod script;
#[cfg(test)]
mod tests;
mod undo;
mod view;

use std::ops::Range;

use draft::{Draft, Way};
use history::History;
use kills::{Kill, KillRing};
use undo::{Snapshot, Undo};
pub use view::ComposerView;

/// Bytes a draft sends at most; an edit that would pass it is refused.
const DRAFT_BYTES_MAX: usize = 1 << 20;

#[derive(Clone, Debug, Default)]
pub struct Composer {
    draft: Draft,
    /// Always on a cluster boundary.
    cursor: usize,
    history: History,
    undo: Undo,
    kills: KillRing,
    run: Run,
    /// The column that moving up and down aims at, while it lasts.
    aim_col: Option<usize>,
    /// The next typed character is what the cursor jumps to.
    jump: Option<Way>,
    paste_count: usize,
}

/// One editing action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Up a visual row; on the first one to an older prompt, or to the draft's start.
    CursorUp,
    /// Down a visual row; on the last one to a newer prompt, or to the draft's end.
    CursorDown,
    CursorLeft,
    CursorRight,
    CursorWordLeft,
    CursorWordRight,
    /// To the start of the visual row, and from there to that of the line.
    CursorLineStart,
    CursorLineEnd,
    CursorParagraphUp,
    CursorParagraphDown,
    CursorDocStart,
    CursorDocEnd,
    PageUp,
    PageDown,
    /// The next typed character is the place to go to.
    JumpForward,
    JumpBackward,
    DeleteCharBackward,
    DeleteCharForward,
    DeleteWordBackward,
    DeleteWordForward,
    DeleteToLineStart,
    DeleteToLineEnd,
    Yank,
    /// Right after a yank: an older kill in its place.
    YankPop,
    Undo,
    Redo,
    NewLine,
    /// Puts the text of the marker at the cursor in its place.
    ExpandPaste,
}

/// The edit would have made the draft too long and was not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DraftFull;

impl std::fmt::Display for DraftFull {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("the draft would be over 1 MiB and stays as it was; save the text to a file and have it read")
    }
}

impl std::error::Error for DraftFull {}

/// What the last edit was, as far as the next may join it.
#[derive(Clone, PartialEq, Debug, Default)]
enum Run {
    #[default]
    None,
    Typing {
        after_blank: bool,
    },
    Erasing {
        way: Way,
        after_blank: bool,
    },
    Killing,
    /// The yanked text lies there, `age` kills behind the newest.
    Yanked {
        range: Range<usize>,
        age: usize,
    },
}

impl Composer {
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the prompts that were stored, oldest first; those of this window stay the newest.
    pub fn set_history(&mut self, prompts: Vec<String>) {
        let prompts = prompts.iter().map(|prompt| Draft::plain(&paste::kept(prompt, None))).collect();
        self.history.set_stored(prompts, &self.draft);
    }

    pub fn is_empty(&self) -> bool {
        self.draft.is_empty()
    }

    /// The text to send as it stands, each marker as the text it stands for.
    pub fn text(&self) -> String {
        self.draft.sent()
    }

    /// The whole draft, if it begins with a slash and the cursor is at its end: then a command menu may show.
    pub fn command_line(&self) -> Option<String> {
        (self.is_cursor_at_end() && self.draft.begins_with('/')).then(|| self.draft.sent())
    }

    /// Draws at most `rows_max` rows of at most `width_cols` columns.
    pub fn view(&self, width_cols: usize, rows_max: usize, placeholder: &str) -> ComposerView {
        view::view(&self.draft, self.cursor, width_cols, rows_max, placeholder)
    }

    /// Types one character, or jumps to it if a jump waits for its target.
    pub fn insert_typed(&mut self, character: char) -> Result<(), DraftFull> {
        self.aim_col = None;
        if let Some(way) = self.jump.take() {
            self.run = Run::None;
            self.cursor = self.draft.find(character, self.cursor, way).unwrap_or(self.cursor);
            return Ok(());
        }
        let typed = Draft::plain(&paste::kept(character.encode_utf8(&mut [0; 4]), self.draft.char_before(self.cursor)));
        if typed.is_empty() {
            return Ok(());
        }
        self.refuse_over_limit(&typed)?;
        let is_blank = character.is_whitespace();
        let joins = matches!(self.run, Run::Typing { after_blank } if is_blank || !after_blank);
        if !joins {
            self.record();
        }
        self.put(&typed);
        self.run = Run::Typing { after_blank: is_blank };
        Ok(())
    }

    /// Puts pasted text at the cursor; a long one is shown as a marker. Nothing in it is a key.
    pub fn paste(&mut self, text: &str) -> Result<(), DraftFull> {
        self.settle();
        let text = paste::kept(text, self.draft.char_before(self.cursor));
        let pasted = paste::pasted(&text, self.paste_count + 1);
        self.insert(&pasted)?;
        self.paste_count += usize::from(pasted.sent_len() != pasted.len());
        Ok(())
    }

    /// Does one editing action, in a composer that is `width_cols` wide.
    pub fn edit(&mut self, edit: Edit, width_cols: usize) -> Result<(), DraftFull> {
        let aim_col = self.aim_col;
        let run = self.settle();
        match edit {
            Edit::CursorUp => self.vertical(Way::Backward, aim_col, width_cols),
            Edit::CursorDown => self.vertical(Way::Forward, aim_col, width_cols),
            Edit::PageUp => self.page(Way::Backward, aim_col, width_cols),
            Edit::PageDown => self.page(Way::Forward, aim_col, width_cols),
            Edit::CursorLeft => self.cursor = self.draft.boundary(self.cursor, Way::Backward),
            Edit::CursorRight => self.cursor = self.draft.boundary(self.cursor, Way::Forward),
            Edit::CursorWordLeft => self.cursor = self.word_edge(Way::Backward),
            Edit::CursorWordRight => self.cursor = self.word_edge(Way::Forward),
            Edit::CursorLineStart => self.cursor = self.row_or_line_edge(Way::Backward, width_cols),
            Edit::CursorLineEnd => self.cursor = self.row_or_line_edge(Way::Forward, width_cols),
            Edit::CursorParagraphUp => self.cursor = self.paragraph_edge(Way::Backward),
            Edit::CursorParagraphDown => self.cursor = self.paragraph_edge(Way::Forward),
            Edit::CursorDocStart => self.cursor = 0,
            Edit::CursorDocEnd => self.cursor = self.draft.len(),
            Edit::JumpForward => self.jump = Some(Way::Forward),
            Edit::JumpBackward => self.jump = Some(Way::Backward),
            Edit::DeleteCharBackward => self.erase(run, Way::Backward),
            Edit::DeleteCharForward => self.erase(run, Way::Forward),
            Edit::DeleteWordBackward => self.kill(&run, Way::Backward, self.word_edge(Way::Backward)),
            Edit::DeleteWordForward => self.kill(&run, Way::Forward, self.word_edge(Way::Forward)),
            Edit::DeleteToLineStart => self.kill(&run, Way::Backward, self.line_edge(Way::Backward)),
            Edit::DeleteToLineEnd => self.kill(&run, Way::Forward, self.line_edge(Way::Forward)),
            Edit::Yank => return self.yank(),
            Edit::YankPop => return self.yank_pop(run),
            Edit::Undo => self.restore(Undo::undo),
            Edit::Redo => self.restore(Undo::redo),
            Edit::NewLine => return self.insert(&Draft::plain("\n")),
            Edit::ExpandPaste => self.expand_paste(),
        }
        Ok(())
    }

    /// A key that is none of the composer's was pressed: no edit goes on, and no jump waits.
    pub fn end_run(&mut self) {
        self.settle();
    }

    /// Enter right after a backslash: drops it, begins a new line, and returns true.
    pub fn newline_for_backslash(&mut self) -> bool {
        if self.draft.char_before(self.cursor) != Some('\\') {
            return false;
        }
        self.settle();
        self.record();
        self.cut(self.cursor - 1..self.cursor);
        self.put(&Draft::plain("\n"));
        true
    }

    /// Empties the composer and returns the text to send, which is now the newest prompt of the history.
    /// A blank draft stays where it is.
    pub fn take(&mut self) -> Option<String> {
        self.settle();
        if self.draft.is_blank() {
            return None;
        }
        let text = self.draft.sent();
        self.retire_draft();
        self.undo.forget();
        Some(text)
    }

    /// Empties the composer; Up, or undo, brings the text back.
    pub fn clear_into_history(&mut self) {
        self.settle();
        if !self.draft.is_empty() {
            self.record();
            self.retire_draft();
        }
    }

    /// Puts text that comes back in front of the draft, with an empty line between; it is never refused.
    /// What was sent from here has its markers again.
    pub fn put_back(&mut self, text: &str) {
        self.settle();
        let mut returned = match self.history.sent_as(text) {
            Some(prompt) => prompt.clone(),
            None => Draft::plain(&paste::kept(text, None)),
        };
        if returned.is_empty() {
            return;
        }
        self.record();
        if self.draft.is_blank() {
            self.cursor = returned.len();
            self.draft = returned;
        } else {
            returned.insert(returned.len(), &Draft::plain("\n\n"));
            self.draft.insert(0, &returned);
            self.cursor = self.draft.boundary_from(self.cursor + returned.len());
        }
    }

    /// Puts a completion in the place of the whole draft, as one edit.
    pub fn complete(&mut self, text: &str) {
        self.settle();
        self.record();
        self.draft = Draft::plain(&paste::kept(text, None));
        self.cursor = self.draft.len();
    }
}

impl Composer {
    fn insert(&mut self, piece: &Draft) -> Result<(), DraftFull> {
        self.refuse_over_limit(piece)?;
        if !piece.is_empty() {
            self.record();
            self.put(piece);
        }
        Ok(())
    }

    fn refuse_over_limit(&self, piece: &Draft) -> Result<(), DraftFull> {
        let fits = piece.is_empty() || self.draft.sent_len() + piece.sent_len() <= DRAFT_BYTES_MAX;
        if fits { Ok(()) } else { Err(DraftFull) }
    }

    fn put(&mut self, piece: &Draft) {
        self.draft.insert(self.cursor, piece);
        self.cursor = self.draft.boundary_from(self.cursor + piece.len());
    }

    fn cut(&mut self, range: Range<usize>) -> Draft {
        let cut = self.draft.cut(range.clone());
        self.cursor = self.draft.boundary_from(range.start);
        cut
    }

    /// Takes the cluster beside the cursor, or the part of it that Backspace takes in its script.
    fn erase(&mut self, run: Run, way: Way) {
        let edge = self.draft.boundary(self.cursor, way);
        let cluster = edge.min(self.cursor)..edge.max(self.cursor);
        if cluster.is_empty() {
            return;
        }
        let text = self.draft.shown(cluster.clone());
        let left_len = match way {
            Way::Backward if !self.draft.is_marker(&cluster) => script::left_by_backspace(&text).len(),
            Way::Backward | Way::Forward => 0,
        };
        let is_blank = text.chars().all(char::is_whitespace);
        let joins =
            matches!(run, Run::Erasing { way: before, after_blank } if before == way && (is_blank || !after_blank));
        if !joins {
            self.record();
        }
        self.cut(cluster.start + left_len..cluster.end);
        self.run = Run::Erasing { way, after_blank: is_blank };
    }

    fn kill(&mut self, run: &Run, way: Way, edge: usize) {
        let kill = if *run == Run::Killing { Kill::Next } else { Kill::First };
        if edge != self.cursor {
            self.record();
            let killed = self.cut(edge.min(self.cursor)..edge.max(self.cursor));
            self.kills.add(killed, kill, way);
            self.run = Run::Killing;
        }
    }

    fn yank(&mut self) -> Result<(), DraftFull> {
        let Some(killed) = self.kills.get(0).cloned() else { return Ok(()) };
        let start = self.cursor;
        self.insert(&killed)?;
        self.run = Run::Yanked { range: start..start + killed.len(), age: 0 };
        Ok(())
    }

    fn yank_pop(&mut self, run: Run) -> Result<(), DraftFull> {
        let Run::Yanked { range, age } = run else { return Ok(()) };
        let Some(killed) = self.kills.get(age + 1).cloned() else { return Ok(()) };
        let before = self.snapshot();
        self.cut(range.clone());
        if let Err(full) = self.refuse_over_limit(&killed) {
            self.show(before);
            return Err(full);
        }
        self.undo.record(before);
        self.cursor = range.start;
        self.put(&killed);
        self.run = Run::Yanked { range: range.start..range.start + killed.len(), age: age + 1 };
        Ok(())
    }

    fn expand_paste(&mut self) {
        let before = self.snapshot();
        if let Some(end) = self.draft.expand_marker(self.cursor) {
            self.undo.record(before);
            self.cursor = self.draft.boundary_from(end);
        }
    }

    fn restore(&mut self, step: fn(&mut Undo, Snapshot) -> Option<Snapshot>) {
        let now = self.snapshot();
        if let Some(snapshot) = step(&mut self.undo, now) {
            self.show(snapshot);
        }
    }

    /// Puts the draft into the history and leaves nothing.
    fn retire_draft(&mut self) {
        let draft = std::mem::take(&mut self.draft);
        self.cursor = 0;
        self.history.end_walk(&draft);
        self.history.push(draft);
    }

    fn record(&mut self) {
        let before = self.snapshot();
        self.undo.record(before);
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { draft: self.draft.clone(), cursor: self.cursor }
    }

    fn show(&mut self, snapshot: Snapshot) {
        self.draft = snapshot.draft;
        self.cursor = snapshot.cursor;
    }

    /// Ends what the next edit might have joined, and returns it.
    fn settle(&mut self) -> Run {
        self.aim_col = None;
        self.jump = None;
        std::mem::take(&mut self.run)
    }
}
