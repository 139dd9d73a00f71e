//! The Prover and the verifier of a PCZT's Orchard-protocol proofs, with the reference crates. A key of a circuit takes
//! seconds to make, so the last one is kept.

mod circuit;
mod failure;
mod sapling_proofs;
mod verification;

use orchard::circuit::{OrchardCircuitVersion, ProvingKey, VerifyingKey};
use pczt::Pczt;
use pczt::roles::prover::Prover;
use rand::{rand_core::UnwrapErr, rngs::SysRng};

use sapling_proofs::Sapling;

pub use failure::{Failure, Outcome};

/// A PCZT of 32 actions in each of two pools, with everything, has 0.45 MB.
pub const MAX_PCZT_BYTES: usize = 8 << 20;

/// The most in one bundle. By the sizes of its polynomials a proof takes 7 MB an action, so these fit into the module's memory.
const MAX_ACTIONS: usize = 64;

pub struct Keys {
    proving: Option<ProvingKey>,
    sapling: Sapling,
}

impl Keys {
    pub const NONE: Self = Self {
        proving: None,
        sapling: Sapling::NONE,
    };

    /// Sapling's parameters, for spends and for outputs. Without them a PCZT that lacks a Sapling proof is refused.
    pub fn set_sapling(&mut self, files: [Vec<u8>; 2]) {
        self.sapling.set(files);
    }

    /// Adds the missing proofs and verifies all Orchard-protocol proofs, also those that were there, unless Sapling's alone are
    /// missing: a key takes seconds. The answer has the encoding of the input.
    pub fn prove(&mut self, input: &[u8]) -> Outcome<Vec<u8>> {
        let pczt = parsed(input)?;
        // A key takes seconds, so what is malformed is refused before.
        verification::statements(pczt.clone())?;
        let circuit = circuit::of(&pczt)?;
        let mut prover = Prover::new(pczt);
        if prover.requires_sapling_proofs() {
            prover = self
                .sapling
                .parameters()?
                .ok_or_else(|| Failure::sapling("no parameters"))?
                .prove(prover)?;
            if !prover.requires_orchard_proof() && !prover.requires_ironwood_proof() {
                return encoded_as(input, prover.finish());
            }
        }
        let key = self.of(circuit);
        if prover.requires_orchard_proof() {
            prover = prover
                .create_orchard_proof(random(), key)
                .map_err(Failure::unprovable)?;
        }
        if prover.requires_ironwood_proof() {
            prover = prover
                .create_ironwood_proof(random(), key)
                .map_err(Failure::unprovable)?;
        }
        let pczt = prover.finish();
        let verifying = key.verifying_key();
        for statement in verification::statements(pczt.clone())? {
            statement.verify(&verifying)?;
        }
        encoded_as(input, pczt)
    }

    /// Verifies the Orchard-protocol proofs that the PCZT has, and Sapling's where the parameters are there.
    pub fn verify(&mut self, input: &[u8]) -> Outcome<()> {
        let pczt = parsed(input)?;
        let circuit = circuit::of(&pczt)?;
        if let Some(parameters) = self.sapling.parameters()? {
            parameters.verify(pczt.clone())?;
        }
        let statements = verification::statements(pczt)?;
        if statements.is_empty() {
            return Ok(());
        }
        let key = match &self.proving {
            Some(key) if key.circuit_version() == circuit => key.verifying_key(),
            _ => VerifyingKey::build(circuit),
        };
        statements
            .iter()
            .try_for_each(|statement| statement.verify(&key))
    }

    fn of(&mut self, circuit: OrchardCircuitVersion) -> &ProvingKey {
        if self
            .proving
            .as_ref()
            .is_some_and(|key| key.circuit_version() != circuit)
        {
            // Two keys at once would double the memory.
            self.proving = None;
        }
        self.proving
            .get_or_insert_with(|| ProvingKey::build(circuit))
    }
}

fn parsed(input: &[u8]) -> Outcome<Pczt> {
    if input.len() > MAX_PCZT_BYTES {
        return Err(Failure::no_pczt("too long"));
    }
    Pczt::parse(input).map_err(Failure::no_pczt)
}

fn encoded_as(input: &[u8], pczt: Pczt) -> Outcome<Vec<u8>> {
    if input.get(4..8) == Some(&1u32.to_le_bytes()) {
        return Ok(pczt::v1::Pczt::try_from(pczt)
            .map_err(Failure::no_pczt)?
            .serialize());
    }
    Ok(pczt::v2::Pczt::try_from(pczt)
        .map_err(Failure::no_pczt)?
        .serialize())
}

fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}
