//! Verifies the proofs of the Orchard and the Ironwood bundle. The crate's own verification of a bundle wants its
//! signatures too, which a PCZT may still lack.

use orchard::Proof;
use orchard::circuit::{Instance, VerifyingKey};
use orchard::pczt::{Action, Bundle};
use pczt::Pczt;
use pczt::roles::verifier::{OrchardError, Verifier};

use crate::{Failure, Outcome};

/// The proof of a bundle, and what it has to prove.
pub struct Statement {
    proof: Proof,
    instances: Vec<Instance>,
}

impl Statement {
    pub fn verify(&self, key: &VerifyingKey) -> Outcome<()> {
        self.proof
            .verify(key, &self.instances)
            .map_err(Failure::wrong_proof)
    }
}

/// The statements of the bundles that have a proof. Reads both bundles in any case.
pub fn statements(pczt: Pczt) -> Outcome<Vec<Statement>> {
    let mut found = Vec::new();
    Verifier::new(pczt)
        .with_orchard(|bundle| add_statement(bundle, &mut found))
        .and_then(|verifier| verifier.with_ironwood(|bundle| add_statement(bundle, &mut found)))
        .map_err(|error| match error {
            OrchardError::Custom(failure) => failure,
            OrchardError::Parse(error) => Failure::no_pczt(error),
            OrchardError::Verify(error) => Failure::no_pczt(error),
            OrchardError::UnsupportedConsensusBranchId => Failure::no_pczt("consensus branch"),
        })?;
    Ok(found)
}

fn add_statement(bundle: &Bundle, found: &mut Vec<Statement>) -> Result<(), OrchardError<Failure>> {
    let count = bundle.actions().len();
    if count > crate::MAX_ACTIONS {
        return Err(OrchardError::Custom(Failure::no_pczt("too many actions")));
    }
    let Some(proof) = bundle.zkproof() else {
        return Ok(());
    };
    if proof.as_ref().len() != Proof::expected_proof_size(count) {
        return Err(OrchardError::Custom(Failure::wrong_proof("length")));
    }
    let instances = bundle
        .actions()
        .iter()
        .map(|action| instance_of(bundle, action))
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| OrchardError::Custom(Failure::no_pczt("rk is the identity")))?;
    found.push(Statement {
        proof: proof.clone(),
        instances,
    });
    Ok(())
}

fn instance_of(bundle: &Bundle, action: &Action) -> Option<Instance> {
    Instance::from_parts(
        *bundle.anchor(),
        action.cv_net().clone(),
        *action.spend().nullifier(),
        action.spend().rk().clone(),
        *action.output().cmx(),
        *bundle.flags(),
    )
}
