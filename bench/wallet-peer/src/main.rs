//! Scans a store of compact blocks with `zcash_client_backend` into a new `zcash_client_sqlite` wallet, as
//! `bench/sync` does with ours:
//!
//! ```text
//! wallet-peer STORE WALLET SEED ACCOUNTS FIRST LAST CHUNK
//! ```
//!
//! STORE is an SQLite file with the table `compactblocks`, WALLET the file to make, SEED a ZIP 32 seed in hexadecimal.
//! The chain is a regtest one with every upgrade up to NU6.2 at height 1 and no shielded output below FIRST.
//!
//! Prints one line of JSON: what was found, and the processor time of all threads. `scan_ns` ends when the last block of
//! a request has been scanned, `total_ns` when it is in the wallet's database with its witness trees.

use std::{cell::Cell, env, path::Path};

use incrementalmerkletree::frontier::Frontier;
use rand::{rand_core::UnwrapErr, rngs::SysRng};
use secrecy::Secret;
use zcash_client_backend::{
    data_api::{
        chain::{error::Error, scan_cached_blocks, BlockSource, ChainState},
        AccountBirthday, WalletWrite,
    },
    proto::compact_formats::CompactBlock,
};
use zcash_client_sqlite::{
    error::SqliteClientError, util::SystemClock, wallet::init::init_wallet_db, BlockDb, WalletDb,
};
use zcash_primitives::block::BlockHash;
use zcash_protocol::{consensus::BlockHeight, local_consensus::LocalNetwork};

type SaplingFrontier = Frontier<sapling_crypto::Node, 32>;
type OrchardFrontier = Frontier<orchard::tree::MerkleHashOrchard, 32>;

fn processor_nanoseconds() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a live timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Reads a store, and remembers when the last reading ended: from then on the wallet's database works alone.
struct TimedStore {
    store: BlockDb,
    read_at: Cell<u64>,
}

impl BlockSource for TimedStore {
    type Error = SqliteClientError;

    fn with_blocks<F, W>(
        &self,
        from_height: Option<BlockHeight>,
        limit: Option<usize>,
        with_block: F,
    ) -> Result<(), Error<W, Self::Error>>
    where
        F: FnMut(CompactBlock) -> Result<(), Error<W, Self::Error>>,
    {
        self.store.with_blocks(from_height, limit, with_block)?;
        self.read_at.set(processor_nanoseconds());
        Ok(())
    }
}

struct Request {
    state: ChainState,
    first: u32,
    blocks: usize,
}

/// What a wallet asks a server for before each request: the tree frontiers below it. Made beforehand and not counted.
fn requests(store: &BlockDb, first: u32, last: u32, chunk: usize) -> (Vec<Request>, usize) {
    let mut requests = Vec::new();
    let mut sapling = SaplingFrontier::empty();
    let mut orchard = OrchardFrontier::empty();
    let mut outputs = 0;
    let blocks = (last - first + 1) as usize;
    store
        .with_blocks::<_, ()>(Some(first.into()), Some(blocks), |block| {
            let height = u32::from(block.height());
            if (height - first) as usize % chunk == 0 {
                requests.push(Request {
                    state: ChainState::new(
                        (height - 1).into(),
                        block.prev_hash(),
                        sapling.clone(),
                        orchard.clone(),
                        Frontier::empty(),
                    ),
                    first: height,
                    blocks: chunk.min((last - height + 1) as usize),
                });
            }
            for transaction in &block.vtx {
                assert!(transaction.ironwood_actions.is_empty());
                for output in &transaction.outputs {
                    let cmu = output.cmu().expect("a commitment");
                    assert!(sapling.append(sapling_crypto::Node::from_cmu(&cmu)));
                    outputs += 1;
                }
                for action in &transaction.actions {
                    let cmx = action.cmx().expect("a commitment");
                    assert!(orchard.append(orchard::tree::MerkleHashOrchard::from_cmx(&cmx)));
                    outputs += 1;
                }
            }
            Ok(())
        })
        .expect("a readable store");
    (requests, outputs)
}

fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal"))
        .collect()
}

/// How many notes the wallet knows, and what they are worth.
fn found(wallet: &Path) -> (i64, i64) {
    let connection = rusqlite::Connection::open(wallet).expect("the wallet");
    ["sapling", "orchard"]
        .iter()
        .fold((0, 0), |(count, value), pool| {
            let query = format!("SELECT count(*), coalesce(sum(value), 0) FROM {pool}_received_notes");
            let (c, v): (i64, i64) = connection
                .query_row(&query, [], |row| Ok((row.get(0)?, row.get(1)?)))
                .expect("a table of notes");
            (count + c, value + v)
        })
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let [_, store, wallet, seed, accounts, first, last, chunk] = arguments.as_slice() else {
        eprintln!("usage: wallet-peer STORE WALLET SEED ACCOUNTS FIRST LAST CHUNK");
        std::process::exit(2);
    };
    let number = |text: &String| text.parse::<u32>().expect("a number");
    let (first, last, chunk) = (number(first), number(last), number(chunk) as usize);
    let at_one = Some(BlockHeight::from_u32(1));
    let params = LocalNetwork {
        overwinter: at_one,
        sapling: at_one,
        blossom: at_one,
        heartwood: at_one,
        canopy: at_one,
        nu5: at_one,
        nu6: at_one,
        nu6_1: at_one,
        nu6_2: at_one,
        nu6_3: None,
        nu7: None,
    };
    let store = BlockDb::for_path(store).expect("the store");
    let (requests, outputs) = requests(&store, first, last, chunk);

    let mut database = WalletDb::for_path(wallet, params, SystemClock, UnwrapErr(SysRng))
        .expect("a new wallet's database");
    init_wallet_db(&mut database, None).expect("a new wallet's tables");
    let seed = Secret::new(from_hex(seed));
    let below = ChainState::empty((first - 1).into(), BlockHash([0; 32]));
    let birthday = AccountBirthday::from_parts(below, None);
    for account in 0..number(accounts) {
        database
            .create_account(&account.to_string(), &seed, &birthday, None)
            .expect("an account");
    }
    database.update_chain_tip(last.into()).expect("a tip");

    let store = TimedStore {
        store,
        read_at: Cell::new(0),
    };
    let (mut scan, mut total) = (0, 0);
    for request in &requests {
        let began = processor_nanoseconds();
        scan_cached_blocks(
            &params,
            &store,
            &mut database,
            request.first.into(),
            &request.state,
            request.blocks,
        )
        .expect("a scan");
        scan += store.read_at.get() - began;
        total += processor_nanoseconds() - began;
    }
    drop(database);
    let (notes, value) = found(Path::new(wallet));
    println!(
        "{{\"notes\":{notes},\"value\":{value},\"outputs\":{outputs},\"scan_ns\":{scan},\"total_ns\":{total}}}"
    );
}
