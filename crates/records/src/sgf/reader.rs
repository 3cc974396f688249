//! From the nodes of a main line, or of all variations, to a game.

use std::collections::BTreeMap;

use banyan_games::{Color, Game, Kind, Move, Notation, Rules, Size, with_game};

use super::error::{Place, SgfError, shorten};
use super::game::{FILE_BYTES_MAX, NODES_MAX, Options, SgfGame, SgfTree, TreePly, main_plies};
use super::header::{handicap, place, refuse, rules, value};
use super::parser::{Node, Property, Value, main_line, tree};
use super::{encoding, point};

/// Reads the first game of a file, along its main line.
///
/// # Errors
/// [`SgfError`], with the line and column where there is one. Any bytes give an error or a game.
pub fn read(bytes: &[u8], options: &Options) -> Result<SgfGame, SgfError> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(SgfError::TooLong { bytes: bytes.len(), max: FILE_BYTES_MAX });
    }
    let nodes = main_line(&encoding::decode(bytes))?;
    let root = &nodes[0];
    let mut game = Reading::new(rules(root, options)?, options.plies.unwrap_or(usize::MAX));
    for node in &nodes {
        game.node(node)?;
    }
    if let Some(asked) = options.plies.filter(|&asked| asked > game.plies.len()) {
        return Err(SgfError::TooFewPlies { found: game.plies.len(), asked });
    }
    game.place_handicap(root)?;
    Ok(game.finish(root))
}

/// Reads the first game of a file with all its variations; `options.plies` says nothing here.
///
/// # Errors
/// As [`read`]; also for a variation that cannot be read.
pub fn read_tree(bytes: &[u8], options: &Options) -> Result<SgfTree, SgfError> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(SgfError::TooLong { bytes: bytes.len(), max: FILE_BYTES_MAX });
    }
    let nodes = tree(&encoding::decode(bytes))?;
    let root = &nodes[0].1;
    let mut game = Reading::new(rules(root, options)?, usize::MAX);
    // The last ply up to each node, and the ply before each ply.
    let (mut last, mut before) = (Vec::with_capacity(nodes.len()), Vec::new());
    for (parent, node) in &nodes {
        game.node(node)?;
        let mut at = last.get(*parent).copied().unwrap_or(0);
        while before.len() < game.plies.len() {
            before.push(at);
            at = before.len();
        }
        last.push(at);
    }
    game.place_handicap(root)?;
    let mut game = game.finish(root);
    let plies = game.plies.iter().zip(&before);
    let plies: Vec<TreePly> =
        plies.map(|(&(color, mv), &before)| TreePly { before, color, mv }).collect();
    let places = game.places.clone();
    let main = main_plies(&plies);
    game.plies = main.iter().map(|&at| (plies[at].color, plies[at].mv)).collect();
    game.places = main.iter().map(|&at| places[at]).collect();
    Ok(SgfTree { game, plies, places })
}

/// A game of which some nodes have been read.
struct Reading {
    rules: Rules,
    size: Size,
    notation: Notation,
    /// Stones before the first ply, by point: AE may take one off again.
    setup: BTreeMap<Move, Color>,
    setup_at: Place,
    /// The side that PL named before the first ply.
    side_told: Option<Color>,
    plies: Vec<(Color, Move)>,
    places: Vec<Place>,
    /// The side of the first ply, be it left out or not.
    first: Option<Color>,
    plies_max: usize,
    /// A ply beyond `plies_max` was left out.
    cut: bool,
}

impl Reading {
    fn new(rules: Rules, plies_max: usize) -> Reading {
        let (size, notation) = with_game!(&rules, G, known => (G::new(known).size(), G::NOTATION));
        Reading {
            rules,
            size,
            notation,
            setup: BTreeMap::new(),
            setup_at: Place::START,
            side_told: None,
            plies: Vec::new(),
            places: Vec::new(),
            first: None,
            plies_max,
            cut: false,
        }
    }

    fn node(&mut self, node: &Node) -> Result<(), SgfError> {
        for property in &node.properties {
            if self.is_full() {
                break;
            }
            match property.name.as_str() {
                "B" => self.play(Color::Black, property)?,
                "W" => self.play(Color::White, property)?,
                "AB" => self.put(Some(Color::Black), property)?,
                "AW" => self.put(Some(Color::White), property)?,
                "AE" => self.put(None, property)?,
                "PL" => self.tell_side(&property.values[0])?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Tells whether nothing after this is asked for; stones set up before the first ply always are.
    fn is_full(&self) -> bool {
        self.cut || (!self.plies.is_empty() && self.plies.len() >= self.plies_max)
    }

    fn play(&mut self, color: Color, property: &Property) -> Result<(), SgfError> {
        for value in &property.values {
            let read = point::plies(&value.text, self.size, self.rules.kind(), self.notation);
            for mv in read.ok_or_else(|| self.refuse_point(property, value))? {
                self.first.get_or_insert(color);
                if self.plies.len() >= self.plies_max {
                    self.cut = true;
                    return Ok(());
                }
                // A node may hold any number of them.
                if self.plies.len() >= NODES_MAX {
                    return Err(SgfError::TooManyNodes { at: value.at, max: NODES_MAX });
                }
                self.plies.push((color, mv));
                self.places.push(value.at);
            }
        }
        Ok(())
    }

    fn put(&mut self, stone: Option<Color>, property: &Property) -> Result<(), SgfError> {
        for value in property.values.iter().filter(|value| !value.text.trim().is_empty()) {
            if !self.plies.is_empty() {
                let (property, plies) = (shorten(&property.name), self.plies.len());
                return Err(SgfError::SetupAfterPlies { at: value.at, property, plies });
            }
            if self.setup.is_empty() {
                self.setup_at = value.at;
            }
            let points = point::points(&value.text, self.size, self.notation);
            for point in points.ok_or_else(|| self.refuse_point(property, value))? {
                match stone {
                    Some(color) => self.setup.insert(point, color),
                    None => self.setup.remove(&point),
                };
            }
        }
        Ok(())
    }

    fn tell_side(&mut self, value: &Value) -> Result<(), SgfError> {
        let told = match value.text.trim().to_ascii_lowercase().as_str() {
            "b" | "black" | "1" => Color::Black,
            "w" | "white" | "2" => Color::White,
            _ => return Err(refuse("PL", value, "B or W")),
        };
        if self.plies.is_empty() {
            self.side_told = Some(told);
        }
        Ok(())
    }

    fn refuse_point(&self, property: &Property, value: &Value) -> SgfError {
        refuse(&property.name, value, format!("a point of the board of size {}", self.size))
    }

    /// Puts the stones that HA counts and the file does not name, unless Black plays them itself.
    fn place_handicap(&mut self, root: &Node) -> Result<(), SgfError> {
        let count = handicap(root)?;
        let named = !self.setup.is_empty() || self.first == Some(Color::Black);
        if self.rules.kind() != Kind::Go || count < 2 || named {
            return Ok(());
        }
        let found = with_game!(&self.rules, G, known => G::new(known).handicap_points(count));
        let points = found.ok_or_else(|| {
            let at = place(root, "HA");
            let written = Value { at, text: count.to_string() };
            refuse("HA", &written, format!("what a board of size {} has room for", self.size))
        })?;
        self.setup_at = place(root, "HA");
        self.setup.extend(points.into_iter().map(|point| (point, Color::Black)));
        Ok(())
    }

    /// The side that plays first: PL, else whoever does, else White against handicap stones, else Black.
    fn side_to_move(&self) -> Color {
        let only_black =
            !self.setup.is_empty() && self.setup.values().all(|&color| color == Color::Black);
        let unsaid =
            if only_black && self.rules.kind() == Kind::Go { Color::White } else { Color::Black };
        self.side_told.or(self.first).unwrap_or(unsaid)
    }

    fn finish(self, root: &Node) -> SgfGame {
        let side_to_move = self.side_to_move();
        let text = |name| {
            let found = value(root, name).map(|value| simple(&value.text));
            found.filter(|text| !text.is_empty())
        };
        SgfGame {
            setup: self.setup.into_iter().map(|(point, color)| (color, point)).collect(),
            side_to_move,
            plies: self.plies,
            black: text("PB"),
            white: text("PW"),
            result: text("RE"),
            date: text("DT"),
            places: self.places,
            setup_at: self.setup_at,
            rules: self.rules,
        }
    }
}

/// A text of one line: every space is a blank, none at the ends.
fn simple(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    spaced.trim().to_owned()
}
