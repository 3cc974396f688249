//! Circles: files of which each uses, by whatever way round, all others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use super::names::{Arrows, Names};

/// Files in a circle, with the names that make it.
#[derive(Clone, Debug)]
pub struct Circle {
    /// Its arrows: from, to, names.
    pub arrows: Vec<(PathBuf, PathBuf, BTreeSet<String>)>,
}

impl Circle {
    /// Its files.
    pub fn files(&self) -> BTreeSet<&Path> {
        self.arrows.iter().map(|(from, ..)| from.as_path()).collect()
    }
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "a circle of {} files:", self.files().len())?;
        for (from, to, names) in &self.arrows {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            writeln!(f, "  {} -> {}: {}", from.display(), to.display(), names.join(", "))?;
        }
        Ok(())
    }
}

/// The circles of a crate, of its library and its programs; `folder` is its `src`.
///
/// # Errors
/// Files that cannot be read.
pub fn of_crate(folder: &Path) -> anyhow::Result<Vec<Circle>> {
    let mut arrows = Arrows::new();
    for root in roots(folder) {
        for (from, to) in Names::read(&root)?.arrows() {
            arrows.entry(from).or_default().extend(to);
        }
    }
    Ok(circles(&arrows))
}

/// The first files of a crate's library and programs.
fn roots(folder: &Path) -> Vec<PathBuf> {
    let programs = folder.join("bin").read_dir().into_iter().flatten().flatten();
    let programs = programs.map(|entry| entry.path());
    let programs = programs.filter(|path| path.extension().is_some_and(|it| it == "rs"));
    let roots = ["lib.rs", "main.rs"].map(|name| folder.join(name)).into_iter();
    roots.filter(|root| root.exists()).chain(programs).collect()
}

/// The circles of a graph, the largest first.
fn circles(arrows: &Arrows) -> Vec<Circle> {
    let reached: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> =
        arrows.keys().map(|file| (file, reached_from(file, arrows))).collect();
    let mut left: BTreeSet<&PathBuf> = arrows.keys().collect();
    let mut circles = Vec::new();
    while let Some(first) = left.pop_first() {
        if !reached[first].contains(first) {
            continue;
        }
        let is_in = |file: &PathBuf| {
            reached[first].contains(file) && reached.get(file).is_some_and(|it| it.contains(first))
        };
        left.retain(|file| !is_in(file));
        let inside = arrows.iter().filter(|(from, _)| is_in(from));
        let arrows = inside.flat_map(|(from, to)| {
            let to = to.iter().filter(|(to, _)| is_in(to));
            to.map(|(to, names)| (from.clone(), to.clone(), names.clone()))
        });
        circles.push(Circle { arrows: arrows.collect() });
    }
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.files().len()));
    circles
}

/// All files that a file uses, or that those use, and so on.
fn reached_from<'a>(file: &PathBuf, arrows: &'a Arrows) -> BTreeSet<&'a PathBuf> {
    let mut reached = BTreeSet::new();
    let mut left: Vec<&PathBuf> = arrows[file].keys().collect();
    while let Some(next) = left.pop() {
        if reached.insert(next) {
            left.extend(arrows.get(next).into_iter().flat_map(BTreeMap::keys));
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles of a crate of these files.
    fn found(files: &[(&str, &str)]) -> Vec<Circle> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let place = folder.path().join(name);
            std::fs::create_dir_all(place.parent().expect("inside")).expect("a folder");
            std::fs::write(place, text).expect("a file");
        }
        of_crate(folder.path()).expect("files that can be read")
    }

    #[test]
    fn three_files_in_a_circle_are_found_with_the_names_that_make_it() {
        let circles = found(&[
            ("lib.rs", "mod a; mod b; mod c; mod d; pub use a::A;"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            ("b.rs", "pub struct B; impl B { fn c() { super::c::c() } }"),
            ("c.rs", "use crate::A; pub fn c() { crate::d::d() }"),
            ("d.rs", "pub fn d() {} #[cfg(test)] mod tests { use crate::a::A; }"),
        ]);
        assert_eq!(circles.len(), 1, "{circles:?}");
        assert_eq!(circles[0].files().len(), 3);
        let text = circles[0].to_string();
        for (from, to, name) in
            [("a.rs", "b.rs", "B"), ("b.rs", "c.rs", "c"), ("c.rs", "a.rs", "A")]
        {
            let is_told = |line: &str| {
                let (files, names) = line.split_once(": ").unwrap_or_default();
                let (before, after) = files.split_once(" -> ").unwrap_or_default();
                before.ends_with(from) && after.ends_with(to) && names == name
            };
            assert!(text.lines().any(is_told), "{from} -> {to}: {name} in {text}");
        }
    }

    #[test]
    fn a_child_may_use_its_parent_and_a_parent_hand_on_its_child() {
        let child = "use super::Parent; use crate::user::User; pub struct Child(Parent, User);";
        let user = "use crate::parent::Parent; pub struct User(Parent);";
        let handed_on = "mod child; pub use child::Child; pub struct Parent;";
        let used = "mod child; pub use child::Child; pub struct Parent(Option<Box<Child>>);";
        for (parent, files) in [(handed_on, 0), (used, 3)] {
            let lib = ("lib.rs", "mod parent; mod user;");
            let inside = [("parent.rs", parent), ("parent/child.rs", child), ("user.rs", user)];
            let circles = found(&[[lib].as_slice(), &inside].concat());
            let counts = circles.iter().map(|circle| circle.files().len());
            assert_eq!(counts.sum::<usize>(), files, "{circles:?}");
        }
    }

    #[test]
    fn a_name_belongs_to_the_file_that_defines_it_however_it_is_called() {
        let circles = found(&[
            ("lib.rs", "mod low; mod high;"),
            ("low/mod.rs", "mod deep; mod other; pub use deep::*; pub use other::Other as Known;"),
            ("low/deep.rs", "use super::Known; pub struct Deep(Known);"),
            ("low/other.rs", "use crate::low; pub struct Other; pub fn f() { low::Deep; }"),
            ("high.rs", "use crate::low::{Deep, Known};"),
        ]);
        assert_eq!(circles.len(), 1, "{circles:?}");
        let files: Vec<_> = circles[0].files().iter().filter_map(|it| it.file_name()).collect();
        assert_eq!(files, ["deep.rs", "other.rs"]);
    }
}
