//! Trial decryption by the reference wallets' crates, on an input file written by `bench/peers.ts`:
//!
//! ```text
//! u8 pool (0 Sapling, 1 Orchard), u8 keys, u32 rows
//! keys x 64 bytes: dk, ivk
//! rows x 148 bytes: nullifier 32 (zero for Sapling), commitment 32, ephemeral key 32, ciphertext 52
//! ```
//!
//! `peers FILE IMPLEMENTATION ROUNDS` prints one line: the rows that decrypted, then the processor time of the fastest
//! round in nanoseconds. All rows are one batch, on one thread.

use std::{env, fs, process};

const ROW: usize = 148;

struct Input<'a> {
    keys: Vec<&'a [u8]>,
    rows: Vec<&'a [u8]>,
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("a slice of the right length")
}

fn parse(bytes: &[u8]) -> (u8, Input<'_>) {
    let keys = bytes[1] as usize;
    let rows = u32::from_le_bytes(array(&bytes[2..6])) as usize;
    let body = &bytes[6..];
    let (key_bytes, row_bytes) = body.split_at(keys * 64);
    assert_eq!(row_bytes.len(), rows * ROW);
    let input = Input {
        keys: key_bytes.chunks(64).collect(),
        rows: row_bytes.chunks(ROW).collect(),
    };
    (bytes[0], input)
}

fn processor_nanoseconds() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a live timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The found rows and the fastest round.
fn measure(rounds: usize, mut decrypt: impl FnMut() -> Vec<usize>) -> (Vec<usize>, u64) {
    let mut best = u64::MAX;
    let mut found = Vec::new();
    for _ in 0..rounds {
        let start = processor_nanoseconds();
        found = decrypt();
        best = best.min(processor_nanoseconds() - start);
    }
    (found, best)
}

macro_rules! orchard_implementation {
    ($name:ident, $crate_name:ident, $batched:expr) => {
        fn $name(input: &Input<'_>, rounds: usize) -> (Vec<usize>, u64) {
            use $crate_name::keys::{IncomingViewingKey, PreparedIncomingViewingKey};
            use $crate_name::note::{ExtractedNoteCommitment, Nullifier};
            use $crate_name::note_encryption::{CompactAction, OrchardDomain};
            let ivks: Vec<PreparedIncomingViewingKey> = input
                .keys
                .iter()
                .map(|key| {
                    IncomingViewingKey::from_bytes(&array(key))
                        .expect("a viewing key")
                        .prepare()
                })
                .collect();
            let actions: Vec<(OrchardDomain, CompactAction)> = input
                .rows
                .iter()
                .map(|row| {
                    let action = CompactAction::from_parts(
                        Nullifier::from_bytes(&array(&row[..32])).expect("a nullifier"),
                        ExtractedNoteCommitment::from_bytes(&array(&row[32..64]))
                            .expect("a commitment"),
                        array::<32>(&row[64..96]).into(),
                        array(&row[96..]),
                    );
                    (OrchardDomain::for_compact_action(&action), action)
                })
                .collect();
            measure(rounds, || $batched(&ivks, &actions))
        }
    };
}

mod newest {
    use orchard::{
        keys::PreparedIncomingViewingKey,
        note_encryption::{CompactAction, OrchardDomain},
    };

    pub fn batch(
        ivks: &[PreparedIncomingViewingKey],
        actions: &[(OrchardDomain, CompactAction)],
    ) -> Vec<usize> {
        zcash_note_encryption::batch::try_compact_note_decryption(ivks, actions)
            .iter()
            .enumerate()
            .filter_map(|(row, found)| found.as_ref().map(|_| row))
            .collect()
    }
}

mod previous {
    use orchard_0_15::{
        keys::PreparedIncomingViewingKey,
        note_encryption::{CompactAction, OrchardDomain},
    };

    pub fn batch(
        ivks: &[PreparedIncomingViewingKey],
        actions: &[(OrchardDomain, CompactAction)],
    ) -> Vec<usize> {
        zcash_note_encryption_0_4::batch::try_compact_note_decryption(ivks, actions)
            .iter()
            .enumerate()
            .filter_map(|(row, found)| found.as_ref().map(|_| row))
            .collect()
    }
}

orchard_implementation!(orchard_newest, orchard, newest::batch);
orchard_implementation!(orchard_previous, orchard_0_15, previous::batch);

fn sapling(input: &Input<'_>, rounds: usize) -> (Vec<usize>, u64) {
    use sapling_crypto::keys::{PreparedIncomingViewingKey, SaplingIvk};
    use sapling_crypto::note::ExtractedNoteCommitment;
    use sapling_crypto::note_encryption::{
        CompactOutputDescription, SaplingDomain, Zip212Enforcement,
    };
    let ivks: Vec<PreparedIncomingViewingKey> = input
        .keys
        .iter()
        .map(|key| {
            let ivk =
                Option::from(SaplingIvk::from_bytes(&array(&key[32..]))).expect("a viewing key");
            PreparedIncomingViewingKey::new(&ivk)
        })
        .collect();
    let outputs: Vec<(SaplingDomain, CompactOutputDescription)> = input
        .rows
        .iter()
        .map(|row| {
            let output = CompactOutputDescription {
                ephemeral_key: array::<32>(&row[64..96]).into(),
                cmu: Option::from(ExtractedNoteCommitment::from_bytes(&array(&row[32..64])))
                    .expect("a commitment"),
                enc_ciphertext: array(&row[96..]),
            };
            (SaplingDomain::new(Zip212Enforcement::On), output)
        })
        .collect();
    measure(rounds, || {
        zcash_note_encryption::batch::try_compact_note_decryption(&ivks, &outputs)
            .iter()
            .enumerate()
            .filter_map(|(row, found)| found.as_ref().map(|_| row))
            .collect()
    })
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let [_, file, implementation, rounds] = arguments.as_slice() else {
        eprintln!("usage: peers FILE orchard|orchard-0.15|sapling ROUNDS");
        process::exit(2);
    };
    let bytes = fs::read(file).expect("the input file");
    let (_, input) = parse(&bytes);
    let rounds = rounds.parse().expect("a number of rounds");
    let (found, nanoseconds) = match implementation.as_str() {
        "orchard" => orchard_newest(&input, rounds),
        "orchard-0.15" => orchard_previous(&input, rounds),
        "sapling" => sapling(&input, rounds),
        other => panic!("no implementation is called {other}"),
    };
    let rows: Vec<String> = found.iter().map(usize::to_string).collect();
    println!("{} {}", rows.join(","), nanoseconds);
}
