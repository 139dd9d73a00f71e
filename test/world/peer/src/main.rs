//! The wallet that others built, for `npm run test:world`: zcash_client_sqlite as `test/world` drives it.
//!
//! Reads a command per line of standard input, as JSON with the command's name in `do`, and writes a line of JSON for each:
//! `{"ok": …}` or `{"error": "…"}`. `open` comes first; a second one opens another wallet in its place.

mod pay;
mod report;
mod sync;
mod wallet;

use std::io::{self, BufRead, Write};

use serde::Deserialize;
use serde_json::{json, Value};

use crate::wallet::Peer;

/// Errors of the crates end in the test's output, where nobody matches on them.
pub type Outcome<T> = Result<T, String>;

/// For errors of the crates, some of which are too generic for `Display`.
pub fn shown(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase")]
enum Command {
    Open(wallet::Opening),
    Addresses { count: u32 },
    Sync,
    Enhance,
    Notes,
    Sent,
    Balances,
    Pay(pay::Payment),
}

fn run(peer: &mut Option<Peer>, line: &str) -> Outcome<Value> {
    let command = serde_json::from_str(line).map_err(shown)?;
    if let Command::Open(opening) = command {
        // The file before is closed first.
        drop(peer.take());
        let opened = Peer::open(opening)?;
        let keys = opened.viewing_keys()?;
        *peer = Some(opened);
        return Ok(json!({ "viewingKeys": keys }));
    }
    let peer = peer.as_mut().ok_or("open comes first")?;
    match command {
        Command::Open(_) => unreachable!("handled above"),
        Command::Addresses { count } => peer.addresses(count),
        Command::Sync => sync::sync(peer),
        Command::Enhance => sync::enhance(peer),
        Command::Notes => report::notes(peer),
        Command::Sent => report::sent(peer),
        Command::Balances => report::balances(peer),
        Command::Pay(payment) => pay::pay(peer, payment),
    }
}

fn main() -> io::Result<()> {
    let mut peer = None;
    for line in io::stdin().lock().lines() {
        let answer = match run(&mut peer, &line?) {
            Ok(value) => json!({ "ok": value }),
            Err(error) => json!({ "error": error }),
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
