//! Games that questions are taken from: files, and games that are drawn.

use std::path::Path;

use anyhow::{Context as _, ensure};
use banyan_games::{Kind, Move, Rng};
use banyan_knowledge::Knowledge;
use banyan_records::sgf::{self, SgfGame};

/// The games in a folder of SGF files, with the names of these.
///
/// # Errors
/// A folder or a file that cannot be read, a game of another kind.
pub fn sgf_games(folder: &Path, kind: Kind) -> anyhow::Result<Vec<(String, SgfGame)>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let mut files: Vec<_> = entries.map(|it| it.map(|it| it.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|it| it == "sgf"));
    files.sort();
    ensure!(!files.is_empty(), "{} holds no .sgf file", folder.display());
    let mut games = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let bytes = std::fs::read(&file).with_context(|| name.clone())?;
        let options = sgf::Options { kind: Some(kind), ..sgf::Options::default() };
        let game = sgf::read(&bytes, &options).with_context(|| name.clone())?;
        games.push((name, game));
    }
    Ok(games)
}

/// A move by the tree's priors; nothing where only the pass is left.
pub fn drawn_move<G: Knowledge>(position: &G, rng: &mut Rng) -> Option<Move> {
    let (mut moves, mut weights) = (Vec::new(), Vec::new());
    position.candidates(&mut moves);
    moves.retain(|mv| !mv.is_pass());
    position.priors(&moves, &mut weights);
    let total: f32 = weights.iter().sum();
    let mut drawn = total * (rng.below(1 << 24) as f32 / (1 << 24) as f32);
    let chosen = weights.iter().position(|weight| {
        drawn -= weight;
        drawn < 0.0
    });
    chosen.or(moves.len().checked_sub(1)).map(|at| moves[at])
}
