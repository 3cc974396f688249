//! `cargo xtask book`: what mdBook asks while it makes the site of `docs/`. Pages of the project that lie
//! elsewhere and are linked to become chapters too, at the end, and links lead to them; a link to a file that is
//! no page becomes the file's name.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use xtask::arrows::workspace;

/// The folder of the site.
const DOCS: &str = "docs";

/// Folder of chapters from elsewhere.
const ELSEWHERE: &str = "project";

/// Answers mdBook: `supports FORMAT` by the exit status alone, else a book on standard input by the same book
/// with what belongs to it.
///
/// # Errors
/// Where no book comes, or a page cannot be read.
pub fn run(rest: &[String]) -> anyhow::Result<()> {
    if rest.first().is_some_and(|word| word == "supports") {
        return Ok(());
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut given: Value = serde_json::from_str(&text)
        .context("mdBook asks this; build the site by `mdbook build docs`")?;
    complete(&mut given[1])?;
    serde_json::to_writer(std::io::stdout(), &given[1])?;
    Ok(())
}

/// Pages from elsewhere that are linked to, by their path from the project's root.
type Found = BTreeMap<PathBuf, Option<Value>>;

/// Adds what is linked to, and mends links.
fn complete(book: &mut Value) -> anyhow::Result<()> {
    // The name of the list changed from version to version.
    let list = if book["items"].is_array() { "items" } else { "sections" };
    let items = book[list].as_array_mut().context("a book without chapters")?;
    let mut found = Found::new();
    mend(items, &mut found)?;
    while let Some(page) =
        found.iter().find_map(|(page, text)| text.is_none().then(|| page.clone()))
    {
        let text = std::fs::read_to_string(workspace().join(&page));
        let text = text.with_context(|| format!("cannot read {}", page.display()))?;
        let chapter = chapter(&page, &relinked(&text, &page, &mut found)?);
        found.insert(page, Some(chapter));
    }
    items.push(json!({ "PartTitle": "Elsewhere in the project" }));
    items.extend(found.into_values().flatten());
    Ok(())
}

fn mend(items: &mut [Value], found: &mut Found) -> anyhow::Result<()> {
    for item in items {
        let Some(chapter) = item.get_mut("Chapter") else { continue };
        if let Some(source) = chapter["source_path"].as_str() {
            let page = Path::new(DOCS).join(source);
            let text = chapter["content"].as_str().unwrap_or_default();
            chapter["content"] = json!(relinked(text, &page, found)?);
        }
        mend(chapter["sub_items"].as_array_mut().context("a chapter without a list")?, found)?;
    }
    Ok(())
}

fn chapter(page: &Path, text: &str) -> Value {
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Untitled");
    let path = place(page);
    json!({ "Chapter": {
        "name": title, "content": text, "number": null, "sub_items": [],
        "path": path, "source_path": path, "parent_names": [],
    } })
}

/// Returns the place of a page of the project in the book: `deploy/README.md` becomes `project/deploy.md`.
fn place(page: &Path) -> PathBuf {
    if let Ok(within) = page.strip_prefix(DOCS) {
        let is_first = within == Path::new("README.md");
        return if is_first { "index.md".into() } else { within.to_owned() };
    }
    let name = page.display().to_string();
    let folder = name.strip_suffix("/README.md").map(|folder| format!("{folder}.md"));
    Path::new(ELSEWHERE).join(folder.unwrap_or(name).replace('/', "-"))
}

/// A page's text with links that hold in the book.
///
/// - `page`: its path from the project's root.
/// - `found`: pages from elsewhere; gains what is linked to.
fn relinked(text: &str, page: &Path, found: &mut Found) -> anyhow::Result<String> {
    let mut out = String::with_capacity(text.len());
    let mut is_code = false;
    for line in text.split_inclusive('\n') {
        is_code ^= line.trim_start().starts_with("```");
        if is_code {
            out += line;
        } else {
            out += &relinked_line(line, page, found)?;
        }
    }
    Ok(out)
}

fn relinked_line(line: &str, page: &Path, found: &mut Found) -> anyhow::Result<String> {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at);
        let Some((target, behind)) = after[2..].split_once(')') else { break };
        out += before;
        rest = behind;
        // Within code it is no link.
        if out.matches('`').count() % 2 == 1 {
            out += &format!("]({target})");
            continue;
        }
        match led(target, page, found)? {
            Some(target) => out += &format!("]({target})"),
            None => unlink(&mut out, target, page)?,
        }
    }
    Ok(out + rest)
}

/// Finds where a link leads in the book; nothing for what is not in it.
fn led(target: &str, page: &Path, found: &mut Found) -> anyhow::Result<Option<String>> {
    if target.contains("://") || target.starts_with('#') {
        return Ok(Some(target.to_owned()));
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |it| (it.0, Some(it.1)));
    let aim = aim(path, page)?;
    let is_page = aim.extension().is_some_and(|extension| extension == "md");
    if !aim.starts_with(DOCS) {
        if !is_page {
            return Ok(None);
        }
        found.entry(aim.clone()).or_insert(None);
    }
    // Folders of the site have no page of their own.
    if workspace().join(&aim).is_dir() {
        return Ok(None);
    }
    let up = "../".repeat(place(page).components().count() - 1);
    let anchor = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
    Ok(Some(format!("{up}{}{anchor}", place(&aim).display())))
}

/// The file that a link leads to, from the project's root: a folder's page where it has one.
fn aim(path: &str, page: &Path) -> anyhow::Result<PathBuf> {
    let mut aim = PathBuf::new();
    for part in page.parent().unwrap_or(Path::new("")).join(path).components() {
        match part {
            Component::ParentDir if !aim.pop() => {
                bail!("{}: {path} leaves the project", page.display())
            }
            Component::ParentDir => {}
            part => aim.push(part),
        }
    }
    let of_folder = aim.join("README.md");
    Ok(if workspace().join(&of_folder).is_file() { of_folder } else { aim })
}

/// Takes the bracket of a link's text away, and says the file's name behind it.
fn unlink(out: &mut String, target: &str, page: &Path) -> anyhow::Result<()> {
    let open = out.rfind('[').context("a link without a text")?;
    out.remove(open);
    let name = aim(target.split('#').next().unwrap_or(target), page)?.display().to_string();
    if !out[open..].contains(&name) {
        *out += &format!(" (`{name}`)");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(page: &str, text: &str) -> (String, Vec<String>) {
        let mut found = Found::new();
        let text = relinked(text, Path::new(page), &mut found).expect("links that hold");
        (text, found.into_keys().map(|page| page.display().to_string()).collect())
    }

    #[test]
    fn links_within_the_site_stay_and_those_to_pages_elsewhere_lead_to_chapters() {
        let (text, found) = mended(
            "docs/design/tree.md",
            "[a](../pages.md#board) [b](../../deploy/README.md#slurm) [c](#here) [d](https://x.y/z)",
        );
        let expected =
            "[a](../pages.md#board) [b](../project/deploy.md#slurm) [c](#here) [d](https://x.y/z)";
        assert_eq!((text.as_str(), found), (expected, vec!["deploy/README.md".to_owned()]));
        let (text, _) =
            mended("deploy/README.md", "[a](../docs/metrics.md), [b](../docs/README.md)");
        assert_eq!(text, "[a](../metrics.md), [b](../index.md)");
    }

    #[test]
    fn a_link_to_a_file_that_is_no_page_becomes_its_name_and_code_stays() {
        let (text, found) = mended(
            "docs/a.md",
            "see [it](../xtask/src/book.rs), [`xtask/src`](../xtask/src), `[x](y)`\n```\n[x](y)\n```\n",
        );
        let expected = "see it (`xtask/src/book.rs`), `xtask/src`, `[x](y)`\n```\n[x](y)\n```\n";
        assert_eq!((text.as_str(), found.len()), (expected, 0));
    }

    /// The site as it is, by the form that mdBook gives it.
    #[test]
    fn every_link_of_the_book_leads_to_one_of_its_pages() {
        let docs = workspace().join(DOCS);
        let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("a list");
        let pages = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let items = pages.map(|page| {
            let text = std::fs::read_to_string(docs.join(page)).expect(page);
            json!({ "Chapter": { "content": text, "path": page, "source_path": page, "sub_items": [] } })
        });
        let mut book = json!({ "items": items.collect::<Vec<_>>() });
        complete(&mut book).expect("complete");
        let chapters = book["items"].as_array().expect("a list").iter();
        let chapters: BTreeMap<PathBuf, &str> = chapters
            .filter_map(|it| it.get("Chapter"))
            .map(|it| {
                let path = place(&Path::new(DOCS).join(it["path"].as_str().expect("a path")));
                (path, it["content"].as_str().expect("a text"))
            })
            .collect();
        assert!(chapters.contains_key(Path::new("project/deploy.md")), "{:?}", chapters.keys());
        for (path, text) in &chapters {
            // The book's own paths, as if they were files.
            let mut links = Vec::new();
            let mut is_code = false;
            for line in text.lines() {
                is_code ^= line.trim_start().starts_with("```");
                let prose: String = line.split('`').step_by(2).collect();
                let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
                links.extend(targets.filter(|_| !is_code).map(String::from));
            }
            for link in links.iter().filter(|it| !it.contains("://") && !it.starts_with('#')) {
                let target = aim(link.split('#').next().expect("one"), path).expect(link);
                let is_there = chapters.contains_key(&target) || docs.join(&target).is_file();
                assert!(is_there, "{}: {link}", path.display());
            }
        }
    }
}
