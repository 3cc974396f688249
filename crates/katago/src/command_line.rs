//! A command line as it is typed in quotes: `katago analysis -config analysis.cfg -model model.bin.gz`.

use std::fmt;
use std::str::FromStr;

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program: a path, or a name that is looked for where programs are.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// Reasons why a text is no command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    /// There is no word in it.
    #[error("no command: expected one such as katago analysis -config FILE -model FILE")]
    Empty,
    /// A quotation mark that stands alone.
    #[error("in the command {text}: {mark} is never closed")]
    Open {
        /// Text that was typed.
        text: String,
        /// The mark.
        mark: char,
    },
}

impl FromStr for CommandLine {
    type Err = CommandLineError;

    /// Words stand apart by blanks; within quotation marks of either kind a blank is part of a word, and a
    /// backslash takes the next mark as it is. No shell is asked: `$`, `*` and `|` mean nothing.
    fn from_str(text: &str) -> Result<CommandLine, CommandLineError> {
        let mut words = words(text)?.into_iter();
        let program = words.next().ok_or(CommandLineError::Empty)?;
        Ok(CommandLine { program, arguments: words.collect() })
    }
}

fn words(text: &str) -> Result<Vec<String>, CommandLineError> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (mark, Some(open)) if mark == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            ('\\', None | Some('"')) => {
                word.get_or_insert_default().push(letters.next().unwrap_or('\\'));
            }
            (blank, None) if blank.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if let Some(mark) = quote {
        return Err(CommandLineError::Open { text: text.to_owned(), mark });
    }
    words.extend(word);
    Ok(words)
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        quoted(&self.program, f)?;
        self.arguments.iter().try_for_each(|argument| {
            f.write_str(" ")?;
            quoted(argument, f)
        })
    }
}

/// A word so that it reads back as it is.
fn quoted(word: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_plain = |c: char| !c.is_whitespace() && !"\"'\\".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return f.write_str(word);
    }
    write!(f, "\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(text: &str) -> Vec<String> {
        let CommandLine { program, arguments } = text.parse().expect("a command");
        std::iter::once(program).chain(arguments).collect()
    }

    #[test]
    fn words_stand_apart_by_blanks_unless_quoted() {
        assert_eq!(
            words_of(" katago  analysis -model m.bin.gz"),
            ["katago", "analysis", "-model", "m.bin.gz"]
        );
        assert_eq!(
            words_of(r#""/opt/my go/katago" 'a "b"' c\ d """#),
            ["/opt/my go/katago", r#"a "b""#, "c d", ""]
        );
        assert_eq!(words_of(r#"ssh box 'katago analysis'"#), ["ssh", "box", "katago analysis"]);
    }

    #[test]
    fn a_command_reads_back_as_it_is_printed() {
        for text in ["'my go/katago' analysis", r#"a "" 'b"c' d\\e "#] {
            let command: CommandLine = text.parse().expect("a command");
            assert_eq!(command.to_string().parse(), Ok(command));
        }
    }

    #[test]
    fn no_command_and_an_open_quotation_are_refused() {
        assert_eq!("  ".parse::<CommandLine>(), Err(CommandLineError::Empty));
        let refused = "katago 'analysis".parse::<CommandLine>().expect_err("open");
        assert_eq!(refused.to_string(), "in the command katago 'analysis: ' is never closed");
    }
}
