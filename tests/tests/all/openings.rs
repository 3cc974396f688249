//! Openings of Gomoku between two engines, each a process of its own: what one decides is told to the
//! other in the same words, and both must come to the same position.

use banyan_tests::front_end::FrontEnd;

const RULES: [&str; 3] = ["swap", "swap2", "two-fifths"];

/// Two engines that open one game; each remembers which party it is.
struct Table {
    engines: [FrontEnd; 2],
    /// Engine that plays Black, once that is known.
    black: Option<usize>,
    log: Vec<String>,
}

impl Table {
    fn new(rule: &str) -> Table {
        let options = ["--game", "gomoku", "--rules", "renju", "--threads", "1"];
        let effort = ["--playouts", "3000", "--opening", rule];
        let engines = [1, 2].map(|_| FrontEnd::start(&[&options[..], &effort].concat()));
        Table { engines, black: None, log: Vec::new() }
    }

    /// Both engines' answers to one question, which must be the same.
    fn both(&mut self, question: &str) -> String {
        let [one, other] = self.engines.each_mut().map(|engine| engine.ask(question));
        assert_eq!(one, other, "{question}: {:?}", self.log);
        one
    }

    /// Finds the engine that a step is for: a party before sides are known, a colour after.
    fn whose(&self, who: &str) -> usize {
        let black = || self.black.expect("sides are known");
        match who {
            "first" => 0,
            "second" => 1,
            "black" => black(),
            "white" => 1 - black(),
            other => panic!("'{other}' is nobody"),
        }
    }

    /// Lets the opening's next step be taken by whose it is; returns whether there was one.
    fn step(&mut self) -> bool {
        let status = self.both("banyan-opening");
        let Some((who, what)) = status.split_once(' ') else {
            assert_eq!(status, "over");
            return false;
        };
        let (mover, watcher) = (self.whose(who), 1 - self.whose(who));
        if what == "play" {
            let point = self.engines[mover].ask("genmove w");
            self.engines[watcher].ask(&format!("play w {point}"));
            self.log.push(format!("play {point}"));
            return true;
        }
        let decision = self.engines[mover].ask("banyan-opening_genmove");
        self.engines[watcher].ask(&format!("banyan-opening_play {decision}"));
        if let Some(color) = decision.strip_prefix("take ") {
            self.black = Some(if color == "black" { mover } else { watcher });
        }
        self.log.push(decision);
        true
    }
}

#[test]
fn two_engines_open_a_game_by_every_rule_and_go_on_from_it() {
    for rule in RULES {
        let mut table = Table::new(rule);
        while table.step() {
            assert!(table.log.len() < 10, "{:?}", table.log);
        }
        let words: Vec<&str> = table.log.iter().filter_map(|it| it.split(' ').next()).collect();
        let expected: &[&str] = match rule {
            "two-fifths" => &["lay", "take", "play", "offer", "keep"],
            _ => &["lay", "take"],
        };
        assert_eq!(words, expected, "{rule}: {:?}", table.log);
        table.both("showboard");
        // White is to move after three stones and after five.
        let white = table.whose("white");
        let point = table.engines[white].ask("genmove w");
        let other = &mut table.engines[1 - white];
        assert_eq!(other.ask(&format!("play w {point}")), "");
        let reply = other.ask("genmove b");
        assert_eq!(table.engines[white].ask(&format!("play b {reply}")), "");
        table.both("showboard");
    }
}
