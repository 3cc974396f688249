//! Bill of materials of a program, as CycloneDX 1.5 in JSON: every crate that it is built from, with version, licence
//! and the digest that Cargo.lock holds for it, and who uses whom.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use xtask::arrows::workspace;

use super::digest;

/// The bill of one program.
///
/// - `triple`: the target it is built for.
///
/// # Errors
/// Where cargo cannot say.
pub fn of(triple: &str, program: &str) -> anyhow::Result<Value> {
    let asked = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", triple])
        .current_dir(workspace())
        .output()
        .context("cannot run cargo")?;
    if !asked.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&asked.stderr));
    }
    let lock = std::fs::read_to_string(workspace().join("Cargo.lock"))?;
    bill(&serde_json::from_slice(&asked.stdout)?, &lock.parse()?, program)
}

/// - `metadata`: as `cargo metadata` prints it.
/// - `lock`: Cargo.lock.
fn bill(metadata: &Value, lock: &toml::Table, program: &str) -> anyhow::Result<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|it| (text(&it["id"]), it)).collect();
    let root = packages.values().find(|it| it["name"] == program);
    let root = root.with_context(|| format!("the workspace has no {program}"))?;
    let uses: BTreeMap<String, Vec<String>> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|node| {
            let used = list(&node["deps"]).into_iter().filter(is_used_at_run_time);
            (text(&node["id"]), used.map(|it| text(&it["pkg"])).collect())
        })
        .collect();
    let reached = reached(&uses, text(&root["id"]));
    let sums = sums(lock);
    let part = |id: &String| component(&packages[id], &sums);
    let others = reached.iter().filter(|id| packages[*id]["name"] != program);
    let references = |id: &String| reference(&packages[id]);
    let dependencies = reached.iter().map(|id| {
        let on: BTreeSet<_> = uses[id].iter().map(references).collect();
        json!({ "ref": references(id), "dependsOn": on })
    });
    let mut whole = component(root, &sums);
    whole["type"] = json!("application");
    let mut bill = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": whole,
            "tools": { "components": [{ "type": "application", "name": "cargo xtask dist" }] },
        },
        "components": others.map(part).collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    });
    bill["serialNumber"] = json!(serial(&bill));
    Ok(bill)
}

/// Neither for tests nor for building alone.
fn is_used_at_run_time(dependency: &Value) -> bool {
    let kinds = dependency["dep_kinds"].as_array();
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
}

fn reached(uses: &BTreeMap<String, Vec<String>>, root: String) -> BTreeSet<String> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![root]);
    while let Some(id) = open.pop() {
        if reached.insert(id.clone()) {
            open.extend(uses.get(&id).into_iter().flatten().cloned());
        }
    }
    reached
}

/// Digests of Cargo.lock by name and version.
fn sums(lock: &toml::Table) -> BTreeMap<(String, String), String> {
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let sums = packages.filter_map(|package| {
        let field = |name: &str| Some(package.get(name)?.as_str()?.to_owned());
        Some(((field("name")?, field("version")?), field("checksum")?))
    });
    sums.collect()
}

/// A crate's name in this document.
fn reference(package: &Value) -> String {
    format!("{}@{}", word(package, "name"), word(package, "version"))
}

fn word<'a>(package: &'a Value, field: &str) -> &'a str {
    package[field].as_str().unwrap_or_default()
}

fn component(package: &Value, sums: &BTreeMap<(String, String), String>) -> Value {
    let (name, version) = (word(package, "name"), word(package, "version"));
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(package),
        "name": name,
        "version": version,
    });
    if let Some(about) = package["description"].as_str() {
        component["description"] = json!(about.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    // Older crates write a choice with a slash.
    if let Some(licence) = package["license"].as_str() {
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
    }
    if let Some(sum) = sums.get(&(name.to_owned(), version.to_owned())) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
        component["purl"] = json!(format!("pkg:cargo/{name}@{}", version.replace('+', "%2B")));
    }
    let is_macro = |target: &Value| target["kind"] == json!(["proc-macro"]);
    if package["targets"].as_array().is_some_and(|targets| targets.iter().any(is_macro)) {
        // Runs in the compiler; nothing of it is in the program.
        component["scope"] = json!("excluded");
    }
    component
}

/// A number of its own for each content, in the form of a UUID (version 8).
fn serial(bill: &Value) -> String {
    let mut hex = digest(bill.to_string().as_bytes());
    hex.replace_range(12..13, "8");
    hex.replace_range(16..17, "8");
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..32]];
    format!("urn:uuid:{}", parts.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, licence: &str, kind: &str) -> Value {
        json!({
            "id": format!("id of {name}"), "name": name, "version": "1.0.0", "license": licence,
            "description": "of\n two lines", "targets": [{ "kind": [kind] }],
        })
    }

    fn node(name: &str, uses: &[(&str, Value)]) -> Value {
        let deps = uses.iter().map(|(name, kind)| {
            json!({ "pkg": format!("id of {name}"), "dep_kinds": [{ "kind": kind }] })
        });
        json!({ "id": format!("id of {name}"), "deps": deps.collect::<Vec<_>>() })
    }

    fn ours() -> Value {
        let metadata = json!({
            "packages": [
                package("banyan", "MIT OR Apache-2.0", "lib"),
                package("rand", "MIT/Apache-2.0", "lib"),
                package("derive", "MIT", "proc-macro"),
                package("proptest", "MIT", "lib"),
                package("cc", "MIT", "lib"),
            ],
            "resolve": { "nodes": [
                node("banyan", &[
                    ("rand", Value::Null),
                    ("proptest", json!("dev")),
                    ("cc", json!("build")),
                ]),
                node("rand", &[("derive", Value::Null)]),
                node("derive", &[]),
                node("proptest", &[]),
                node("cc", &[]),
            ] },
        });
        let lock = "[[package]]\nname = \"rand\"\nversion = \"1.0.0\"\nchecksum = \"ab12\"\n";
        bill(&metadata, &lock.parse().expect("TOML"), "banyan").expect("a bill")
    }

    #[test]
    fn a_bill_lists_what_the_program_is_built_from_and_nothing_of_tests() {
        let bill = ours();
        assert_eq!(
            (&bill["bomFormat"], &bill["specVersion"]),
            (&json!("CycloneDX"), &json!("1.5"))
        );
        let whole = &bill["metadata"]["component"];
        assert_eq!((&whole["type"], &whole["name"]), (&json!("application"), &json!("banyan")));
        let parts = bill["components"].as_array().expect("a list");
        let names: Vec<_> = parts.iter().map(|it| it["name"].as_str().expect("a name")).collect();
        assert_eq!(names, ["derive", "rand"]);
        assert_eq!(parts[0]["scope"], "excluded");
        assert_eq!(parts[1]["licenses"], json!([{ "expression": "MIT OR Apache-2.0" }]));
        assert_eq!(parts[1]["purl"], "pkg:cargo/rand@1.0.0");
        assert_eq!(parts[1]["hashes"], json!([{ "alg": "SHA-256", "content": "ab12" }]));
        assert_eq!(parts[1]["description"], "of two lines");
        let first = &bill["dependencies"][0];
        assert_eq!(first, &json!({ "ref": "banyan@1.0.0", "dependsOn": ["rand@1.0.0"] }));
    }

    #[test]
    fn the_serial_number_is_that_of_the_content_in_the_form_of_a_uuid() {
        let bill = ours();
        let serial = bill["serialNumber"].as_str().expect("a number");
        let parts: Vec<_> = serial.strip_prefix("urn:uuid:").expect("a UUID").split('-').collect();
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
        assert!(parts.concat().chars().all(|c| c.is_ascii_hexdigit()));
        assert_eq!(bill, ours(), "the same again");
    }

    #[test]
    fn a_program_that_there_is_not_is_named() {
        let error = bill(&json!({}), &toml::Table::new(), "banyan-x").expect_err("none");
        assert_eq!(error.to_string(), "the workspace has no banyan-x");
    }
}
