//! The same functions as Rust and through WhyML, on the same random inputs: what the translator says must be what runs.
//! Both sides draw their inputs from the same numbers and fold what comes out into one number for each hundred inputs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};
use lawc::{Function, Kind, Module, Param, Purpose, Shape};

use super::Source;
use super::why3::Why3;

/// Inputs for each function.
const INPUTS: usize = 10_000;
/// Inputs whose results are folded into one number.
const CHUNK: usize = 100;
/// Draws after which a function counts as one whose `requires` nobody can meet by chance.
const DRAWS_MAX: u64 = 40_000_000;
/// Where the draws begin, if the environment does not say.
const SEED: u64 = 1;

/// What one side made of one function.
#[derive(PartialEq)]
struct Outcome {
    function: String,
    /// The draws of each chunk, as distances from the one before.
    draws: Vec<Vec<u64>>,
    digests: Vec<String>,
}

pub fn run(root: &Path, why3: &Why3, sources: &[Source]) -> anyhow::Result<()> {
    let found =
        Command::new("ocamlfind").args(["query", "zarith"]).output().is_ok_and(|output| output.status.success());
    if !found {
        println!(
            "differential: ocamlfind and zarith are not installed (Debian: ocaml-nox ocaml-findlib libzarith-ocaml-dev)"
        );
        return if super::must_prove() { bail!("they are required here") } else { Ok(()) };
    }
    let seed = std::env::var("EUKHE_TEST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(SEED);
    let start = Instant::now();
    let rust = in_rust(root, sources, seed)?;
    let whyml = through_whyml(&why3.within("differential")?, sources, &rust)?;
    let mut differing = Vec::new();
    println!("\n{:34} {:>7}  seed {seed}", "as Rust and through WhyML", "inputs");
    for source in sources {
        for function in executed(&source.module) {
            let name = format!("{}::{}", source.stem, function.name);
            let outcome = rust.iter().find(|one| one.function == name);
            let outcome = outcome.with_context(|| format!("Rust says nothing of {name}"))?;
            let digests = whyml.get(&name).with_context(|| format!("WhyML says nothing of {name}"))?;
            let inputs: usize = outcome.draws.iter().map(Vec::len).sum();
            println!("  {name:32} {inputs:>7}");
            if inputs < INPUTS {
                differing.push(format!("  {name}: only {inputs} inputs meet its `requires`\n"));
            }
            if outcome.digests != *digests {
                let chunk = outcome.digests.iter().zip(digests).position(|(rust, whyml)| rust != whyml).unwrap_or(0);
                differing.push(format!("  {name}: among inputs {} to {}\n", chunk * CHUNK, (chunk + 1) * CHUNK));
            }
        }
    }
    println!("{:.0} s", start.elapsed().as_secs_f64());
    if differing.is_empty() { Ok(()) } else { bail!("Rust and WhyML differ (seed {seed}):\n{}", differing.concat()) }
}

/// The functions that run: all but those only contracts speak of.
fn executed(module: &Module) -> impl Iterator<Item = &Function> {
    module.functions.iter().filter(|function| function.kind != Kind::Contract)
}

/// Builds a program of the sources and their draws, and reads what it prints.
fn in_rust(root: &Path, sources: &[Source], seed: u64) -> anyhow::Result<Vec<Outcome>> {
    let folder = root.join("target/differential");
    std::fs::create_dir_all(folder.join("src"))?;
    let contracts = root.join("core/contracts");
    let manifest = format!(
        "[package]\nname = \"differential\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         contracts = {{ package = \"eukhe-contracts\", path = {contracts:?} }}\n[profile.release]\noverflow-checks = true\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::write(folder.join("src/main.rs"), rust_program(sources, seed))?;
    let output = Command::new(env!("CARGO"))
        .args(["run", "--release", "--quiet", "--offline"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("RUSTFLAGS", "-A warnings")
        .output()
        .context("cargo did not start")?;
    if !output.status.success() {
        bail!("the program of the differential test failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8_lossy(&output.stdout).lines().map(Outcome::parse).collect()
}

impl Outcome {
    /// Reads `stem::function digest:distance,distance… digest:…`.
    fn parse(line: &str) -> anyhow::Result<Self> {
        let mut words = line.split(' ');
        let mut outcome =
            Outcome { function: words.next().unwrap_or("").to_owned(), draws: Vec::new(), digests: Vec::new() };
        for word in words {
            let (digest, draws) = word.split_once(':').context("a line of the differential program")?;
            let draws: Result<Vec<u64>, _> = draws.split(',').map(str::parse).collect();
            outcome.digests.push(digest.to_owned());
            outcome.draws.push(draws?);
        }
        Ok(outcome)
    }

    fn line(&self) -> String {
        let chunks = self.digests.iter().zip(&self.draws).map(|(digest, draws)| {
            let draws: Vec<String> = draws.iter().map(u64::to_string).collect();
            format!(" {digest}:{}", draws.join(","))
        });
        self.function.clone() + &chunks.collect::<String>()
    }
}

/// Has Why3 turn the WhyML text into OCaml, builds that, and returns the digests by function.
fn through_whyml(why3: &Why3, sources: &[Source], rust: &[Outcome]) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    why3.put("prelude", lawc::RUNNING_PRELUDE)?;
    let (mut program, mut table) = (extracted(why3, "prelude")?, String::new());
    let mut last = "";
    for Source { stem, rust, .. } in sources {
        // Why3 has files of its own under such names.
        let file = format!("laws_{stem}");
        let module = lawc::translate(stem, rust, Purpose::Run)?;
        let functions: String = executed(&module).map(|function| whyml_draw(&module, function)).collect();
        let draws = include_str!("differential.mlw.in");
        let draws = draws.replace("(*module*)", &super::theory(stem)).replace("(*functions*)", &functions);
        why3.put(&file, &format!("{}\n{draws}", module.text))?;
        let _ = writeln!(program, "module {} = struct\n{}\nend", super::theory(stem), extracted(why3, &file)?);
        for function in executed(&module) {
            let _ = writeln!(table, "  \"{stem}::{0}\", {1}.draw_{0};", function.name, super::theory(stem));
        }
        last = stem;
    }
    let _ = writeln!(
        program,
        "let fold = {0}.any_fold\nlet start = {0}.any_start\nlet table = [\n{table}]\n",
        super::theory(last)
    );
    program += include_str!("differential.ml.in");
    std::fs::write(why3.folder().join("draws.ml"), program)?;
    let built = Command::new("ocamlfind")
        .args(["ocamlopt", "-w", "-a", "-package", "zarith", "-linkpkg", "draws.ml", "-o", "draws"])
        .current_dir(why3.folder())
        .output()?;
    if !built.status.success() {
        bail!("the extracted program does not build:\n{}", String::from_utf8_lossy(&built.stderr));
    }
    let lines: String = rust.iter().map(|outcome| outcome.line() + "\n").collect();
    std::fs::write(why3.folder().join("draws.txt"), lines)?;
    let output = Command::new(why3.folder().join("draws"))
        .stdin(std::fs::File::open(why3.folder().join("draws.txt"))?)
        .output()?;
    if !output.status.success() {
        bail!("the extracted program failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = said.lines().map(|line| line.split(' ').map(str::to_owned));
    Ok(lines.filter_map(|mut words| Some((words.next()?, words.collect()))).collect())
}

/// A file of WhyML as OCaml.
fn extracted(why3: &Why3, file: &str) -> anyhow::Result<String> {
    let output = why3.run(&["extract", "-D", "ocaml64", &format!("{file}.mlw")])?;
    if !output.status.success() {
        bail!("{file}: why3 extract says\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned() + "\n")
}

/// A Rust program with the sources as modules, each with a function that draws, checks `requires` and folds.
fn rust_program(sources: &[Source], seed: u64) -> String {
    let mut text = String::from(include_str!("differential.rs.in"));
    let _ = writeln!(
        text,
        "const INPUTS: usize = {INPUTS}; const CHUNK: usize = {CHUNK}; const DRAWS_MAX: u64 = {DRAWS_MAX}; const SEED: u64 = {seed};"
    );
    let mut main = String::from("fn main() {\n");
    for Source { stem, rust, module, .. } in sources {
        let body: String =
            rust.lines().filter(|line| !line.starts_with("//!")).map(|line| format!("{line}\n")).collect();
        let _ = writeln!(text, "mod {stem} {{\n{body}\nuse super::Draw;");
        for function in executed(module) {
            let _ = writeln!(text, "pub fn draw_{0}(draw: &mut Draw) -> Option<u64> {{", function.name);
            text += &rust_draw(module, function);
            text += "}\n";
            let _ = writeln!(main, "    run(\"{stem}::{0}\", {stem}::draw_{0});", function.name);
        }
        text += "}\n";
    }
    text + &main + "}\n"
}

fn rust_draw(module: &Module, function: &Function) -> String {
    let mut text = String::from("    let shared = draw.shared();\n");
    for Param { name, shape, .. } in &function.params {
        let _ = match shape {
            Shape::Slice(element) => writeln!(
                text,
                "    let length = draw.length(shared); let mut {name} = Vec::new();\n    \
                 for _ in 0..length {{ let one = {}; {name}.push(one); }}",
                rust_value(module, element)
            ),
            plain => writeln!(text, "    let {name} = {};", rust_value(module, plain)),
        };
    }
    // `requires` speaks of slices by the names of the parameters.
    for Param { name, shape, .. } in &function.params {
        if matches!(shape, Shape::Slice(_)) {
            let _ = writeln!(text, "    let {name}: &mut [_] = &mut {name}[..];");
        }
    }
    for requires in &function.requires {
        let _ = writeln!(text, "    if !super::met(|| {requires}) {{ return None; }}");
    }
    let arguments: Vec<&str> = function.params.iter().map(|param| param.name.as_str()).collect();
    let _ = writeln!(text, "    let result = {}({});", function.name, arguments.join(", "));
    text += "    let mut folded = 0;\n";
    text += &rust_fold(module, "result", &function.returns);
    for Param { name, shape, changes } in &function.params {
        if let (Shape::Slice(element), true) = (shape, changes) {
            let _ = writeln!(text, "    for one in {name}.iter() {{ {} }}", rust_fold(module, "(*one)", element));
        }
    }
    text + "    Some(folded)\n"
}

fn rust_value(module: &Module, shape: &Shape) -> String {
    match shape {
        Shape::Number => "draw.number() as _".into(),
        Shape::Bool => "draw.small(2) == 1".into(),
        Shape::Enumeration(name) => {
            let variants = variants(module, name);
            let cases = variants.iter().enumerate().map(|(at, variant)| format!("{at} => {name}::{variant}, "));
            format!("match draw.small({}) {{ {}_ => unreachable!() }}", variants.len(), cases.collect::<String>())
        }
        Shape::Record(name) => {
            let fields =
                fields(module, name).iter().map(|(field, shape)| format!("{field}: {}, ", rust_value(module, shape)));
            format!("{name} {{ {} }}", fields.collect::<String>())
        }
        Shape::Unit | Shape::Slice(_) => "unreachable!()".into(),
    }
}

fn rust_fold(module: &Module, value: &str, shape: &Shape) -> String {
    match shape {
        Shape::Unit => String::new(),
        Shape::Number | Shape::Bool => format!("folded = super::fold(folded, {value} as u64); "),
        Shape::Enumeration(name) => {
            let cases = variants(module, name).iter().enumerate();
            let cases: String = cases.map(|(at, variant)| format!("{name}::{variant} => {at}, ")).collect();
            format!("folded = super::fold(folded, match {value} {{ {cases} }}); ")
        }
        Shape::Record(name) => {
            let fields = fields(module, name).iter();
            fields.map(|(field, shape)| rust_fold(module, &format!("{value}.{field}"), shape)).collect()
        }
        Shape::Slice(_) => String::new(),
    }
}

/// The same draws in WhyML, for one function.
fn whyml_draw(module: &Module, function: &Function) -> String {
    let mut text =
        format!("  let draw_{} (draw: array int) : int =\n    let shared = any_shared_of draw in\n", function.name);
    let mut arguments = String::new();
    for Param { name, shape, .. } in &function.params {
        let name = format!("p_{name}");
        let _ = match shape {
            Shape::Slice(element) => writeln!(
                text,
                "    let many = any_length_of draw shared in\n    let {name} = Array.make many {} in\n    \
                 for k = 0 to many - 1 do {name}[k] <- {} done;",
                whyml_first(module, element),
                whyml_value(module, element)
            ),
            plain => writeln!(text, "    let {name} = {} in", whyml_value(module, plain)),
        };
        arguments += &format!(" {name}");
    }
    if arguments.is_empty() {
        arguments = " ()".into();
    }
    let named = lawc::value_name(&function.name);
    let _ = writeln!(text, "    let answer = {named}{arguments} in\n    let ref folded = 0 in");
    text += &whyml_fold(module, "answer", &function.returns);
    for Param { name, shape, changes } in &function.params {
        if let (Shape::Slice(element), true) = (shape, changes) {
            let fold = whyml_fold(module, "one", element);
            let _ = writeln!(text, "    for k = 0 to p_{name}.length - 1 do let one = p_{name}[k] in {fold} () done;");
        }
    }
    text + "    folded\n\n"
}

fn whyml_value(module: &Module, shape: &Shape) -> String {
    match shape {
        Shape::Number => "(any_number draw)".into(),
        Shape::Bool => "(Int.(=) (any_small draw 2) 1)".into(),
        Shape::Enumeration(name) => {
            let variants = variants(module, name);
            let mut text = String::from("(let which = any_small draw ");
            let _ = write!(text, "{} in ", variants.len());
            for (at, variant) in variants.iter().enumerate() {
                let variant = lawc::variant_name(name, variant);
                let _ = if at + 1 < variants.len() {
                    write!(text, "if which = {at} then {variant} else ")
                } else {
                    write!(text, "{variant})")
                };
            }
            text
        }
        Shape::Record(name) => {
            let fields = fields(module, name);
            let mut text = String::from("(");
            for (at, (_, shape)) in fields.iter().enumerate() {
                let _ = write!(text, "let v{at} = {} in ", whyml_value(module, shape));
            }
            let built =
                fields.iter().enumerate().map(|(at, (field, _))| format!("{} = v{at}", lawc::field_name(name, field)));
            let _ = write!(text, "{{ {} }})", built.collect::<Vec<_>>().join("; "));
            text
        }
        Shape::Unit | Shape::Slice(_) => "absurd".into(),
    }
}

/// Any value of the shape, to make an array of.
fn whyml_first(module: &Module, shape: &Shape) -> String {
    match shape {
        Shape::Number => "0".into(),
        Shape::Bool => "false".into(),
        Shape::Enumeration(name) => lawc::variant_name(name, &variants(module, name)[0]),
        Shape::Record(name) => {
            let fields = fields(module, name).iter();
            let fields = fields
                .map(|(field, shape)| format!("{} = {}", lawc::field_name(name, field), whyml_first(module, shape)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join("; "))
        }
        Shape::Unit | Shape::Slice(_) => "absurd".into(),
    }
}

fn whyml_fold(module: &Module, value: &str, shape: &Shape) -> String {
    match shape {
        Shape::Unit | Shape::Slice(_) => String::new(),
        Shape::Number => format!("    folded <- any_fold folded {value};\n"),
        Shape::Bool => format!("    folded <- any_fold folded (if {value} then 1 else 0);\n"),
        Shape::Enumeration(name) => {
            let cases = variants(module, name).iter().enumerate();
            let cases: String =
                cases.map(|(at, variant)| format!("| {} -> {at} ", lawc::variant_name(name, variant))).collect();
            format!("    folded <- any_fold folded (match {value} with {cases} end);\n")
        }
        Shape::Record(name) => {
            let fields = fields(module, name).iter();
            fields
                .map(|(field, shape)| whyml_fold(module, &format!("{value}.{}", lawc::field_name(name, field)), shape))
                .collect()
        }
    }
}

fn variants<'a>(module: &'a Module, name: &str) -> &'a [String] {
    module.enumerations.iter().find(|known| known.name == name).map_or(&[], |known| &known.variants)
}

fn fields<'a>(module: &'a Module, name: &str) -> &'a [(String, Shape)] {
    module.records.iter().find(|known| known.name == name).map_or(&[], |known| &known.fields)
}
