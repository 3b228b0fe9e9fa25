//! A Why3 session: the goals of one translated file, and which prover has proved each.
//! Knows Why3's XML and nothing of Rust.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Context;

/// The provers, as sessions name them, in the order in which they are tried.
pub const PROVERS: [(&str, &str); 2] = [("Z3", "4.8.12"), ("CVC4", "1.8")];

/// A session as it lies on disk.
#[derive(Clone, PartialEq, Debug)]
pub struct Session {
    root: Element,
}

#[derive(Clone, PartialEq, Debug)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Element>,
}

/// A goal that no transformation splits further.
#[derive(Clone, PartialEq, Debug)]
pub struct Goal {
    /// The function it belongs to.
    pub function: String,
    /// Why3's name of it, such as `flush'vc.3`.
    pub name: String,
    /// What it says, or the id of the law it belongs to.
    pub label: String,
    pub proof: Option<Proof>,
}

/// Who proved a goal, and in how many seconds of processor time.
#[derive(Clone, PartialEq, Debug)]
pub struct Proof {
    pub prover: String,
    pub seconds: f64,
}

impl Session {
    /// A session of a file nobody has proved anything of.
    pub fn empty(stem: &str, theory: &str) -> Self {
        let mut root = Element::new("why3session", &[("shape_version", "6")]);
        let mut file = Element::new("file", &[("format", "whyml")]);
        file.children.push(Element::new("path", &[("name", "..")]));
        file.children.push(Element::new("path", &[("name", &format!("{stem}.mlw"))]));
        file.children.push(Element::new("theory", &[("name", theory)]));
        root.children.push(file);
        Session { root }
    }

    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(text, options).context("a session that is no XML")?;
        Ok(Session { root: Element::of(document.root_element()) })
    }

    pub fn write(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE why3session PUBLIC \"-//Why3//proof session v5//EN\"\n\
             \"http://why3.lri.fr/why3session.dtd\">\n",
        );
        self.root.write(&mut text);
        text
    }

    /// All goals that are to be proved.
    pub fn goals(&self) -> Vec<Goal> {
        let mut goals = Vec::new();
        for top in self.root.all("theory").flat_map(|theory| theory.all("goal")) {
            let function = top.attribute("name").split('\'').next().unwrap_or("").to_owned();
            self.leaves(top, &function, &mut goals);
        }
        goals
    }

    fn leaves(&self, goal: &Element, function: &str, goals: &mut Vec<Goal>) {
        let mut split = goal.all("transf").peekable();
        if split.peek().is_some() {
            for split in split {
                // Why3 keeps goals of an older text beside those of now; once all is proved they can be told apart.
                let is_proved = split.attribute("proved") == "true";
                let parts = split.all("goal").filter(|part| !is_proved || part.attribute("proved") == "true");
                parts.for_each(|part| self.leaves(part, function, goals));
            }
            return;
        }
        goals.push(Goal {
            function: function.to_owned(),
            name: goal.attribute("name").to_owned(),
            label: goal.attribute("expl").to_owned(),
            proof: self.proof(goal),
        });
    }

    /// The quickest proof of a goal that stands.
    fn proof(&self, goal: &Element) -> Option<Proof> {
        let standing = goal.all("proof").filter(|proof| proof.attribute("obsolete") != "true");
        let valid = standing.flat_map(|proof| proof.all("result").map(move |result| (proof, result)));
        let valid = valid.filter(|(_, result)| result.attribute("status") == "valid");
        let proofs = valid.map(|(proof, result)| Proof {
            prover: self.prover(proof.attribute("prover")),
            seconds: result.attribute("time").parse().unwrap_or(0.0),
        });
        proofs.min_by(|one, other| one.seconds.total_cmp(&other.seconds))
    }

    fn prover(&self, id: &str) -> String {
        let prover = self.root.all("prover").find(|prover| prover.attribute("id") == id);
        prover.map_or_else(String::new, |prover| prover.attribute("name").to_owned())
    }

    /// Takes back every verdict on a goal or a file, so that only what Why3 writes anew can stand.
    pub fn unjudged(&self) -> Session {
        fn take_back(element: &mut Element) {
            element.attributes.retain(|(name, _)| name != "proved");
            element.children.iter_mut().for_each(take_back);
        }
        let mut session = self.clone();
        take_back(&mut session.root);
        session
    }

    /// Whether Why3 itself says that everything in it is proved.
    pub fn is_whole(&self) -> bool {
        self.root.all("theory").all(|theory| theory.attribute("proved") == "true")
    }

    /// Forgets the goals of an older text in a session that is whole.
    pub fn drop_detached(&mut self) {
        for top in self.tops() {
            for split in top.children.iter_mut().filter(|child| child.attribute("proved") == "true") {
                split.children.retain(|goal| goal.name != "goal" || goal.attribute("proved") == "true");
            }
        }
    }

    /// The functions alone: their goals are still to be split.
    pub fn bare(&self) -> Session {
        let mut bare = self.clone();
        for top in bare.tops() {
            top.children = vec![Element::new("transf", &[("name", "split_vc")])];
        }
        bare
    }

    /// Asks for the goals of each function to be split into parts. Returns whether one was not.
    pub fn split(&mut self) -> bool {
        let mut is_new = false;
        for top in self.tops() {
            if top.all("transf").next().is_none() {
                is_new = true;
                top.children.retain(|child| child.name != "proof");
                top.children.push(Element::new("transf", &[("name", "split_vc")]));
            }
        }
        is_new
    }

    /// Asks both provers for these goals, and for no others.
    pub fn ask(&mut self, goals: &[Goal]) {
        let provers = self.announced();
        for top in self.tops() {
            top.each_goal(&mut |goal| {
                goal.children.retain(|child| child.name != "proof");
                if goals.iter().any(|asked| asked.name == goal.attribute("name")) {
                    for id in &provers {
                        let mut attempt = Element::new("proof", &[("prover", id)]);
                        attempt.children.push(Element::new("undone", &[]));
                        goal.children.push(attempt);
                    }
                }
            });
        }
    }

    /// Writes down who has proved what; all other attempts are forgotten.
    pub fn fill(&mut self, proved: &BTreeMap<String, Proof>) {
        let provers = self.announced();
        for top in self.tops() {
            top.each_goal(&mut |goal| {
                goal.children.retain(|child| child.name != "proof");
                if let Some(proof) = proved.get(goal.attribute("name")) {
                    let at = PROVERS.iter().position(|(name, _)| *name == proof.prover).unwrap_or(0);
                    let mut found = Element::new("proof", &[("prover", &provers[at])]);
                    let seconds = format!("{:.2}", proof.seconds);
                    found.children.push(Element::new("result", &[("status", "valid"), ("time", &seconds)]));
                    goal.children.push(found);
                }
            });
        }
    }

    /// Puts the provers that are missing into the head of the session, and returns the numbers of all.
    fn announced(&mut self) -> Vec<String> {
        let mut ids = Vec::new();
        for (name, version) in PROVERS {
            let known = self.root.all("prover").find(|prover| prover.attribute("name") == name);
            let id = known.map(|prover| prover.attribute("id").to_owned()).unwrap_or_else(|| {
                let taken: Vec<&str> = self.root.all("prover").map(|prover| prover.attribute("id")).collect();
                (0..).map(|id: u32| id.to_string()).find(|id| !taken.contains(&id.as_str())).unwrap_or_default()
            });
            if !self.root.all("prover").any(|prover| prover.attribute("id") == id) {
                self.root
                    .children
                    .insert(0, Element::new("prover", &[("id", &id), ("name", name), ("version", version)]));
            }
            ids.push(id);
        }
        ids
    }

    /// Gives each attempt so many seconds of processor time.
    pub fn limit(&mut self, seconds: u32) {
        for prover in self.root.children.iter_mut().filter(|child| child.name == "prover") {
            prover.set("timelimit", &seconds.to_string());
            prover.set("steplimit", "0");
            prover.set("memlimit", "2000");
        }
        for top in self.tops() {
            top.each_goal(&mut |goal| {
                for proof in goal.children.iter_mut().filter(|child| child.name == "proof") {
                    proof.attributes.retain(|(name, _)| name != "timelimit");
                }
            });
        }
    }

    /// The goals as the file states them: one for each function.
    fn tops(&mut self) -> Vec<&mut Element> {
        let files = self.root.children.iter_mut().filter(|child| child.name == "file");
        let theories = files.flat_map(|file| file.children.iter_mut()).filter(|child| child.name == "theory");
        theories.flat_map(|theory| theory.children.iter_mut()).filter(|child| child.name == "goal").collect()
    }
}

impl Element {
    fn new(name: &str, attributes: &[(&str, &str)]) -> Self {
        let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Element { name: name.to_owned(), attributes, children: Vec::new() }
    }

    fn of(node: roxmltree::Node<'_, '_>) -> Self {
        Element {
            name: node.tag_name().name().to_owned(),
            attributes: node.attributes().map(|one| (one.name().to_owned(), one.value().to_owned())).collect(),
            children: node.children().filter(roxmltree::Node::is_element).map(Element::of).collect(),
        }
    }

    fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    fn set(&mut self, name: &str, value: &str) {
        self.attributes.retain(|(known, _)| known != name);
        self.attributes.push((name.to_owned(), value.to_owned()));
    }

    /// All elements of that name below this one, but none inside another of it.
    fn all<'a>(&'a self, name: &'a str) -> Box<dyn Iterator<Item = &'a Element> + 'a> {
        let below = move |child: &'a Element| {
            if child.name == name {
                Box::new(std::iter::once(child)) as Box<dyn Iterator<Item = &'a Element>>
            } else {
                child.all(name)
            }
        };
        Box::new(self.children.iter().flat_map(below))
    }

    fn each_goal(&mut self, act: &mut dyn FnMut(&mut Element)) {
        act(self);
        for split in self.children.iter_mut().filter(|child| child.name == "transf") {
            for goal in split.children.iter_mut().filter(|child| child.name == "goal") {
                goal.each_goal(act);
            }
        }
    }

    fn write(&self, text: &mut String) {
        let _ = write!(text, "<{}", self.name);
        for (name, value) in &self.attributes {
            let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let _ = write!(text, " {name}=\"{}\"", value.replace('"', "&quot;").replace('\'', "&#39;"));
        }
        if self.children.is_empty() {
            text.push_str("/>\n");
            return;
        }
        text.push_str(">\n");
        for child in &self.children {
            child.write(text);
        }
        let _ = writeln!(text, "</{}>", self.name);
    }
}
