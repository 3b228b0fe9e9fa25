//! `picture`: runs the program's tour in tmux and draws what is on screen as docs/picture.svg.
//! The picture is the program's own output; nothing in it is drawn by hand.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

const COLS: usize = 92;
const ROWS: usize = 34;
const CELL_WIDTH: f32 = 8.4;
const CELL_HEIGHT: f32 = 18.0;
const MARGIN: f32 = 14.0;
/// How long the tour may take to come to its first question.
const PATIENCE: Duration = Duration::from_secs(60);
const PROMPT: &str = "Show me around";

pub fn run(root: &Path) -> anyhow::Result<()> {
    let built = Command::new(env!("CARGO")).args(["build", "--release", "--quiet"]).current_dir(root).status()?;
    if !built.success() {
        bail!("the program does not build");
    }
    let tmux = Tmux::start(&root.join("target/release/eukhe"))?;
    tmux.wait_for("Enter sends")?;
    tmux.keys(&["-l", PROMPT])?;
    tmux.keys(&["Enter"])?;
    tmux.wait_for("Approve this once")?;
    std::thread::sleep(Duration::from_millis(900));
    let svg = draw(&tmux.screen()?);
    let path = root.join("docs/picture.svg");
    std::fs::write(&path, svg).with_context(|| path.display().to_string())?;
    println!("wrote {}", path.display());
    Ok(())
}

struct Tmux {
    socket: String,
    home: std::path::PathBuf,
}

impl Tmux {
    fn start(program: &Path) -> anyhow::Result<Self> {
        let socket = format!("eukhe-picture-{}", std::process::id());
        let home = std::env::temp_dir().join(&socket);
        let tmux = Self { socket, home };
        let (cols, rows) = (COLS.to_string(), ROWS.to_string());
        let home = format!("EUKHE_DIR={}", tmux.home.display());
        let program = program.display().to_string();
        let environment = ["env", "-u", "NO_COLOR", "COLORTERM=truecolor", &home, &program, "tour"];
        tmux.call(&["-f", "/dev/null", "new-session", "-d", "-x", &cols, "-y", &rows])?;
        tmux.call(&["set", "-g", "status", "off"])?;
        tmux.call(&["set", "-sa", "terminal-overrides", ",*:Tc"])?;
        tmux.call(&[["respawn-pane", "-k"].as_slice(), environment.as_slice()].concat())?;
        Ok(tmux)
    }

    fn call(&self, words: &[&str]) -> anyhow::Result<String> {
        let output = Command::new("tmux").args(["-L", &self.socket]).args(words).output().context("tmux is missing")?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn keys(&self, keys: &[&str]) -> anyhow::Result<()> {
        self.call(&[["send-keys"].as_slice(), keys].concat()).map(drop)
    }

    fn screen(&self) -> anyhow::Result<String> {
        self.call(&["capture-pane", "-e", "-p"])
    }

    fn wait_for(&self, words: &str) -> anyhow::Result<()> {
        let start = Instant::now();
        while !self.call(&["capture-pane", "-p"])?.contains(words) {
            if start.elapsed() > PATIENCE {
                bail!("`{words}` never came; the screen: {}", self.screen()?);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = self.call(&["kill-server"]);
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

/// What a run of cells looks like.
#[derive(Clone, PartialEq, Default)]
struct Pen {
    foreground: Option<String>,
    background: Option<String>,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
    reverse: bool,
}

const PAGE: &str = "#16181d";
const TEXT: &str = "#d6d9e0";

fn draw(screen: &str) -> String {
    let width = COLS as f32 * CELL_WIDTH + 2.0 * MARGIN;
    let height = ROWS as f32 * CELL_HEIGHT + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{PAGE}\"/>\n"
    );
    let mut pen = Pen::default();
    for (row, line) in screen.lines().enumerate() {
        let mut col = 0;
        for part in line.split('\u{1b}') {
            let text = match part.strip_prefix('[').and_then(|rest| rest.split_once('m')) {
                Some((codes, text)) if codes.chars().all(|sign| sign.is_ascii_digit() || ";:".contains(sign)) => {
                    pen.take(codes);
                    text
                }
                Some(_) | None => part.rsplit_once('\\').map_or(part, |(_, text)| text),
            };
            col = run_of_cells(&mut svg, &pen, text, row, col);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Draws one run and returns the column after it.
fn run_of_cells(svg: &mut String, pen: &Pen, text: &str, row: usize, col: usize) -> usize {
    let cols = text.chars().count();
    let (x, y) = (MARGIN + col as f32 * CELL_WIDTH, MARGIN + row as f32 * CELL_HEIGHT);
    let mut colors = (pen.foreground.clone().unwrap_or(TEXT.into()), pen.background.clone());
    if pen.reverse {
        colors = (colors.1.unwrap_or(PAGE.into()), Some(colors.0));
    }
    let wide = cols as f32 * CELL_WIDTH;
    if let Some(background) = colors.1 {
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{CELL_HEIGHT}\" fill=\"{background}\"/>"
        );
    }
    if !text.trim().is_empty() {
        let style = [
            (pen.bold, " font-weight=\"bold\""),
            (pen.italic, " font-style=\"italic\""),
            (pen.underline, " text-decoration=\"underline\""),
            (pen.dim, " opacity=\"0.6\""),
        ];
        let style: String = style.into_iter().filter_map(|(on, words)| on.then_some(words)).collect();
        let safe = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let base = y + CELL_HEIGHT * 0.75;
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{base:.1}\" fill=\"{}\" textLength=\"{wide:.1}\" xml:space=\"preserve\"{style}>{safe}</text>",
            colors.0
        );
    }
    col + cols
}

impl Pen {
    /// Takes the codes of one SGR sequence, as tmux writes them.
    fn take(&mut self, codes: &str) {
        let mut codes = codes.split([';', ':']).map(|code| code.parse::<u16>().unwrap_or(0));
        while let Some(code) = codes.next() {
            match code {
                0 => *self = Self::default(),
                1 => self.bold = true,
                2 => self.dim = true,
                3 => self.italic = true,
                4 => self.underline = true,
                7 => self.reverse = true,
                22 => (self.bold, self.dim) = (false, false),
                23 => self.italic = false,
                24 => self.underline = false,
                27 => self.reverse = false,
                38 => self.foreground = color(&mut codes),
                48 => self.background = color(&mut codes),
                39 => self.foreground = None,
                49 => self.background = None,
                _ => {}
            }
        }
    }
}

/// A color of 24 bits, the only kind the picture is taken in.
fn color(codes: &mut impl Iterator<Item = u16>) -> Option<String> {
    if codes.next()? != 2 {
        return None;
    }
    let (red, green, blue) = (codes.next()?, codes.next()?, codes.next()?);
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}
