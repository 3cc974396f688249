//! Progress of a loop of learning: the folder that `banyan train run` keeps, read anew each time.

use std::path::Path;

use serde_json::{Value, json};

/// Games of a generation are shards with this ending.
const SHARD: &str = ".games.gz";

/// The generations of a folder, and how many files of games there are of the one that is being played.
///
/// # Errors
/// Names the file that cannot be read.
pub(crate) fn read(folder: &Path) -> Result<Value, String> {
    let file = folder.join("loop.json");
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        // A loop that has just begun has judged nothing.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && folder.is_dir() => {
            "[]".into()
        }
        Err(error) => return Err(format!("cannot read {}: {error}", file.display())),
    };
    let generations: Value = serde_json::from_str(&text)
        .map_err(|error| format!("{} is no list of generations: {error}", file.display()))?;
    let played = generations.as_array().map_or(0, Vec::len);
    let games = folder.join(format!("games/g{played:03}"));
    let shards = std::fs::read_dir(games).map_or(0, |files| {
        let names = files.flatten().map(|file| file.file_name());
        names.filter(|name| name.to_string_lossy().ends_with(SHARD)).count()
    });
    Ok(json!({ "generations": generations, "playing": played, "shards": shards }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_read_as_it_stands() {
        let folder = tempfile::tempdir().expect("a folder");
        let empty = read(folder.path()).expect("it has just begun");
        assert_eq!((&empty["generations"], &empty["shards"]), (&json!([]), &json!(0)));
        std::fs::write(folder.path().join("loop.json"), r#"[{"number":0}]"#).expect("written");
        let games = folder.path().join("games/g001");
        std::fs::create_dir_all(&games).expect("made");
        ["0000.games.gz", "0001.games.gz", "half.tmp"]
            .iter()
            .for_each(|name| std::fs::write(games.join(name), "").expect("written"));
        let found = read(folder.path()).expect("a loop");
        assert_eq!((&found["playing"], &found["shards"]), (&json!(1), &json!(2)));
        std::fs::write(folder.path().join("loop.json"), "{").expect("written");
        assert!(read(folder.path()).expect_err("broken").contains("loop.json"));
        assert!(read(&folder.path().join("nowhere")).is_err());
    }
}
