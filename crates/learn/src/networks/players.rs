//! Players of the games of self-play: threads of this process, or the workers of a cluster.

use super::player::{By, Player};
use super::torch::{ByInference, Inference};
use anyhow::Context as _;
use banyan_games::{Rules, Terms, with_game};
use banyan_knowledge::Evaluator;
use banyan_knowledge::network::Net;
use banyan_selfplay::{Learned, PlayedGame, Wanted, play, play_by};
use std::marker::PhantomData;
use std::sync::Arc;

/// Plays games; each is the same whoever plays it.
pub trait Players: Sync {
    /// Shards that are best played at a time.
    fn at_once(&self) -> usize;

    /// Plays games, and gives them by rising seeds.
    ///
    /// - `size`: points a side.
    ///
    /// # Errors
    /// What keeps them from being played, in words.
    fn play(&self, size: u32, wanted: &Wanted) -> anyhow::Result<Vec<PlayedGame>>;

    /// Tells who played so far, in words, for a line a shard; nothing where it is this process alone.
    fn told(&self) -> Option<String> {
        None
    }
}

/// Calls those who play the games of a player, by options that say who they are; or says what keeps them from
/// coming, in words.
pub type Call<'a, H> = &'a dyn Fn(&H, &Player) -> anyhow::Result<Box<dyn Players>>;

/// Threads of this process.
#[derive(Debug)]
pub struct Alone<G> {
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    threads: usize,
}

/// So many threads, at least one, that play as this player does.
///
/// # Errors
/// A network of something else.
pub fn alone(player: &Player, threads: usize) -> anyhow::Result<Box<dyn Players>> {
    let rules = Rules::new(player.game, Terms::of(player.game))?;
    if let By::Torch(Some(inference)) = &player.by {
        let inference = inference.clone();
        return Ok(with_game!(&rules, G, _rules => {
            Box::new(Asking::<G> { inference, threads: threads.max(1), game: PhantomData })
        }));
    }
    Ok(with_game!(&rules, G, _rules => Box::new(Alone::<G>::new(player, threads)?)))
}

impl<G: Learned> Alone<G> {
    fn new(player: &Player, threads: usize) -> anyhow::Result<Alone<G>> {
        let net = |network| {
            Net::new::<G>(network).with_context(|| format!("no network that judges {}", G::KIND))
        };
        let net = player.network.as_deref().map(net).transpose()?;
        let evaluator = net.map(|net| Arc::new(net) as Arc<dyn Evaluator<G>>);
        Ok(Alone { evaluator, threads: threads.max(1) })
    }
}

/// Threads of this process that have a network evaluated elsewhere.
struct Asking<G> {
    inference: Inference,
    threads: usize,
    game: PhantomData<fn() -> G>,
}

/// Games of a thread: so many positions are one request.
const TOGETHER: usize = 128;

impl<G: Learned> Players for Asking<G> {
    /// While half of them wait the others go on.
    fn at_once(&self) -> usize {
        2 * self.threads
    }

    fn play(&self, size: u32, wanted: &Wanted) -> anyhow::Result<Vec<PlayedGame>> {
        play_by::<G, _>(&mut ByInference::new(&self.inference), TOGETHER, size, wanted)
    }
}

impl<G: Learned> Players for Alone<G> {
    fn at_once(&self) -> usize {
        self.threads
    }

    fn play(&self, size: u32, wanted: &Wanted) -> anyhow::Result<Vec<PlayedGame>> {
        play(self.evaluator.as_deref(), size, wanted)
    }
}

#[cfg(all(test, unix))]
pub(super) mod tests {
    use super::super::torch::Torch;
    use super::*;
    use banyan_games::Kind;
    use banyan_knowledge::go::planes::ENCODING;
    use banyan_net::Network;
    use banyan_selfplay::Depths;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    /// Stands for Python and its package: in Perl, which every Debian has.
    pub(in super::super) fn stand_in(folder: &Path, script: &str) -> Torch {
        let python = folder.join("python");
        std::fs::write(&python, format!("#!/usr/bin/perl\n{script}")).unwrap();
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
        Torch { python: Some(python), package: None, device: None }
    }

    /// Its first message, of a network that sees so many planes.
    pub(in super::super) fn hello(planes: usize) -> String {
        let globals = ENCODING.globals;
        let said = format!(
            r#"{{"format":"banyan-infer","version":2,"planes":{planes},"globals":{globals}}}"#
        );
        format!("$| = 1; binmode STDIN; binmode STDOUT; print '{said}', \"\\n\";\n")
    }

    /// Likes the point at the top left best, and says that the side to move wins three times of four.
    fn answering() -> String {
        let (planes, globals) = (ENCODING.planes, ENCODING.globals);
        let script = r"
            while (read(STDIN, $head, 16) == 16) {
                ($number, $count, $width, $height) = unpack('V4', $head);
                $area = $width * $height;
                read(STDIN, $asked, $count * (PLANES * int(($area + 7) / 8) + 2 * GLOBALS));
                $said = pack('s<*', 4096, (0) x $area, 24575);
                print pack('V2', $number, $count * length($said)), $said x $count;
            }
        ";
        let script = script.replace("PLANES", &planes.to_string());
        hello(planes) + &script.replace("GLOBALS", &globals.to_string())
    }

    fn network() -> Network {
        Network::random_for(&ENCODING, (1, 16), 4).unwrap()
    }

    fn play(inference: Inference, games: u32) -> anyhow::Result<Vec<PlayedGame>> {
        let depths = Depths { full: 6, short: 3, decided: 2, full_permille: 1000 };
        let network = Some(Box::new(network()));
        let player = Player { game: Kind::Go, network, depths, by: By::Torch(Some(inference)) };
        alone(&player, 1)?.play(7, &Wanted { seed: 3, games, depths })
    }

    #[test]
    fn games_are_played_by_what_the_process_says() {
        let folder = tempfile::tempdir().unwrap();
        let torch = stand_in(folder.path(), &answering());
        let inference = Inference::start(&torch, Path::new("w"), network().shape()).unwrap();
        let games = play(inference, 3).unwrap();
        assert_eq!(games.len(), 3);
        let first = |game: &PlayedGame| {
            let thought = &game.thoughts[0];
            let best = thought.policy.iter().max_by_key(|(_, share)| share).copied();
            // A corner that was taken in the opening is not asked about.
            game.moves[..thought.ply as usize].contains(&0) || best.is_some_and(|(at, _)| at == 0)
        };
        assert!(games.iter().all(first), "{games:?}");
    }

    #[test]
    fn a_process_that_says_something_else_or_ends_is_told_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let start = |script: &str| {
            let torch = stand_in(folder.path(), script);
            Inference::start(&torch, Path::new("w"), network().shape())
        };
        let words = |script: &str| format!("{:#}", start(script).unwrap_err());
        assert!(words("print \"hello\\n\"").contains("evaluates nothing: it said \"hello\\n\""));
        assert!(words(&hello(3)).contains("planes: 3"), "{}", words(&hello(3)));
        let ending = start(&(hello(ENCODING.planes) + "read(STDIN, $asked, 99)")).unwrap();
        let refused = format!("{:#}", play(ending, 2).unwrap_err());
        assert!(refused.contains("has ended in the middle of a request"), "{refused}");
        let torch = Torch { python: Some("no-such-python".into()), package: None, device: None };
        let refused = Inference::start(&torch, Path::new("w"), network().shape()).unwrap_err();
        assert_eq!(format!("{refused:#}").split(':').next(), Some("cannot run no-such-python"));
    }
}
