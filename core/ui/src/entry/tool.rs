//! Tool cards: what each state and each detail level shows of a call. The frame is `card`'s.

use protocol::{GateAnswer, GateSource, ToolOutcome, ToolOutput};
use screen::{Role, Row};
use transcript::{Decision, ToolCard, ToolState};

use super::arguments::text_member;
use super::card::{self, Excerpt, Header};
use super::{Detail, EntryView};
use crate::number;
use crate::working_row::{ICON_MS, ICONS};

/// Rows of output at details.
const OUTPUT_ROWS: usize = 5;
/// Rows of an error at overview.
const ERROR_ROWS: usize = 3;
/// Rows of a diff at details.
const DIFF_ROWS: usize = 12;
/// Rows of one card's output or diff at most, whatever the level.
const BODY_ROWS_MAX: usize = 2_000;
/// A running call shows its clock, and one that ended its duration, from here on.
const CLOCK_MS_MIN: u64 = 1_000;
/// What a program sends that takes over the screen.
const TAKES_SCREEN: &str = "\u{1b}[?1049h";

/// The argument that says most about a call of a tool, and what stands before it.
const TELLING: [(&str, &str, &str); 4] =
    [("bash", "command", "$ "), ("read", "path", ""), ("write", "path", ""), ("edit", "path", "")];

pub(super) fn rows(card: &ToolCard, view: &EntryView) -> Vec<Row> {
    let summary = summary(card);
    let header = header(card, &summary, view);
    let mut body = command(card, &header, view);
    body.extend(unknown_arguments(card, view));
    body.extend(match &card.state {
        ToolState::Running(run) => output(&run.output, running_excerpt(view.detail), view),
        ToolState::Writing => written(card, view),
        ToolState::Ended(output) => result(card, output, view),
        ToolState::Queued | ToolState::WaitsForApproval | ToolState::Cancelled => Vec::new(),
    });
    let mut rows = vec![header.row(view)];
    rows.extend(card::panel(body, view));
    rows
}

fn header<'a>(card: &'a ToolCard, summary: &'a str, view: &EntryView) -> Header<'a> {
    let (mark, mark_role, surface) = match &card.state {
        ToolState::Writing | ToolState::Queued => ("·", Role::ToolTitle, Role::ToolPendingBg),
        ToolState::WaitsForApproval => ("·", Role::Warning, Role::ToolPendingBg),
        ToolState::Running(run) => {
            let picture = picture(run.started_at_ms, view.now_ms);
            (ICONS[picture as usize % ICONS.len()], Role::BashMode, Role::ToolPendingBg)
        }
        ToolState::Cancelled => ("–", Role::Error, Role::ToolErrorBg),
        ToolState::Ended(output) => match output.outcome {
            ToolOutcome::Done => ("✓", Role::Success, Role::ToolSuccessBg),
            ToolOutcome::Failed => ("✗", Role::Error, Role::ToolErrorBg),
            ToolOutcome::Cancelled => ("–", Role::Error, Role::ToolErrorBg),
            ToolOutcome::Denied => ("⊘", Role::Error, Role::ToolErrorBg),
        },
    };
    Header { surface, mark, mark_role, name: &card.name, summary, facts: facts(card, view) }
}

/// Counts the pictures of a running icon; a new one is due when it grows.
pub(super) fn picture(started_at_ms: u64, now_ms: u64) -> u64 {
    now_ms.saturating_sub(started_at_ms) / ICON_MS
}

/// Returns the call in one line, as much of it as is known.
fn summary(card: &ToolCard) -> String {
    let known = match &card.state {
        ToolState::Running(run) => Some(&run.summary),
        ToolState::Writing
        | ToolState::Queued
        | ToolState::WaitsForApproval
        | ToolState::Ended(_)
        | ToolState::Cancelled => card.summary.as_ref(),
    };
    let summary = known.cloned().unwrap_or_else(|| match telling(card) {
        Some((prefix, argument)) => format!("{prefix}{}", argument.unwrap_or_default()),
        None => card.arguments.split_whitespace().collect::<Vec<_>>().join(" "),
    });
    summary.trim().lines().next().unwrap_or_default().to_owned()
}

/// The telling argument of a call, as far as it has come; none for a tool that is not known here.
fn telling(card: &ToolCard) -> Option<(&'static str, Option<String>)> {
    let (_, member, prefix) = TELLING.iter().find(|(tool, _, _)| *tool == card.name)?;
    Some((prefix, text_member(&card.arguments, member)))
}

fn facts(card: &ToolCard, view: &EntryView) -> Vec<String> {
    let mut facts: Vec<String> = Vec::new();
    match &card.state {
        ToolState::Writing | ToolState::Queued => {}
        ToolState::WaitsForApproval => facts.push("waits for approval".to_owned()),
        ToolState::Running(run) => {
            let elapsed_ms = view.now_ms.saturating_sub(run.started_at_ms);
            facts.extend((elapsed_ms >= CLOCK_MS_MIN).then(|| number::elapsed(elapsed_ms)));
        }
        ToolState::Cancelled => facts.push("cancelled".to_owned()),
        ToolState::Ended(output) => facts.extend(ended_facts(output)),
    }
    facts.extend(card.decision.and_then(|decision| decided(decision, card)));
    facts
}

fn ended_facts(output: &ToolOutput) -> Vec<String> {
    let mut facts = output.facts.clone();
    match output.outcome {
        ToolOutcome::Done => {}
        ToolOutcome::Failed if facts.is_empty() => facts.push("failed".to_owned()),
        ToolOutcome::Failed => {}
        ToolOutcome::Cancelled => facts.insert(0, "cancelled".to_owned()),
        ToolOutcome::Denied => facts.insert(0, "denied".to_owned()),
    }
    facts.extend((output.duration_ms >= CLOCK_MS_MIN).then(|| number::duration(output.duration_ms)));
    facts
}

/// What was decided about the call, and by whom.
fn decided(decision: Decision, card: &ToolCard) -> Option<String> {
    let source = match decision.source {
        GateSource::You => "by you",
        GateSource::Program => "by the program",
    };
    match decision.answer {
        GateAnswer::Approved => Some(format!("approved {source}")),
        // The outcome says that it was denied already.
        GateAnswer::Denied if card.outcome() == Some(ToolOutcome::Denied) => Some(source.to_owned()),
        GateAnswer::Denied => Some(format!("denied {source}")),
        GateAnswer::TurnEnded | GateAnswer::RestoreUnavailable => None,
    }
}

/// The command of a shell call that its header cannot hold.
fn command(card: &ToolCard, header: &Header, view: &EntryView) -> Vec<Row> {
    let Some(("$ ", Some(command))) = telling(card) else { return Vec::new() };
    let is_told = command.trim().lines().count() <= 1 && header.shows_all(view);
    match view.detail {
        Detail::Details if !is_told => {
            card::excerpt(card::lines(&command, Role::BashMode, view), Excerpt::First(OUTPUT_ROWS))
        }
        Detail::All if !is_told => card::lines(&command, Role::BashMode, view),
        Detail::Overview | Detail::Details | Detail::All => Vec::new(),
    }
}

/// The arguments of a tool of which nothing is known.
fn unknown_arguments(card: &ToolCard, view: &EntryView) -> Vec<Row> {
    if telling(card).is_some() || card.arguments.is_empty() {
        return Vec::new();
    }
    let rows = |excerpt| card::excerpt(card::lines(&card.arguments, Role::ToolOutput, view), excerpt);
    match view.detail {
        Detail::Overview => Vec::new(),
        Detail::Details => rows(Excerpt::Last(OUTPUT_ROWS)),
        Detail::All => rows(Excerpt::First(BODY_ROWS_MAX)),
    }
}

/// The content of a file while the model still writes it.
fn written(card: &ToolCard, view: &EntryView) -> Vec<Row> {
    match text_member(&card.arguments, "content") {
        Some(content) if card.name == "write" => output(&content, running_excerpt(view.detail), view),
        Some(_) | None => Vec::new(),
    }
}

fn running_excerpt(detail: Detail) -> Option<Excerpt> {
    match detail {
        Detail::Overview => None,
        Detail::Details => Some(Excerpt::Last(OUTPUT_ROWS)),
        Detail::All => Some(Excerpt::Last(BODY_ROWS_MAX)),
    }
}

fn result(card: &ToolCard, result: &ToolOutput, view: &EntryView) -> Vec<Row> {
    let is_change = matches!(card.name.as_str(), "edit" | "write");
    if let (true, Some(diff)) = (is_change, &result.shown) {
        return changes(diff, view);
    }
    let end = |rows| if card.name == "bash" { Excerpt::Last(rows) } else { Excerpt::First(rows) };
    let excerpt = match (result.outcome, view.detail) {
        (ToolOutcome::Failed, Detail::Overview) => Some(Excerpt::First(ERROR_ROWS)),
        (ToolOutcome::Denied, Detail::Overview | Detail::Details) => None,
        (ToolOutcome::Done | ToolOutcome::Cancelled, Detail::Overview) => None,
        (ToolOutcome::Done | ToolOutcome::Failed | ToolOutcome::Cancelled, Detail::Details) => Some(end(OUTPUT_ROWS)),
        (_, Detail::All) => Some(end(BODY_ROWS_MAX)),
    };
    output(result.shown.as_ref().unwrap_or(&result.text), excerpt, view)
}

fn changes(diff: &str, view: &EntryView) -> Vec<Row> {
    // The header names the file.
    let hunks = diff.find("\n@@ ").map_or(diff, |end| &diff[end + 1..]);
    let rows = |count| card::excerpt(markup::diff(hunks, card::body_cols(view)), Excerpt::First(count));
    match view.detail {
        Detail::Overview => Vec::new(),
        Detail::Details => rows(DIFF_ROWS),
        Detail::All => rows(BODY_ROWS_MAX),
    }
}

fn output(text: &str, excerpt: Option<Excerpt>, view: &EntryView) -> Vec<Row> {
    let Some(excerpt) = excerpt else { return Vec::new() };
    if text.contains(TAKES_SCREEN) {
        let words = format!("full-screen output, {} not shown", number::size(text.len()));
        return card::lines(&words, Role::Muted, view);
    }
    card::excerpt(card::lines(text.trim_end(), Role::ToolOutput, view), excerpt)
}
