//! A disk that keeps only synced writes.
//!
//! The bytes of a file are durable after a sync of that file, and its name after a sync of its folder. A rename is one step.
//! Nothing else is promised: a power cut may keep any of the other writes, or parts of them, and any prefix of the other
//! changes of names.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use super::trace::{Offset, Operation};

#[derive(Clone, Debug, Default)]
struct File {
    /// The bytes that were synced.
    durable: Vec<u8>,
    /// Everything since then.
    pending: Vec<Piece>,
}

#[derive(Clone, Debug)]
enum Piece {
    Write(Offset, Vec<u8>),
    Truncate(usize),
}

/// The target of a name: a file by its number, or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    File(usize),
    Folder,
}

/// Full paths with their entries.
type Names = BTreeMap<String, Entry>;

/// A change of names.
#[derive(Clone, Debug)]
enum Naming {
    Set(String, Entry),
    Remove(String),
    Rename(String, String),
}

#[derive(Clone, Debug)]
enum Open {
    File(usize),
    Folder(String),
}

/// A disk below a folder, which is empty at first.
#[derive(Clone, Debug)]
pub struct Disk {
    root: String,
    open: BTreeMap<usize, Open>,
    files: Vec<File>,
    /// The names that programs see.
    names: Names,
    /// The names that were synced.
    durable: Names,
    /// The changes of names since then.
    pending: Vec<Naming>,
}

/// The unsynced writes that survive a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    Nothing,
    Everything,
    Names,
    Bytes,
    /// Some of it, by this seed.
    Some(u64),
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl Naming {
    fn apply(&self, names: &mut Names) {
        match self {
            Self::Set(path, entry) => {
                names.insert(path.clone(), *entry);
            }
            Self::Remove(path) => {
                names.remove(path);
            }
            Self::Rename(from, to) => {
                if let Some(entry) = names.remove(from) {
                    names.insert(to.clone(), entry);
                }
            }
        }
    }

    fn is_in(&self, folder: &str) -> bool {
        match self {
            Self::Set(path, _) | Self::Remove(path) => folder_of(path) == folder,
            Self::Rename(from, to) => folder_of(from) == folder || folder_of(to) == folder,
        }
    }
}

impl Piece {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write(at, new) => {
                let at = match at {
                    Offset::At(at) => *at,
                    Offset::End => bytes.len(),
                };
                let end = bytes.len().max(at + new.len());
                bytes.resize(end, 0);
                bytes[at..at + new.len()].copy_from_slice(new);
            }
            Self::Truncate(length) => bytes.resize(*length, 0),
        }
    }

    /// The piece as a power cut may leave it.
    fn torn(&self, random: &mut fastrand::Rng) -> Option<Self> {
        match (self, random.u8(..8)) {
            (_, 0..4) => Some(self.clone()),
            (Self::Write(at, bytes), 4) => {
                Some(Self::Write(*at, bytes[..bytes.len() / 2].to_vec()))
            }
            _ => None,
        }
    }
}

impl Disk {
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_str().unwrap().to_owned(),
            open: BTreeMap::new(),
            files: Vec::new(),
            names: Names::new(),
            durable: Names::new(),
            pending: Vec::new(),
        }
    }

    fn is_here(&self, path: &str) -> bool {
        path.strip_prefix(&self.root)
            .is_some_and(|rest| rest.starts_with('/'))
    }

    pub fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Open {
                file,
                path,
                create,
                truncate,
            } => {
                self.open(*file, path, *create, *truncate);
            }
            Operation::Write { file, at, bytes } => {
                self.change(*file, Piece::Write(*at, bytes.clone()));
            }
            Operation::Truncate { file, length } => self.change(*file, Piece::Truncate(*length)),
            Operation::Sync { file } => self.sync(*file),
            Operation::Rename { from, to } if self.is_here(from) => {
                self.name(Naming::Rename(from.clone(), to.clone()));
            }
            Operation::Link { from, to } if self.is_here(to) => {
                let entry = self.names[from];
                self.name(Naming::Set(to.clone(), entry));
            }
            Operation::Remove { path } if self.is_here(path) => {
                self.name(Naming::Remove(path.clone()));
            }
            Operation::MakeFolder { path } if self.is_here(path) => {
                self.name(Naming::Set(path.clone(), Entry::Folder));
            }
            _ => {}
        }
    }

    fn open(&mut self, file: usize, path: &str, create: bool, truncate: bool) {
        let open = match self.names.get(path) {
            Some(Entry::File(number)) => Open::File(*number),
            Some(Entry::Folder) => Open::Folder(path.to_owned()),
            None if path == self.root => Open::Folder(path.to_owned()),
            None if create && self.is_here(path) => {
                self.files.push(File::default());
                let number = self.files.len() - 1;
                self.name(Naming::Set(path.to_owned(), Entry::File(number)));
                Open::File(number)
            }
            None => return,
        };
        self.open.insert(file, open);
        if truncate {
            self.change(file, Piece::Truncate(0));
        }
    }

    fn name(&mut self, naming: Naming) {
        naming.apply(&mut self.names);
        self.pending.push(naming);
    }

    fn change(&mut self, file: usize, piece: Piece) {
        if let Some(Open::File(number)) = self.open.get(&file) {
            self.files[*number].pending.push(piece);
        }
    }

    fn sync(&mut self, file: usize) {
        match self.open.get(&file) {
            Some(Open::File(number)) => {
                let File { durable, pending } = &mut self.files[*number];
                pending.drain(..).for_each(|piece| piece.apply(durable));
            }
            Some(Open::Folder(path)) => {
                let path = path.clone();
                let (synced, pending) = std::mem::take(&mut self.pending)
                    .into_iter()
                    .partition(|naming: &Naming| naming.is_in(&path));
                self.pending = pending;
                synced
                    .iter()
                    .for_each(|naming: &Naming| naming.apply(&mut self.durable));
            }
            None => {}
        }
    }

    /// Writes the files that a power cut would leave now into an empty folder.
    pub fn cut(&self, kept: Kept, to: &Path) {
        let seed = if let Kept::Some(seed) = kept { seed } else { 0 };
        let mut random = fastrand::Rng::with_seed(seed);
        let namings = match kept {
            Kept::Nothing | Kept::Bytes => 0,
            Kept::Everything | Kept::Names => self.pending.len(),
            Kept::Some(_) => random.usize(0..=self.pending.len()),
        };
        let mut names = self.durable.clone();
        self.pending[..namings]
            .iter()
            .for_each(|naming| naming.apply(&mut names));
        let mut folders = BTreeSet::from([self.root.as_str()]);
        // A folder comes before its content.
        for (path, entry) in &names {
            if !folders.contains(folder_of(path)) {
                continue;
            }
            let target = to.join(path[self.root.len()..].trim_start_matches('/'));
            match entry {
                Entry::Folder => {
                    folders.insert(path);
                    fs::create_dir(target).unwrap();
                }
                Entry::File(number) => {
                    fs::write(target, self.files[*number].after(kept, &mut random)).unwrap();
                }
            }
        }
    }
}

impl File {
    fn after(&self, kept: Kept, random: &mut fastrand::Rng) -> Vec<u8> {
        let mut bytes = self.durable.clone();
        for piece in &self.pending {
            let piece = match kept {
                Kept::Nothing | Kept::Names => None,
                Kept::Everything | Kept::Bytes => Some(piece.clone()),
                Kept::Some(_) => piece.torn(random),
            };
            if let Some(piece) = piece {
                piece.apply(&mut bytes);
            }
        }
        bytes
    }
}
