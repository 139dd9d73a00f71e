//! The prover as a program: PCZT in on standard input, PCZT out on standard output. No arguments, no files, no network.
//! Exits with 0, or with 1 and one line on standard error.

use std::error::Error;
use std::io::{Read, Write};

#[cfg(feature = "parameters")]
use wallet_companion_prover::{Failure, Parameters};
use wallet_companion_prover::{Keys, MAX_PCZT_BYTES};

fn main() {
    if let Err(problem) = run() {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut input = Vec::new();
    std::io::stdin()
        .take(MAX_PCZT_BYTES as u64 + 1)
        .read_to_end(&mut input)?;
    let mut keys = Keys::NONE;
    #[cfg(feature = "parameters")]
    {
        let (spend, output) = wagyu_zcash_parameters::load_sapling_parameters();
        keys.set_sapling([spend, output]);
    }
    let output = keys.prove(&input).map_err(|failure| failure.to_string())?;
    std::io::stdout().write_all(&output)?;
    std::io::stdout().flush()?;
    Ok(())
}
