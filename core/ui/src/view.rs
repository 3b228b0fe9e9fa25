//! From model to frame: the dock from the bottom up, the transcript above it.

use std::sync::Arc;

use screen::{Caret, Frame, Role, Row, Size, Span, Style, Surface, text};

use crate::blocks::Blocks;
use crate::entry::Detail;
use crate::gate_prompt::Arming;
use crate::ladder::Work;
use crate::model::{Mode, Model, Receipt, Session, TitleChoice};
use crate::status_line::StatusLine;
use crate::viewport::{Heights, rows_below};

/// The least window that is drawn; below it one row says so.
const SIZE_MIN: Size = Size { cols: 20, rows: 5 };
/// Under so many rows there are no blank rows.
const TIGHT_ROWS: u16 = 8;
/// Under so many rows the composer has at most [`SHORT_COMPOSER_ROWS`].
const SHORT_ROWS: u16 = 12;
const SHORT_COMPOSER_ROWS: usize = 3;
const COMPOSER_ROWS_MAX: usize = 10;
/// Messages named in the queue strip; the rest is counted.
const QUEUE_ROWS_MAX: usize = 3;
/// Rows of transcript that an overlay leaves.
const TRANSCRIPT_ROWS_MIN: usize = 3;

/// A frame, and what its painting will make true.
pub struct View {
    pub frame: Frame,
    pub receipt: Receipt,
}

/// Returns the picture of the model; none before the size is known.
pub fn view(model: &Model, now_ms: u64, number: u64) -> Option<View> {
    let size = model.size?;
    let (surface, caret, receipt) = if size.cols < SIZE_MIN.cols || size.rows < SIZE_MIN.rows {
        (too_small(model, size), None, Receipt::default())
    } else {
        let dock = Dock::new(model, size, now_ms);
        match model.options.mode {
            Mode::Fullscreen => fullscreen(model, size, now_ms, dock),
            Mode::Inline => inline(model, size, now_ms, dock),
        }
    };
    let title = (model.options.title == TitleChoice::Set).then(|| title(model));
    let frame = Frame { number, size, surface, caret, palette: Arc::clone(&model.palette), title };
    Some(View { frame, receipt })
}

/// How much of the window the transcript has in fullscreen: for scrolling by pages.
pub(crate) fn window_rows(model: &Model, size: Size, now_ms: u64) -> usize {
    let dock = Dock::new(model, size, now_ms);
    usize::from(size.rows).saturating_sub(dock.rows.len() + usize::from(dock.has_more_row))
}

/// Rows an overlay has: it leaves some of the transcript, but none in a short window.
pub(crate) fn overlay_rows_max(size: Size) -> usize {
    let leave = if size.rows < SHORT_ROWS { 0 } else { TRANSCRIPT_ROWS_MIN };
    gate_rows_max(size).saturating_sub(leave).max(1)
}

/// Rows an entered gate prompt has: all but status line, working row and its blank.
pub(crate) fn gate_rows_max(size: Size) -> usize {
    let around = if size.rows >= TIGHT_ROWS { 3 } else { 2 };
    usize::from(size.rows).saturating_sub(around)
}

fn fullscreen(model: &Model, size: Size, now_ms: u64, dock: Dock) -> (Surface, Option<Caret>, Receipt) {
    let blocks = Blocks::new(model, size, now_ms);
    let toasts = model.toasts.rows(usize::from(size.cols));
    let window_rows = usize::from(size.rows).saturating_sub(dock.rows.len());
    let mut top = model.viewport.top(&blocks, window_rows);
    let mut below = rows_below(&blocks, top, window_rows);
    let mut transcript_rows = window_rows;
    if below > 0 {
        transcript_rows = window_rows.saturating_sub(1);
        top = model.viewport.top(&blocks, transcript_rows);
        below = rows_below(&blocks, top, transcript_rows);
    }
    let mut rows = blocks.window(top, transcript_rows);
    rows.resize_with(transcript_rows, || Arc::new(Row::blank()));
    let covered = rows.len().saturating_sub(toasts.len());
    rows.truncate(covered);
    rows.extend(toasts.into_iter().map(Arc::new));
    if transcript_rows < window_rows {
        let words = format!(" ↓ {below} more rows below · Ctrl+End");
        rows.push(Arc::new(Row::of(Role::Dim, words).cut(usize::from(size.cols))));
    }
    let caret = dock.caret.map(|caret| Caret { row: caret.row + rows.len(), col: caret.col });
    rows.extend(dock.rows.into_iter().map(Arc::new));
    let receipt = Receipt { gate: dock.gate, ..Receipt::default() };
    (Surface::Fullscreen { rows }, caret, receipt)
}

fn inline(model: &Model, size: Size, now_ms: u64, dock: Dock) -> (Surface, Option<Caret>, Receipt) {
    let blocks = Blocks::new(model, size, now_ms);
    let (history, receipt) = history(model, &blocks);
    let first_live = match receipt.commits_through {
        Some(_) => Blocks::of_entry(model.transcript.flush().end),
        None if model.preface.is_committed || receipt.commits_preface => Blocks::of_entry(model.transcript.committed()),
        None => 0,
    };
    let mut children: Vec<Vec<Arc<Row>>> =
        (first_live..blocks.block_count()).map(|block| blocks.last_rows(block, usize::from(size.rows))).collect();
    children.push(model.toasts.rows(usize::from(size.cols)).into_iter().map(Arc::new).collect());
    let budget = Budget::new(size);
    let dock_cost: u64 = dock.rows.iter().map(|row| budget.cost(row)).sum();
    let newest = children.iter().rev().flat_map(|rows| rows.last()).next().map_or(0, |row| budget.cost(row));
    let free_rows = usize::from(size.rows).saturating_sub(dock.rows.len());
    // In the least window the newest row of the transcript is worth more than the promise for a halved one.
    let least = if size.rows < TIGHT_ROWS && free_rows > 0 { newest } else { 0 };
    let mut live = budget.stack(children, budget.room.saturating_sub(dock_cost).max(least));
    let caret = dock.caret.map(|caret| Caret { row: caret.row + live.len(), col: caret.col });
    live.extend(dock.rows.into_iter().map(Arc::new));
    (Surface::Inline { history, live }, caret, Receipt { gate: dock.gate, ..receipt })
}

/// The rows that this frame gives to the scrollback, once and for ever.
fn history(model: &Model, blocks: &Blocks) -> (Vec<Arc<Row>>, Receipt) {
    if matches!(model.session, Session::Opening { .. }) {
        return (Vec::new(), Receipt::default());
    }
    let mut rows = if model.preface.is_committed { Vec::new() } else { blocks.rows(0) };
    let flushed = model.transcript.flush();
    let commits_through = model.transcript.entries().get(flushed.clone()).and_then(|entries| Some(entries.last()?.id));
    rows.extend(blocks.rows_of(Blocks::of_entry(flushed.start)..Blocks::of_entry(flushed.end)));
    let receipt = Receipt { commits_preface: !model.preface.is_committed, commits_through, gate: None };
    (rows, receipt)
}

/// The room that inline live rows may take so that a halved width still fits the window (`painting.md`).
struct Budget {
    half_cols: u64,
    room: u64,
}

impl Budget {
    fn new(size: Size) -> Self {
        Self { half_cols: u64::from(size.cols / 2).max(1), room: u64::from(size.rows.saturating_sub(1)) }
    }

    /// Rows this row takes once the width is halved.
    fn cost(&self, row: &Row) -> u64 {
        (row.width_cols() as u64).div_ceil(self.half_cols).max(1)
    }

    /// Cuts the children from their tops, the newest kept, to what has room.
    fn stack(&self, children: Vec<Vec<Arc<Row>>>, room: u64) -> Vec<Arc<Row>> {
        let costs: Vec<u64> = children.iter().map(|rows| rows.iter().map(|row| self.cost(row)).sum()).collect();
        let mut granted = vec![0; costs.len()];
        let mut tops = vec![0; costs.len()];
        laws::stack::stack(&costs, room, &mut granted, &mut tops);
        let kept = children.into_iter().zip(granted).map(|(rows, granted)| self.newest(rows, granted));
        kept.flatten().collect()
    }

    fn newest(&self, rows: Vec<Arc<Row>>, granted: u64) -> Vec<Arc<Row>> {
        let mut left = granted;
        let kept = rows.iter().rev().take_while(|row| {
            let cost = self.cost(row);
            let fits = cost <= left;
            left = left.saturating_sub(cost);
            fits
        });
        let first = rows.len() - kept.count();
        rows[first..].to_vec()
    }
}

/// All that stands below the transcript.
struct Dock {
    rows: Vec<Row>,
    caret: Option<Caret>,
    /// The gate whose prompt these rows show.
    gate: Option<protocol::GateId>,
    has_more_row: bool,
}

impl Dock {
    fn new(model: &Model, size: Size, now_ms: u64) -> Self {
        let width_cols = usize::from(size.cols);
        let mut rows = Vec::new();
        if let Some(working) = model.working_row() {
            if size.rows >= TIGHT_ROWS {
                rows.push(Row::blank());
            }
            rows.push(working.row(now_ms, width_cols));
        } else if size.rows >= TIGHT_ROWS {
            rows.push(Row::blank());
        }
        if size.rows >= TIGHT_ROWS {
            rows.extend(queue_strip(model, size));
        }
        let status = status_line(model, size, now_ms);
        let room = usize::from(size.rows).saturating_sub(rows.len() + 1);
        let body = Body::new(model, size, room);
        let caret = body.caret.map(|caret| Caret { row: caret.row + rows.len(), col: caret.col });
        rows.extend(body.rows);
        rows.push(status);
        let has_more_row = !matches!(model.viewport, crate::viewport::Viewport::Following);
        Self { rows, caret, gate: body.gate, has_more_row }
    }
}

/// Composer with what stands over it, or what has its place.
struct Body {
    rows: Vec<Row>,
    caret: Option<Caret>,
    gate: Option<protocol::GateId>,
}

impl Body {
    fn new(model: &Model, size: Size, room: usize) -> Self {
        let width_cols = usize::from(size.cols);
        if let Some(overlay) = &model.overlay {
            let rows = overlay.rows(overlay_rows_max(size).min(room));
            let rows = rows.into_iter().map(|row| row.cut(width_cols)).collect();
            return Self { rows, caret: None, gate: None };
        }
        let entered = model.gate.as_ref().is_some_and(|gate| gate.arming() == Arming::Entered);
        let (composer, caret) = if entered { (Vec::new(), None) } else { composer(model, size) };
        let above_max = room.saturating_sub(composer.len());
        let mut rows = match &model.gate {
            Some(gate) => gate.rows(width_cols, above_max),
            None => model.menu.rows(width_cols, above_max),
        };
        let caret = caret.map(|caret: Caret| Caret { row: caret.row + rows.len(), col: caret.col });
        rows.extend(composer);
        Self { rows, caret, gate: model.gate.as_ref().map(|gate| gate.gate()) }
    }
}

fn composer(model: &Model, size: Size) -> (Vec<Row>, Option<Caret>) {
    let third = usize::from(size.rows) / 3;
    let rows_max = match size.rows {
        rows if rows < TIGHT_ROWS => 2,
        rows if rows < SHORT_ROWS => SHORT_COMPOSER_ROWS,
        _ => COMPOSER_ROWS_MAX.min(third.max(1)),
    };
    let placeholder = match model.session {
        Session::Failed | Session::Ended => "no session is open; Ctrl+C twice leaves",
        Session::Replacing { .. } => "a new session is being opened",
        Session::Opening { .. } => "write a prompt; it is sent once the session is open",
        Session::Open { .. } if model.gate.is_some() => "Tab answers above; what is written adds to the turn",
        Session::Open { .. } if model.is_working() => "Enter adds to the running turn",
        Session::Open { .. } => "write a prompt; Enter sends it",
    };
    let mut shown = model.composer.view(usize::from(size.cols), rows_max, placeholder);
    if let Some(row) = shown.rows.get_mut(shown.caret.row).filter(|_| !model.menu.ghost().is_empty()) {
        // Behind the caret's own cell: what is still to be typed.
        let ghost = Style::new(Role::Dim).on(Role::UserMessageBg);
        row.spans.push(Span::new(ghost, format!(" {}", model.menu.ghost().trim_start())));
        *row = std::mem::take(row).cut(usize::from(size.cols));
    }
    (shown.rows, Some(shown.caret))
}

/// Messages that wait, or are on their way.
fn queue_strip(model: &Model, size: Size) -> Vec<Row> {
    let width_cols = usize::from(size.cols);
    let strip_max = if size.rows < SHORT_ROWS { 1 } else { QUEUE_ROWS_MAX };
    let line = |label: &str, words: &str| {
        let first = words.lines().next().unwrap_or("");
        Row::of(Role::Dim, format!(" {label}  {first}")).cut(width_cols)
    };
    let starting = model.outbox.texts().map(|words| line("Starting", words));
    let queued = model.transcript.queue();
    let steering = queued.iter().map(|queued| line("Steering", &queued.text));
    let mut rows: Vec<Row> = starting.chain(steering).collect();
    let over = rows.len().saturating_sub(strip_max);
    if over > 0 {
        rows.truncate(strip_max);
        rows.push(Row::of(Role::Dim, format!(" {over} more")));
    }
    rows
}

fn status_line(model: &Model, size: Size, now_ms: u64) -> Row {
    let work = if model.situation().stoppable { Work::Stoppable } else { Work::None };
    let path = model.shortened(&model.preface.workspace);
    let hint = model
        .ladder
        .hint(now_ms, work)
        .or_else(|| (model.overlay.is_some() && model.gate.is_some()).then_some("an approval waits below this"));
    StatusLine {
        hint,
        model: &model.preface.model,
        path: &path,
        profile: &model.preface.profile,
        detail: match model.detail {
            Detail::Overview => None,
            Detail::Details => Some("details"),
            Detail::All => Some("all"),
        },
        context_tokens: model.transcript.usage().map(|usage| usage.prompt().saturating_add(usage.output)),
        // No provider tells it yet.
        window_tokens: None,
    }
    .row(usize::from(size.cols))
    .cut(usize::from(size.cols))
}

fn title(model: &Model) -> String {
    let place = model.preface.workspace.rsplit('/').next().unwrap_or("");
    let state = if model.gate.is_some() {
        "! "
    } else if model.is_working() {
        "● "
    } else {
        ""
    };
    text::clean(&format!("{state}eukhe {place}"))
}

/// The one row of a window that is too small; keys and draft live on.
fn too_small(model: &Model, size: Size) -> Surface {
    let row = Row::new(vec![Span::new(Style::new(Role::Warning), "window too small (20x5)")]);
    let row = Arc::new(row.cut(usize::from(size.cols)));
    match model.options.mode {
        Mode::Fullscreen => Surface::Fullscreen { rows: vec![row] },
        Mode::Inline => Surface::Inline { history: Vec::new(), live: vec![row] },
    }
}
