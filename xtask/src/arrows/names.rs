//! A crate's modules, and which file each name that they use comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path as Place, PathBuf};

use anyhow::Context as _;

use super::module::{Import, Module, Path};
use super::tokens::tokens;

/// Files, and the names that each takes from others.
pub(super) type Arrows = BTreeMap<PathBuf, BTreeMap<PathBuf, BTreeSet<String>>>;

/// Imports that lead to imports are followed so far.
const STEPS_MAX: u32 = 32;

/// Number of a module among those of its crate.
type Id = usize;

/// A module with its place.
struct Room {
    file: PathBuf,
    parent: Option<Id>,
    children: BTreeMap<String, Id>,
    module: Module,
}

/// The modules of one crate's library or program.
pub(super) struct Names {
    rooms: Vec<Room>,
}

/// The end of a path.
#[derive(Clone, Copy)]
enum Found {
    Module(Id),
    /// Something that this module's file defines.
    In(Id),
}

impl Names {
    /// Reads a library or program from its first file on.
    ///
    /// # Errors
    /// A file that is declared and cannot be read.
    pub(super) fn read(root: &Place) -> anyhow::Result<Names> {
        let mut names = Names { rooms: Vec::new() };
        let folder = root.parent().context("a file stands in a folder")?;
        let module = module_of(root)?;
        names.add(None, root, folder, module)?;
        Ok(names)
    }

    /// Adds a module and all below it; `folder` is where the files of its children lie.
    fn add(
        &mut self,
        parent: Option<Id>,
        file: &Place,
        folder: &Place,
        mut module: Module,
    ) -> anyhow::Result<Id> {
        let id = self.rooms.len();
        let inline = std::mem::take(&mut module.inline);
        let files = std::mem::take(&mut module.files);
        let children = BTreeMap::new();
        self.rooms.push(Room { file: file.to_owned(), parent, children, module });
        for (name, module) in inline {
            let child = self.add(Some(id), file, &folder.join(&name), module)?;
            self.rooms[id].children.insert(name, child);
        }
        for name in files {
            let below = folder.join(&name);
            let places = [folder.join(format!("{name}.rs")), below.join("mod.rs")];
            let place = places.iter().find(|place| place.exists());
            let place = place.with_context(|| format!("{} has no file", below.display()))?;
            let child = self.add(Some(id), place, &below, module_of(place)?)?;
            self.rooms[id].children.insert(name, child);
        }
        Ok(id)
    }

    /// Finds which file takes which names from which other. A module is a part of those that it stands in, so what it
    /// takes from them is no arrow.
    pub(super) fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (id, room) in self.rooms.iter().enumerate() {
            let from = arrows.entry(room.file.clone()).or_default();
            for (path, name) in self.used(id) {
                let Some(Found::In(owner)) = self.find(id, path, 0) else { continue };
                let file = &self.rooms[owner].file;
                if *file != room.file && !self.is_below(id, owner) {
                    from.entry(file.clone()).or_default().insert(name.to_owned());
                }
            }
        }
        arrows
    }

    /// The paths that a module uses with the names they lead to; what is only handed on from below is none
    /// of them.
    fn used(&self, id: Id) -> impl Iterator<Item = (&Path, &str)> {
        let module = &self.rooms[id].module;
        let imports = module.imports.iter().filter(move |import| !self.is_handed_on(id, import));
        let imports = imports.map(|import| (&import.path, import.name.as_deref().unwrap_or("*")));
        let paths = module.paths.iter();
        imports.chain(paths.map(|path| (path, path.last().map_or("", String::as_str))))
    }

    fn is_handed_on(&self, id: Id, import: &Import) -> bool {
        let is_from_below = match self.find(id, &import.path, 0) {
            Some(Found::Module(owner) | Found::In(owner)) => self.is_below(owner, id),
            None => false,
        };
        let name = import.name.as_ref();
        let is_used = name.is_some_and(|name| self.rooms[id].module.words.contains(name));
        import.is_public && is_from_below && !is_used
    }

    fn is_below(&self, mut id: Id, top: Id) -> bool {
        while let Some(parent) = self.rooms[id].parent {
            if parent == top {
                return true;
            }
            id = parent;
        }
        false
    }

    /// The end of a path, seen from a module; nothing for names of other crates.
    fn find(&self, from: Id, path: &[String], steps: u32) -> Option<Found> {
        if steps > STEPS_MAX {
            return None;
        }
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => 0,
            "self" => from,
            "super" => self.rooms[from].parent?,
            _ => match self.known(from, first, (rest.is_empty(), steps))? {
                Found::Module(id) => id,
                found => return Some(found),
            },
        };
        self.walk(start, rest, steps)
    }

    /// Goes on from a module along a path.
    fn walk(&self, mut at: Id, path: &[String], steps: u32) -> Option<Found> {
        for (index, name) in path.iter().enumerate() {
            if name == "super" {
                at = self.rooms[at].parent?;
                continue;
            }
            let is_last = index + 1 == path.len();
            match self.known(at, name, (is_last, steps)) {
                Some(Found::Module(id)) => at = id,
                Some(found) => return Some(found),
                // What a macro defined, or a name of another crate that is handed on.
                None => return (!self.is_imported(at, name)).then_some(Found::In(at)),
            }
        }
        Some(Found::Module(at))
    }

    fn is_imported(&self, id: Id, name: &str) -> bool {
        let imports = &self.rooms[id].module.imports;
        imports.iter().any(|import| import.name.as_deref() == Some(name))
    }

    /// The meaning of a name in a module: as the last of a path rather a thing than a module.
    fn known(&self, id: Id, name: &str, (is_last, steps): (bool, u32)) -> Option<Found> {
        let child = self.rooms[id].children.get(name).map(|&child| Found::Module(child));
        let thing = || self.thing(id, name, steps);
        if is_last { thing().or(child) } else { child.or_else(thing) }
    }

    fn thing(&self, id: Id, name: &str, steps: u32) -> Option<Found> {
        let module = &self.rooms[id].module;
        if module.defined.iter().any(|defined| defined == name) {
            return Some(Found::In(id));
        }
        let named = module.imports.iter().filter(|import| import.name.as_deref() == Some(name));
        let found = named.into_iter().find_map(|import| self.find(id, &import.path, steps + 1));
        found.or_else(|| self.in_globs(id, name, steps))
    }

    fn in_globs(&self, id: Id, name: &str, steps: u32) -> Option<Found> {
        let globs = self.rooms[id].module.imports.iter().filter(|import| import.name.is_none());
        globs.into_iter().find_map(|import| match self.find(id, &import.path, steps + 1)? {
            Found::Module(from) if from != id => {
                let room = &self.rooms[from];
                let is_there = room.module.defined.iter().any(|defined| defined == name);
                is_there.then_some(Found::In(from))
            }
            _ => None,
        })
    }
}

fn module_of(file: &Place) -> anyhow::Result<Module> {
    let text = std::fs::read_to_string(file);
    let text = text.with_context(|| format!("cannot read {}", file.display()))?;
    Ok(Module::read(&tokens(&text)))
}
