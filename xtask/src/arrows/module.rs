//! The contents of one module: its children, what it defines, what it imports and which paths it uses.

use super::tokens::Token;

/// A path, segment by segment.
pub(super) type Path = Vec<String>;

/// One `use`, or one name of a `use` of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    /// Path that it comes from.
    pub(super) path: Path,
    /// The name that it has here; none of `use path::*`.
    pub(super) name: Option<String>,
    /// Tells whether it is handed on.
    pub(super) is_public: bool,
}

/// A module without what only its tests see.
#[derive(Clone, Debug, Default)]
pub(super) struct Module {
    /// Children in files of their own.
    pub(super) files: Vec<String>,
    /// Children that stand in the same file.
    pub(super) inline: Vec<(String, Module)>,
    /// Names of types, functions, constants and macros.
    pub(super) defined: Vec<String>,
    /// Names from elsewhere.
    pub(super) imports: Vec<Import>,
    /// Paths of two segments or more in its code.
    pub(super) paths: Vec<Path>,
    /// All words of its code.
    pub(super) words: Vec<String>,
}

/// Keywords before the name that an item defines.
const DEFINING: [&str; 9] =
    ["fn", "struct", "enum", "trait", "union", "type", "const", "static", "macro_rules"];

/// Items of these kinds end with a semicolon, whatever braces they have.
const ENDED_BY_SEMICOLON: [&str; 4] = ["use", "type", "const", "static"];

impl Module {
    /// Reads a module's body.
    pub(super) fn read(tokens: &[Token]) -> Module {
        let mut module = Module::default();
        let mut left = tokens;
        while !left.is_empty() {
            let (item, rest) = left.split_at(item_length(left));
            if !is_for_tests(item) {
                module.add(item);
            }
            left = rest;
        }
        module
    }

    fn add(&mut self, item: &[Token]) {
        let (is_public, item) = without_visibility(without_attributes(item));
        match item {
            [Token::Word(key), Token::Word(name), rest @ ..] if key == "mod" => match rest {
                [Token::Sign('{'), body @ .., _] => {
                    self.inline.push((name.clone(), Module::read(body)));
                }
                _ => self.files.push(name.clone()),
            },
            [Token::Word(key), tree @ ..] if key == "use" => {
                self.import(tree, is_public);
            }
            _ => {
                self.defined.extend(defined(item));
                self.add_code(item);
            }
        }
    }

    fn import(&mut self, tree: &[Token], is_public: bool) {
        let mut names = Vec::new();
        use_tree(tree, &Vec::new(), &mut names);
        let import = |(path, name)| Import { path, name, is_public };
        self.imports.extend(names.into_iter().map(import));
    }

    /// Code in which there may be items for tests, and imports.
    fn add_code(&mut self, code: &[Token]) {
        let mut at = 0;
        while at < code.len() {
            let left = &code[at..];
            at += match left {
                [Token::Sign('#'), Token::Sign('['), ..] if is_for_tests(left) => item_length(left),
                [Token::Word(word), ..] if word == "use" => {
                    let length = item_length(left);
                    self.import(&left[1..length], false);
                    length
                }
                [Token::Word(_), ..] => self.add_path(left),
                _ => 1,
            };
        }
    }

    /// Adds the path that tokens begin with, and gives its length.
    fn add_path(&mut self, tokens: &[Token]) -> usize {
        let mut path = Path::new();
        let mut at = 0;
        while let Some(Token::Word(word)) = tokens.get(at) {
            path.push(word.clone());
            at += 1;
            if tokens.get(at) != Some(&Token::Path) {
                break;
            }
            at += 1;
        }
        self.words.extend(path.iter().cloned());
        if path.len() > 1 {
            self.paths.push(path);
        }
        at
    }
}

/// Counts the tokens of the first item, its attributes included.
fn item_length(tokens: &[Token]) -> usize {
    let (_, inside) = without_visibility(without_attributes(tokens));
    let before = tokens.len() - inside.len();
    let first = inside.iter().find_map(Token::word);
    let is_function = inside.iter().map_while(Token::word).any(|word| word == "fn");
    let semicolon = !is_function && first.is_some_and(|it| ENDED_BY_SEMICOLON.contains(&it));
    let mut depth = 0usize;
    for (at, token) in inside.iter().enumerate() {
        match token {
            Token::Sign('{' | '(' | '[') => depth += 1,
            Token::Sign('}' | ')' | ']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 && *token == Token::Sign('}') && !semicolon {
                    return before + at + 1;
                }
            }
            Token::Sign(';') if depth == 0 => return before + at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The tokens behind `#[…]` and `#![…]`.
fn without_attributes(tokens: &[Token]) -> &[Token] {
    match tokens {
        [Token::Sign('#'), Token::Sign('!'), rest @ ..] | [Token::Sign('#'), rest @ ..] => {
            without_attributes(&rest[bracket_length(rest)..])
        }
        _ => tokens,
    }
}

/// Counts the tokens of the brackets that tokens begin with.
fn bracket_length(tokens: &[Token]) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('{' | '(' | '[') => depth += 1,
            Token::Sign('}' | ')' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Tells whether an item's attributes say `cfg(test)`.
fn is_for_tests(item: &[Token]) -> bool {
    let attributes = &item[..item.len() - without_attributes(item).len()];
    attributes.windows(3).any(|it| it[0].is("cfg") && it[1] == Token::Sign('(') && it[2].is("test"))
}

/// Tells whether there is a `pub`, and what follows it.
fn without_visibility(tokens: &[Token]) -> (bool, &[Token]) {
    match tokens {
        [first, rest @ ..] if first.is("pub") => {
            let restricted = matches!(rest.first(), Some(Token::Sign('(')));
            (true, if restricted { &rest[bracket_length(rest)..] } else { rest })
        }
        _ => (false, tokens),
    }
}

/// The name that an item defines.
fn defined(item: &[Token]) -> Option<String> {
    let begin = item.iter().take_while(|token| token.word().is_some()).count();
    let is_key = |token: &Token| token.word().is_some_and(|word| DEFINING.contains(&word));
    let key = item[..begin].iter().rposition(is_key)?;
    item[key + 1..].iter().take(2).find_map(Token::word).map(str::to_owned)
}

/// Adds the names of a tree, `a::{b, c as d}`, to those of `before`.
fn use_tree(tree: &[Token], before: &Path, names: &mut Vec<(Path, Option<String>)>) {
    let mut path = before.clone();
    for (at, token) in tree.iter().enumerate() {
        match token {
            Token::Word(word) if word == "as" => {
                let name = tree.get(at + 1).and_then(Token::word).map(str::to_owned);
                names.push((path, Some(name.unwrap_or_default())));
                return;
            }
            // `use a::{self}` means `use a`.
            Token::Word(word) if word == "self" && !path.is_empty() => {}
            Token::Word(word) => path.push(word.clone()),
            Token::Sign('*') => {
                names.push((path, None));
                return;
            }
            Token::Sign('{') => {
                let inside = &tree[at + 1..at + bracket_length(&tree[at..]) - 1];
                branches(inside).into_iter().for_each(|branch| use_tree(branch, &path, names));
                return;
            }
            _ => {}
        }
    }
    let name = path.last().cloned();
    names.extend(name.map(|name| (path, Some(name))));
}

/// Parts between the commas that are in no brackets.
fn branches(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0usize;
    let branches = tokens.split(|token| {
        match token {
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *token == Token::Sign(',')
    });
    branches.filter(|branch| !branch.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn read(source: &str) -> Module {
        Module::read(&tokens(source))
    }

    #[test]
    fn trees_of_imports_are_taken_apart() {
        let module = read("use super::{a::{self, B as C}, d::*}; pub(crate) use e::F;");
        let imports = module.imports.iter().map(|import| {
            let name = import.name.as_deref().unwrap_or("*");
            format!("{} {name} {}", import.path.join("."), import.is_public)
        });
        let expected = ["super.a a false", "super.a.B C false", "super.d * false", "e.F F true"];
        assert_eq!(imports.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn items_are_told_apart_whatever_ends_them() {
        let source = "pub const A: S = S { b: 1 }; const fn c() { d::e() } struct F(u8); \
                      impl G for F { fn h(&self) { use i::J; crate::k::L } } enum M { N } \
                      pub(in crate::o) static P: u8 = 0; macro_rules! q { () => { $crate::r::s } }";
        let module = read(source);
        assert_eq!(module.defined, ["A", "c", "F", "M", "P", "q"]);
        let paths: Vec<_> = module.paths.iter().map(|path| path.join(".")).collect();
        assert_eq!(paths, ["d.e", "crate.k.L", "crate.r.s"]);
        assert_eq!(module.imports[0].path, ["i", "J"]);
    }

    #[test]
    fn what_only_tests_see_is_left_out() {
        let source = "mod a; #[cfg(test)] mod b; #[cfg(test)] mod c { use super::d; } \
                      impl E { #[cfg(test)] fn f() { g::h() } fn i() { j::k() } } mod l { mod m; }";
        let module = read(source);
        assert_eq!(module.files, ["a"]);
        assert_eq!(module.inline.len(), 1);
        assert_eq!(module.paths, [["j", "k"]]);
        assert!(module.imports.is_empty());
    }
}
