//! Which circuit the consensus branch of a PCZT requires.

use orchard::circuit::OrchardCircuitVersion;
use pczt::Pczt;
use zcash_protocol::consensus::BranchId;

use crate::{Failure, Outcome};

pub fn of(pczt: &Pczt) -> Outcome<OrchardCircuitVersion> {
    let branch = *pczt.global().consensus_branch_id();
    Ok(
        match BranchId::try_from(branch).map_err(Failure::no_pczt)? {
            BranchId::Nu5 | BranchId::Nu6 | BranchId::Nu6_1 => {
                OrchardCircuitVersion::InsecurePreNu6_2
            }
            BranchId::Nu6_2 => OrchardCircuitVersion::FixedPostNu6_2,
            _ => OrchardCircuitVersion::PostNu6_3,
        },
    )
}
