//! Sapling's proofs, which need 50 MB of parameters: in the program only.

use pczt::roles::prover::Prover;

use crate::{Failure, Outcome};

#[cfg(feature = "sapling")]
pub fn prove(prover: Prover) -> Outcome<Prover> {
    if !prover.requires_sapling_proofs() {
        return Ok(prover);
    }
    let parameters = zcash_proofs::prover::LocalTxProver::bundled();
    prover
        .create_sapling_proofs(&mut crate::random(), &parameters, &parameters)
        .map_err(Failure::sapling)
}

#[cfg(not(feature = "sapling"))]
pub fn prove(prover: Prover) -> Outcome<Prover> {
    if prover.requires_sapling_proofs() {
        return Err(Failure::sapling("built without Sapling"));
    }
    Ok(prover)
}
