//! `cargo xtask attack [NAME …]`: attacks a cluster on loopback and prints the table of what came of it.

use std::process::ExitCode;

use banyan_tests::attack::{ATTACKS, Attack};
use clap::Parser;

/// Attacks a cluster that it starts on loopback, and prints a table: the attack, what should come of it,
/// what was seen, the verdict. Ends with status 1 where one got through.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask attack")]
struct Arguments {
    /// Carry out these alone.
    names: Vec<String>,
    /// Print the names and end.
    #[arg(long)]
    list: bool,
    /// Leave out those that take long.
    #[arg(long)]
    short: bool,
}

#[expect(clippy::print_stdout, reason = "a table for the person who asked")]
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.list {
        ATTACKS.iter().for_each(|attack| println!("{}", attack.name));
        return ExitCode::SUCCESS;
    }
    let attacks = match chosen(&arguments) {
        Ok(attacks) => attacks,
        Err(unknown) => {
            println!("'{unknown}' is no attack: --list names them");
            return ExitCode::from(2);
        }
    };
    println!("| attack | expected | seen | verdict |\n|---|---|---|---|");
    let mut through = 0;
    for attack in attacks {
        let row = attack.run();
        println!("{row}");
        through += u32::from(row.is_through());
    }
    if through == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn chosen(arguments: &Arguments) -> Result<Vec<Attack>, String> {
    let is_known = |name: &&String| !ATTACKS.iter().any(|attack| attack.name == name.as_str());
    if let Some(unknown) = arguments.names.iter().find(is_known) {
        return Err(unknown.clone());
    }
    let is_chosen = |attack: &&Attack| {
        let is_named = arguments.names.iter().any(|name| name == attack.name);
        is_named || (arguments.names.is_empty() && (attack.is_short || !arguments.short))
    };
    Ok(ATTACKS.iter().filter(is_chosen).copied().collect())
}
