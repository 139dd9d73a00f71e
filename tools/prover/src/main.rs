//! Makes the proofs that a PCZT lacks, with the reference crates: PCZT in on standard input, PCZT out on standard output.
//! No arguments, no files, no network. Exits with 0, or with 1 and one line on standard error.

use std::error::Error;
use std::fmt::Debug;
use std::io::{Read, Write};

use orchard::circuit::{OrchardCircuitVersion, ProvingKey};
use pczt::Pczt;
use pczt::roles::prover::Prover;
use rand::{rand_core::UnwrapErr, rngs::SysRng};
use zcash_protocol::consensus::BranchId;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What the companion takes back; a PCZT that is to be proved is shorter.
const MAX_INPUT_BYTES: u64 = 8 << 20;

fn main() {
    if let Err(problem) = run() {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}

fn run() -> Outcome<()> {
    let mut input = Vec::new();
    std::io::stdin()
        .take(MAX_INPUT_BYTES + 1)
        .read_to_end(&mut input)?;
    if input.len() as u64 > MAX_INPUT_BYTES {
        return Err("the PCZT is too long".into());
    }
    let pczt = Pczt::parse(&input).map_err(named("no PCZT"))?;
    let output = encoded_as(&input, prove(pczt)?)?;
    std::io::stdout().write_all(&output)?;
    std::io::stdout().flush()?;
    Ok(())
}

fn prove(pczt: Pczt) -> Outcome<Pczt> {
    let circuit = circuit_of(*pczt.global().consensus_branch_id())?;
    let mut prover = prove_sapling(Prover::new(pczt))?;
    if !prover.requires_orchard_proof() && !prover.requires_ironwood_proof() {
        return Ok(prover.finish());
    }
    let key = ProvingKey::build(circuit);
    if prover.requires_orchard_proof() {
        prover = prover
            .create_orchard_proof(random(), &key)
            .map_err(named("the Orchard proof"))?;
    }
    if prover.requires_ironwood_proof() {
        prover = prover
            .create_ironwood_proof(random(), &key)
            .map_err(named("the Ironwood proof"))?;
    }
    Ok(prover.finish())
}

#[cfg(feature = "sapling")]
fn prove_sapling(prover: Prover) -> Outcome<Prover> {
    if !prover.requires_sapling_proofs() {
        return Ok(prover);
    }
    let parameters = zcash_proofs::prover::LocalTxProver::bundled();
    prover
        .create_sapling_proofs(&mut random(), &parameters, &parameters)
        .map_err(named("the Sapling proofs"))
}

#[cfg(not(feature = "sapling"))]
fn prove_sapling(prover: Prover) -> Outcome<Prover> {
    if prover.requires_sapling_proofs() {
        return Err("this program was built without Sapling".into());
    }
    Ok(prover)
}

/// In the encoding that it came in.
fn encoded_as(input: &[u8], pczt: Pczt) -> Outcome<Vec<u8>> {
    if input.get(4..8) == Some(&1u32.to_le_bytes()) {
        return Ok(pczt::v1::Pczt::try_from(pczt)
            .map_err(named("encoding 1"))?
            .serialize());
    }
    Ok(pczt::v2::Pczt::try_from(pczt)
        .map_err(named("encoding 2"))?
        .serialize())
}

fn circuit_of(branch: u32) -> Outcome<OrchardCircuitVersion> {
    Ok(
        match BranchId::try_from(branch).map_err(|_| "an unknown consensus branch")? {
            BranchId::Nu5 | BranchId::Nu6 | BranchId::Nu6_1 => {
                OrchardCircuitVersion::InsecurePreNu6_2
            }
            BranchId::Nu6_2 => OrchardCircuitVersion::FixedPostNu6_2,
            _ => OrchardCircuitVersion::PostNu6_3,
        },
    )
}

fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

/// The crates' errors name what is wrong and hold no amounts, keys or memos.
fn named<E: Debug>(what: &'static str) -> impl Fn(E) -> Box<dyn Error> {
    move |error| format!("{what}: {error:?}").into()
}
