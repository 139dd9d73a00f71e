//! Why a PCZT was not proved or not verified. The crates' errors name what is wrong and hold no amounts, keys or memos.

use std::fmt::{Debug, Display, Formatter, Result as Written};

pub type Outcome<T> = Result<T, Failure>;

/// The numbers are those of packages/prover/src/prover/failures.ts.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Kind {
    NoPczt = 1,
    Sapling = 2,
    Unprovable = 3,
    WrongProof = 4,
}

pub struct Failure {
    pub kind: Kind,
    detail: String,
}

impl Failure {
    pub fn no_pczt(error: impl Debug) -> Self {
        Self::new(Kind::NoPczt, error)
    }

    pub fn unprovable(error: impl Debug) -> Self {
        Self::new(Kind::Unprovable, error)
    }

    pub fn wrong_proof(error: impl Debug) -> Self {
        Self::new(Kind::WrongProof, error)
    }

    pub fn sapling(error: impl Debug) -> Self {
        Self::new(Kind::Sapling, error)
    }

    fn new(kind: Kind, error: impl Debug) -> Self {
        let detail = format!("{error:?}");
        Self { kind, detail }
    }
}

impl Display for Failure {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        let what = match self.kind {
            Kind::NoPczt => "no PCZT",
            Kind::Sapling => "the Sapling proofs",
            Kind::Unprovable => "the PCZT cannot be proved",
            Kind::WrongProof => "a wrong proof",
        };
        write!(out, "{what}: {}", self.detail)
    }
}
