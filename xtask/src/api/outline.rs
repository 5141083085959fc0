//! Makes a list of public items readable: one line for what can break, none for what follows from it.
//!
//! The list repeats the whole path of everything and names each method of each derived trait: five thousand lines, in
//! which nobody sees the one that matters. What is left of it:
//!
//! - A type is a line, with its fields, variants and methods indented below it.
//! - The traits that a type implements are one line; what they demand of it is left out, but for associated types.
//! - Of the traits that the compiler derives by itself only their absence is told, as `not Send`.
//! - Paths are as long as they must be to be told apart: `Option`, `types::Course`, `reqwest::Request`.
//! - An item is described where it is defined; elsewhere, as in a prelude, it is only named.
//! - The setters of a generated body repeat its fields and are left out.

use std::{collections::BTreeSet, fmt::Write as _};

#[cfg(test)]
mod tests;

/// Traits that the compiler implements by itself, and whether somebody would miss them.
const BY_ITSELF: [(&str, bool); 8] = [
    ("Send", true),
    ("Sync", true),
    ("Unpin", true),
    ("Freeze", false),
    ("RefUnwindSafe", false),
    ("StructuralPartialEq", false),
    ("UnsafeUnpin", false),
    ("UnwindSafe", false),
];

/// The readable form of what cargo-public-api lists.
pub(crate) fn of(listing: &str) -> String {
    let own = listing
        .lines()
        .find_map(|line| line.strip_prefix("pub mod "))
        .unwrap_or_default();
    let mut outline = Outline {
        own,
        ..Outline::default()
    };
    for line in listing.lines() {
        outline.read(line);
    }
    outline.close();
    outline.text
}

#[derive(Default)]
struct Outline<'a> {
    /// The crate that is listed.
    own: &'a str,
    text: String,
    /// What was written in full before.
    known: BTreeSet<String>,
    item: Item,
    block: Block,
}

/// The item that lines belong to until the next one.
#[derive(Default)]
struct Item {
    path: String,
    /// Only named, because it is described elsewhere or follows from something else.
    named: bool,
    methods: Vec<String>,
    traits: BTreeSet<String>,
    absent: BTreeSet<String>,
    /// Implementations that say more than their trait's name.
    more: Vec<String>,
}

/// The `impl` that lines belong to until the next one.
#[derive(Default)]
enum Block {
    #[default]
    None,
    /// Of methods: what they start with.
    Methods { of: String },
    /// Of a trait: what to call it.
    Trait { name: String, of: String },
    /// Of a trait that is told elsewhere, or not at all.
    Silent { of: String },
}

impl Outline<'_> {
    fn read(&mut self, line: &str) {
        if let Some(header) = implementation(line) {
            self.close_block();
            self.open_block(header);
            return;
        }
        let (attribute, rest) = match line.strip_prefix("#[non_exhaustive] ") {
            Some(rest) => ("non_exhaustive ", rest),
            None => ("", line),
        };
        let rest = rest.strip_prefix("pub ").unwrap_or(rest);
        if self.is_member(rest) {
            self.member(attribute, rest);
        } else {
            self.close();
            self.open(attribute, rest);
        }
    }

    /// Whether a line belongs to the block or the item above it.
    fn is_member(&self, rest: &str) -> bool {
        let path = path_in(rest);
        let within = |owner: &str| {
            !owner.is_empty()
                && path
                    .strip_prefix(owner)
                    .is_some_and(|rest| rest.starts_with("::"))
        };
        let of = match &self.block {
            Block::None => "",
            Block::Methods { of } | Block::Trait { of, .. } | Block::Silent { of } => of,
        };
        let is_module = rest.starts_with("mod ");
        !is_module && (within(of) || within(&self.item.path))
    }

    fn open(&mut self, attribute: &str, rest: &str) {
        let path = path_in(rest);
        let defined_here = self.known.insert(path.clone());
        let elsewhere = path.contains("::prelude::") || !defined_here;
        let setters = path.contains("::types::builder::");
        if !setters {
            let text = if elsewhere {
                // Without what only the place of its definition has to say.
                let kind = rest.split(' ').next().unwrap_or_default();
                format!("{kind} {}", self.short(&path))
            } else {
                self.short(rest)
            };
            let _ = writeln!(self.text, "{attribute}{text}");
        }
        let is_owner = ["struct ", "enum ", "trait ", "union "]
            .iter()
            .any(|kind| rest.starts_with(kind) || rest.starts_with(&format!("unsafe {kind}")));
        self.item = Item {
            path: if is_owner { path } else { String::new() },
            named: elsewhere || setters,
            ..Item::default()
        };
    }

    fn open_block(&mut self, header: &str) {
        let negative = header.starts_with('!');
        let header = header.trim_start_matches('!');
        self.block = match header.split_once(" for ") {
            None => Block::Methods {
                of: target_of(header),
            },
            Some((name, target)) => {
                let of = target_of(target);
                let name = self.short(name);
                let is_target = of == self.item.path;
                let base = name.split('<').next().unwrap_or_default();
                match BY_ITSELF.iter().find(|(auto, _)| *auto == base) {
                    Some((auto, missed)) => {
                        if negative && *missed {
                            self.item.absent.insert((*auto).to_owned());
                        }
                        Block::Silent { of }
                    }
                    None if is_target || !self.is_trait() => {
                        let whose = if is_target {
                            name
                        } else {
                            format!("{name} for {}", self.short(target))
                        };
                        Block::Trait { name: whose, of }
                    }
                    None => Block::Trait {
                        name: format!("for {}", self.short(target)),
                        of,
                    },
                }
            }
        };
    }

    fn is_trait(&self) -> bool {
        // Every implementation below a trait is one of that trait.
        self.text
            .lines()
            .rev()
            .find(|line| !line.starts_with(' '))
            .is_some_and(|line| line.starts_with("trait "))
    }

    fn member(&mut self, attribute: &str, rest: &str) {
        if self.item.named {
            return;
        }
        let owner = match &self.block {
            Block::None => self.item.path.clone(),
            Block::Methods { of } | Block::Trait { of, .. } | Block::Silent { of } => of.clone(),
        };
        let text = relative(rest, &owner);
        match &mut self.block {
            Block::None => {
                let text = self.short(&text);
                let _ = writeln!(self.text, "    {attribute}{text}");
            }
            Block::Methods { .. } => {
                let text = setter(&self.short(&text));
                self.item.methods.push(text);
            }
            Block::Trait { .. } if text.starts_with("type ") => {
                let text = self.short(text.trim_start_matches("type "));
                if let Block::Trait { name, .. } = &mut self.block {
                    name.push_str(if name.contains(" with ") {
                        ", "
                    } else {
                        " with "
                    });
                    name.push_str(&text);
                }
            }
            Block::Trait { .. } | Block::Silent { .. } => {}
        }
    }

    fn close_block(&mut self) {
        if let Block::Trait { name, .. } = std::mem::take(&mut self.block) {
            // To and from the setters that are left out; `fn builder` stands for both.
            if name.contains("types::builder::") {
                return;
            }
            if name.contains(' ') {
                self.item.more.push(name);
            } else {
                self.item.traits.insert(name);
            }
        }
    }

    fn close(&mut self) {
        self.close_block();
        let item = std::mem::take(&mut self.item);
        if item.named {
            return;
        }
        // Methods may move from one block to another, and nobody is the worse for it.
        let mut methods = item.methods;
        methods.sort_by(|one, other| name_of(one).cmp(name_of(other)));
        for method in methods {
            let _ = writeln!(self.text, "    {method}");
        }
        if !item.traits.is_empty() {
            let traits: Vec<_> = item.traits.into_iter().collect();
            let _ = writeln!(self.text, "    impl {}", traits.join(", "));
        }
        for more in item.more {
            let _ = writeln!(self.text, "    impl {more}");
        }
        for absent in item.absent {
            let _ = writeln!(self.text, "    not {absent}");
        }
    }

    /// A line with its paths shortened.
    fn short(&self, line: &str) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some(start) = rest.find(is_of_a_path) {
            let (before, from) = rest.split_at(start);
            let end = from.find(|c| !is_of_a_path(c)).unwrap_or(from.len());
            let (path, after) = from.split_at(end);
            text.push_str(before);
            text.push_str(&self.shortened(path));
            rest = after;
        }
        text + rest
    }

    fn shortened(&self, path: &str) -> String {
        let parts: Vec<_> = path.split("::").collect();
        let [krate, .., parent, last] = parts.as_slice() else {
            return match parts.as_slice() {
                [krate, last] if *krate == self.own => (*last).to_owned(),
                _ => path.to_owned(),
            };
        };
        match *krate {
            // Types whose bare name is another's as well.
            "core" | "alloc" | "std" if matches!(*parent, "error" | "fmt" | "io") => {
                if matches!(*last, "Error" | "Result") {
                    format!("{parent}::{last}")
                } else {
                    (*last).to_owned()
                }
            }
            "core" | "alloc" | "std" => (*last).to_owned(),
            own if own == self.own => parts[1..].join("::"),
            // The generated names are there several times: as a schema, as a call and as an error.
            "lms_client" => format!("{parent}::{last}"),
            other => format!("{other}::{last}"),
        }
    }
}

/// What follows `impl` and its generics.
fn implementation(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("impl")
        .or_else(|| line.strip_prefix("unsafe impl"))?;
    past_generics(rest).strip_prefix(' ')
}

/// What follows the generics that a text begins with, if it does.
fn past_generics(text: &str) -> &str {
    if !text.starts_with('<') {
        return text;
    }
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // Not the arrow of a function.
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
        before = c;
    }
    text
}

/// The first path of a line that has more than one part, without generics: of what the line is about.
fn path_in(line: &str) -> String {
    let mut path = String::new();
    let mut depth = 0_usize;
    let start = line
        .split(' ')
        .take_while(|word| !word.contains("::"))
        .map(|word| word.len() + 1)
        .sum::<usize>()
        .min(line.len());
    for c in line[start..].chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if is_of_a_path(c) => path.push(c),
            _ => break,
        }
    }
    path.trim_end_matches(':').to_owned()
}

/// What an implementation is for, without generics; all types of a kind have a name of one part.
fn target_of(target: &str) -> String {
    let end = target.find(|c| !is_of_a_path(c)).unwrap_or(target.len());
    if end == 0 {
        path_in(target)
    } else {
        target[..end].to_owned()
    }
}

/// A member without the path of its owner.
fn relative(rest: &str, owner: &str) -> String {
    let Some(start) = rest.find(owner) else {
        return rest.to_owned();
    };
    let (before, from) = rest.split_at(start);
    let after = past_generics(&from[owner.len()..]);
    format!("{before}{}", after.trim_start_matches("::"))
}

/// A generated setter takes whatever can become its parameter, which takes a line and a half to say.
fn setter(line: &str) -> String {
    let parts = line.split_once("<V>(self, V) -> Self where V: TryInto<");
    match parts {
        Some((name, rest)) => {
            let to = rest.split_once(", <V as").map_or(rest, |(to, _)| to);
            format!("{name}(self, impl TryInto<{to}) -> Self")
        }
        None => line.to_owned(),
    }
}

/// The name of a method, without `const`, `async` and the like.
fn name_of(method: &str) -> &str {
    method.split_once("fn ").map_or(method, |(_, name)| name)
}

fn is_of_a_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == ':'
}
