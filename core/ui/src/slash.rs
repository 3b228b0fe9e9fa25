//! Slash commands: one table, what a typed line means by it, and what Tab and Enter make of it.
//! Carries out no command and draws no menu.

#[cfg(test)]
mod tests;

/// Characters of a command's name; a longer first word begins a prompt.
const NAME_CHARACTERS_MAX: usize = 64;
/// Over so many characters no menu opens, and Enter sends the line as it is.
const MENU_CHARACTERS_MAX: usize = 4_096;

/// What a row of the table stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    New,
    Quit,
    Help,
}

/// Under which heading `/help` lists a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Session,
    Interface,
}

/// What typed words mean after a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flags {
    /// The bare path does something, and takes no argument.
    Run,
    /// The bare path does something; a word that names no child begins its argument.
    RunFree,
    /// Text is expected after the path; bare it never runs.
    Argument,
}

/// What a command does while a turn runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Busy {
    Now,
    /// Asks first.
    Ask,
}

/// One declared path.
#[derive(PartialEq, Eq, Debug)]
pub struct Row {
    /// The words of the path, lowercase, without the slash.
    pub path: &'static [&'static str],
    pub aliases: &'static [Alias],
    /// What may follow, as usage shows it; empty if nothing may.
    pub arguments: &'static str,
    pub flags: Flags,
    pub busy: Busy,
    pub group: Group,
    pub command: Command,
    pub help: &'static str,
}

/// Another name for a row of one word.
#[derive(PartialEq, Eq, Debug)]
pub struct Alias {
    pub name: &'static str,
    pub takes: Takes,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    Arguments,
    Nothing,
}

pub const COMMANDS: Table = Table(&[
    Row {
        path: &["new"],
        aliases: &[Alias { name: "clear", takes: Takes::Nothing }],
        arguments: "[--] [prompt]",
        flags: Flags::RunFree,
        busy: Busy::Ask,
        group: Group::Session,
        command: Command::New,
        help: "leaves this session and begins a new one, with the prompt if given",
    },
    Row {
        path: &["quit"],
        aliases: &[Alias { name: "exit", takes: Takes::Nothing }],
        arguments: "",
        flags: Flags::Run,
        busy: Busy::Ask,
        group: Group::Session,
        command: Command::Quit,
        help: "leaves",
    },
    Row {
        path: &["help"],
        aliases: &[],
        arguments: "",
        flags: Flags::Run,
        busy: Busy::Now,
        group: Group::Interface,
        command: Command::Help,
        help: "all commands, grouped",
    },
]);

/// All declared paths, parents before their children.
#[derive(Clone, Copy, Debug)]
pub struct Table(pub &'static [Row]);

/// What a line means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resolved<'line> {
    /// The path runs; the arguments are the rest of the line, byte for byte.
    Runs { row: &'static Row, arguments: &'line str },
    /// The path does nothing alone: its children, or its argument, are still to come.
    Opens { row: &'static Row },
    /// A later word means nothing there; `nearest` is the child that may be meant.
    Unknown { row: &'static Row, word: &'line str, nearest: Option<&'static Row> },
    /// The line is a prompt; `nearest` is the command it comes close to.
    NoCommand { nearest: Option<&'static str> },
}

/// What is listed for a line, and the argument that is missing behind the cursor.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Menu {
    pub rows: Vec<&'static Row>,
    /// Drawn dimmed, such as ` [level]`; empty if nothing is missing.
    pub ghost: String,
}

/// What a key makes of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pressed {
    /// The draft becomes this line, and the menu for it shows.
    Line(String),
    /// The line is submitted as it stands here.
    Submit(String),
}

impl Row {
    /// The path as it is typed: `/permissions allow`.
    pub fn written(&self) -> String {
        format!("/{}", self.path.join(" "))
    }

    /// The path with what may follow.
    pub fn usage(&self) -> String {
        format!("{} {}", self.written(), self.arguments).trim_end().to_owned()
    }

    fn name(&self) -> &'static str {
        self.path[self.path.len() - 1]
    }

    fn runs_bare(&self) -> bool {
        matches!(self.flags, Flags::Run | Flags::RunFree)
    }

    fn takes_text(&self) -> bool {
        matches!(self.flags, Flags::RunFree | Flags::Argument)
    }
}

impl Resolved<'_> {
    /// What an error row or a note says about a line that is not carried out; none for one that is.
    pub fn trouble(&self) -> Option<String> {
        match self {
            Self::Runs { .. } | Self::Opens { .. } | Self::NoCommand { nearest: None } => None,
            Self::Unknown { row, word, nearest: Some(nearest) } => {
                Some(format!("{} has no `{word}`; did you mean {}?", row.written(), nearest.written()))
            }
            Self::Unknown { row, word, nearest: None } => {
                Some(format!("{} takes no `{word}`; usage: {}", row.written(), row.usage()))
            }
            Self::NoCommand { nearest: Some(name) } => {
                Some(format!("did you mean /{name}? Enter again sends the line to the model as it is"))
            }
        }
    }
}

impl Table {
    pub fn rows(&self) -> &'static [Row] {
        self.0
    }

    /// Says what a line means; every line means exactly one thing.
    pub fn resolve<'line>(&self, line: &'line str) -> Resolved<'line> {
        let Some(name) = first_word(line) else { return Resolved::NoCommand { nearest: None } };
        let Some((mut row, takes)) = self.named(name) else {
            return Resolved::NoCommand { nearest: self.nearest_name(name) };
        };
        let mut rest = &line[1 + name.len()..];
        loop {
            let Some(word) = rest.split_whitespace().next() else {
                return if row.runs_bare() { Resolved::Runs { row, arguments: "" } } else { Resolved::Opens { row } };
            };
            if takes == Takes::Nothing {
                return Resolved::Unknown { row, word, nearest: None };
            }
            if let Some(child) = self.children(row.path).find(|child| child.name().eq_ignore_ascii_case(word)) {
                row = child;
                rest = &rest.trim_start()[word.len()..];
            } else if row.takes_text() {
                return Resolved::Runs { row, arguments: without_separator(rest) };
            } else {
                return Resolved::Unknown { row, word, nearest: self.nearest_child(row, word) };
            }
        }
    }

    /// Lists what may come next for a line with the cursor at its end.
    pub fn menu(&self, line: &str) -> Menu {
        if is_long(line) {
            return Menu::default();
        }
        match self.typed(line) {
            Some(Typed { parent: None, word }) => {
                let is_whole = |row: &&'static Row| row.name().eq_ignore_ascii_case(word);
                let rows = ranked(self.children(&[]), word);
                let ghost = rows.iter().copied().find(is_whole).map_or_else(String::new, |row| ghost(row, line));
                Menu { rows, ghost }
            }
            Some(Typed { parent: Some(parent), word }) => Menu {
                rows: self.children(parent.path).filter(|child| begins_with(child.name(), word)).collect(),
                ghost: if word.is_empty() { ghost(parent, line) } else { String::new() },
            },
            None => Menu::default(),
        }
    }

    /// What Tab makes of the line; none if there is nothing to complete and the menu of the line is to open.
    pub fn tab(&self, line: &str, chosen: Option<&'static Row>) -> Option<String> {
        self.listed(line, chosen).map(|row| self.completed(row))
    }

    /// What Enter makes of the line.
    pub fn enter(&self, line: &str, chosen: Option<&'static Row>) -> Pressed {
        let line = match self.listed(line, chosen) {
            Some(row) if !self.is_written_out(line, row) => row.written(),
            Some(_) | None => line.to_owned(),
        };
        match self.resolve(&line) {
            Resolved::Opens { row } if !is_long(&line) => Pressed::Line(self.completed(row)),
            Resolved::Opens { .. } | Resolved::Runs { .. } | Resolved::Unknown { .. } | Resolved::NoCommand { .. } => {
                Pressed::Submit(line)
            }
        }
    }

    fn named(&self, name: &str) -> Option<(&'static Row, Takes)> {
        self.children(&[]).find_map(|row| {
            if row.name().eq_ignore_ascii_case(name) {
                return Some((row, Takes::Arguments));
            }
            let alias = row.aliases.iter().find(|alias| alias.name.eq_ignore_ascii_case(name))?;
            Some((row, alias.takes))
        })
    }

    fn children(&self, path: &'static [&'static str]) -> impl Iterator<Item = &'static Row> {
        self.0.iter().filter(move |row| row.path.len() == path.len() + 1 && row.path.starts_with(path))
    }

    /// The path and the word that is being typed; none once an argument has begun or a word was unknown.
    fn typed<'line>(&self, line: &'line str) -> Option<Typed<'line>> {
        let name = first_word(line)?;
        let mut rest = &line[1 + name.len()..];
        if rest.is_empty() {
            return Some(Typed { parent: None, word: name });
        }
        let (mut parent, Takes::Arguments) = self.named(name)? else { return None };
        loop {
            let word = rest.trim_start();
            let Some(end) = word.find(char::is_whitespace) else { return Some(Typed { parent: Some(parent), word }) };
            parent = self.children(parent.path).find(|child| child.name().eq_ignore_ascii_case(&word[..end]))?;
            rest = &word[end..];
        }
    }

    /// The chosen row, if it lies right below the typed path and may be chosen for the line.
    fn listed(&self, line: &str, chosen: Option<&'static Row>) -> Option<&'static Row> {
        chosen.filter(|row| self.menu(line).rows.contains(row))
    }

    fn is_written_out(&self, line: &str, row: &Row) -> bool {
        let mut words = line[1..].split_whitespace();
        row.path.iter().all(|name| words.next().is_some_and(|word| word.eq_ignore_ascii_case(name)))
            && words.next().is_none()
    }

    /// The row's path, and a space where something can come after it.
    fn completed(&self, row: &'static Row) -> String {
        let continues = row.takes_text() || self.children(row.path).next().is_some();
        row.written() + if continues { " " } else { "" }
    }

    fn nearest_name(&self, name: &str) -> Option<&'static str> {
        let names = self
            .children(&[])
            .flat_map(|row| std::iter::once(row.name()).chain(row.aliases.iter().map(|alias| alias.name)));
        nearest(names.map(|known| (known, known)), name)
    }

    fn nearest_child(&self, row: &Row, word: &str) -> Option<&'static Row> {
        nearest(self.children(row.path).map(|child| (child.name(), child)), word)
    }
}

struct Typed<'line> {
    /// None while the first word is being typed.
    parent: Option<&'static Row>,
    word: &'line str,
}

/// The prompt of `/new`: what follows `--`, or the arguments themselves if they do not begin with a dash.
pub fn new_session_prompt(arguments: &str) -> Result<Option<&str>, String> {
    let prompt = match arguments.trim_start().strip_prefix("--") {
        Some(prompt) if prompt.is_empty() || prompt.starts_with(char::is_whitespace) => without_separator(prompt),
        Some(_) => {
            let option = arguments.split_whitespace().next().unwrap_or_default();
            return Err(format!("/new has no `{option}`; `/new -- {option}` sends it as the prompt"));
        }
        None => arguments,
    };
    Ok((!prompt.trim().is_empty()).then_some(prompt))
}

/// The name a command line begins with; none if the line is a plain prompt.
fn first_word(line: &str) -> Option<&str> {
    let text = line.strip_prefix('/')?;
    let name = text.split(char::is_whitespace).next().unwrap_or_default();
    let is_name = !name.contains('/') && name.chars().nth(NAME_CHARACTERS_MAX).is_none();
    is_name.then_some(name)
}

fn without_separator(rest: &str) -> &str {
    let mut characters = rest.chars();
    characters.next();
    characters.as_str()
}

fn is_long(line: &str) -> bool {
    line.chars().nth(MENU_CHARACTERS_MAX).is_some()
}

fn ghost(row: &Row, line: &str) -> String {
    let separator = if line.ends_with(char::is_whitespace) { "" } else { " " };
    if row.arguments.is_empty() { String::new() } else { format!("{separator}{}", row.arguments) }
}

fn begins_with(name: &str, word: &str) -> bool {
    name.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// The rows whose names hold the letters of the word in order; those that begin with it come first.
fn ranked(rows: impl Iterator<Item = &'static Row>, word: &str) -> Vec<&'static Row> {
    let holds = |row: &&'static Row| {
        let mut letters = row.name().chars();
        word.chars().all(|wanted| letters.any(|letter| letter.eq_ignore_ascii_case(&wanted)))
    };
    let mut rows: Vec<&'static Row> = rows.filter(holds).collect();
    rows.sort_by_key(|row| !begins_with(row.name(), word));
    rows
}

/// What has the name nearest to a word, if that is near enough; the earlier of equals.
fn nearest<T>(named: impl Iterator<Item = (&'static str, T)>, word: &str) -> Option<T> {
    let word = word.to_lowercase();
    let len = word.chars().count();
    let distance_max = if len <= 3 { 1 } else { (len / 3).max(2) };
    named
        .filter(|(name, _)| name.len().abs_diff(len) <= distance_max)
        .map(|(name, row)| (edit_distance(name, &word), row))
        .filter(|(distance, _)| *distance <= distance_max)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, row)| row)
}

/// How many characters must be added, removed or changed to make one word of the other.
fn edit_distance(one: &str, other: &str) -> usize {
    let mut above: Vec<usize> = (0..=other.chars().count()).collect();
    for (index, left) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut above[0], index + 1);
        for (place, right) in other.chars().enumerate() {
            let changed = diagonal + usize::from(left != right);
            diagonal = above[place + 1];
            above[place + 1] = changed.min(diagonal + 1).min(above[place] + 1);
        }
    }
    above[other.chars().count()]
}
