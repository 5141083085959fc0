//! The modules of a crate use each other in one direction, so that a reader can begin with any of them and go down.
//!
//! The order follows from the code: no two modules of a folder need each other, directly or through others, and a module
//! needs nothing of its parent that needs the module. Re-exports are followed to the place of the item.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use serde_json::Value;
use syn::{Item, UseTree, Visibility};

type Name = Vec<String>;

/// Stands for the code of a folder's own file next to the modules in the folder.
const ITSELF: &str = "(itself)";

#[derive(Default)]
struct Module {
    /// Names that come from elsewhere by `use`.
    imported: BTreeMap<String, Name>,
    /// Paths in the code. A `pub use` is none: it only passes a name on.
    needed: BTreeSet<Name>,
    children: BTreeSet<String>,
}

/// The modules of a crate, without those of its tests.
#[derive(Default)]
struct Crate(BTreeMap<Name, Module>);

impl Crate {
    fn add(&mut self, name: &Name, items: &[Item], folder: &Path) {
        let mut module = Module::default();
        for item in items {
            if let Item::Mod(child) = item {
                if child
                    .attrs
                    .iter()
                    .any(|it| it.to_token_stream().to_string().contains("test"))
                {
                    continue;
                }
                let ident = child.ident.to_string();
                let (path, below) = (with(name, &ident), folder.join(&ident));
                let file = [folder.join(format!("{ident}.rs")), below.join("mod.rs")];
                match &child.content {
                    Some((_, items)) => self.add(&path, items, &below),
                    None if let Some(file) = file.iter().find(|file| file.exists()) => {
                        let file = syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap();
                        self.add(&path, &file.items, &below);
                    }
                    // Generated at build time.
                    None => {}
                }
                module.children.insert(ident);
            }
        }
        for item in items {
            match item {
                Item::Use(item) => {
                    let passed_on = !matches!(item.vis, Visibility::Inherited);
                    module.import(name, &[], &item.tree, passed_on);
                }
                Item::Mod(_) => {}
                item => module.scan(name, item.to_token_stream()),
            }
        }
        self.0.insert(name.clone(), module);
    }

    /// The module that has the item of a path.
    fn owner(&self, path: &Name) -> Name {
        let mut path = path.clone();
        // Re-exports may lead in a circle, which the compiler would refuse.
        for _ in 0..16 {
            let depth = (0..=path.len())
                .rev()
                .find(|depth| self.0.contains_key(&path[..*depth]));
            let (owner, rest) = path.split_at(depth.unwrap());
            let Some((first, rest)) = rest.split_first() else {
                return path;
            };
            match self.0[owner].imported.get(first) {
                Some(target) => path = [target, rest].concat(),
                None => return owner.to_vec(),
            }
        }
        path
    }

    /// The imports between the modules of each folder.
    fn levels(&self) -> BTreeMap<Name, BTreeMap<String, BTreeSet<String>>> {
        let mut levels: BTreeMap<Name, BTreeMap<_, BTreeSet<_>>> = BTreeMap::new();
        for (from, module) in &self.0 {
            for path in &module.needed {
                let to = self.owner(path);
                let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                let at = |name: &Name| name.get(common).map_or(ITSELF, String::as_str).to_owned();
                let (level, from, to) = (from[..common].to_vec(), at(from), at(&to));
                if from != to {
                    levels
                        .entry(level)
                        .or_default()
                        .entry(from)
                        .or_default()
                        .insert(to);
                }
            }
        }
        levels
    }
}

fn with(name: &[String], last: &str) -> Name {
    [name, &[last.to_owned()]].concat()
}

impl Module {
    /// The path from the root of the crate; `None` if it leads out of the crate.
    fn absolute(&self, module: &Name, path: &[String]) -> Option<Name> {
        let mut base = module.clone();
        let mut path = path;
        match path.first()?.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                while let Some(("super", rest)) = path
                    .split_first()
                    .map(|(first, rest)| (first.as_str(), rest))
                {
                    base.pop()?;
                    path = rest;
                }
                return Some([&base, path].concat());
            }
            child if self.children.contains(child) => return Some([&base, path].concat()),
            _ => return None,
        }
        Some([&base, &path[1..]].concat())
    }

    fn import(&mut self, name: &Name, prefix: &[String], tree: &UseTree, passed_on: bool) {
        let (path, alias) = match tree {
            UseTree::Path(path) => {
                let prefix = with(prefix, &path.ident.to_string());
                return self.import(name, &prefix, &path.tree, passed_on);
            }
            UseTree::Group(group) => {
                group
                    .items
                    .iter()
                    .for_each(|tree| self.import(name, prefix, tree, passed_on));
                return;
            }
            UseTree::Name(last) if last.ident == "self" => {
                (prefix.to_vec(), prefix.last().cloned())
            }
            UseTree::Name(last) => (
                with(prefix, &last.ident.to_string()),
                Some(last.ident.to_string()),
            ),
            UseTree::Rename(last) => (
                with(prefix, &last.ident.to_string()),
                Some(last.rename.to_string()),
            ),
            UseTree::Glob(_) => (prefix.to_vec(), None),
        };
        if let Some(path) = self.absolute(name, &path) {
            if !passed_on {
                self.needed.insert(path.clone());
            }
            if let Some(alias) = alias {
                self.imported.insert(alias, path);
            }
        }
    }

    /// Adds the paths in the tokens of an item, also those in macros.
    fn scan(&mut self, name: &Name, tokens: TokenStream) {
        let mut path: Name = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.end(name, &mut path);
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                // `pub(in super::super)`
                TokenTree::Group(_) if path.last().is_some_and(|last| last == "pub") => {}
                token => {
                    self.end(name, &mut path);
                    colons = 0;
                    if let TokenTree::Group(group) = token {
                        self.scan(name, group.stream());
                    }
                }
            }
        }
        self.end(name, &mut path);
    }

    fn end(&mut self, name: &Name, path: &mut Name) {
        if path.len() > 1 {
            self.needed.extend(self.absolute(name, path));
        }
        path.clear();
    }
}

/// A way from a module back to itself.
fn circle(needs: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn visit(
        at: &String,
        needs: &BTreeMap<String, BTreeSet<String>>,
        way: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
        if let Some(start) = way.iter().position(|before| before == at) {
            return Some(with(&way[start..], at));
        }
        if !done.insert(at.clone()) {
            return None;
        }
        way.push(at.clone());
        let mut next = needs.get(at).into_iter().flatten();
        let found = next.find_map(|next| visit(next, needs, way, done));
        way.pop();
        found
    }
    let mut done = BTreeSet::new();
    needs
        .keys()
        .find_map(|start| visit(start, needs, &mut Vec::new(), &mut done))
}

#[test]
fn the_modules_of_every_crate_form_no_circle() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--no-deps", "--format-version=1"])
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let workspace = metadata["workspace_root"].as_str().unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let targets = packages
        .iter()
        .flat_map(|package| package["targets"].as_array().unwrap());
    let mut modules = 0;
    let mut circles = Vec::new();
    for target in targets {
        let root = PathBuf::from(target["src_path"].as_str().unwrap());
        let mut krate = Crate::default();
        let file = syn::parse_file(&fs::read_to_string(&root).unwrap()).unwrap();
        krate.add(&Vec::new(), &file.items, root.parent().unwrap());
        modules += krate.0.len();
        let root = root.strip_prefix(workspace).unwrap().display();
        for (level, needs) in krate.levels() {
            let place = format!("{root} {}", level.join("::"));
            if let Some(way) = circle(&needs) {
                circles.push(format!("{place}: {}", way.join(" → ")));
            }
        }
    }
    assert!(modules > 300, "only {modules} modules were found");
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}
