//! Sapling's proofs. Their parameters have 50 MB: the program has them built in, and the module's host passes them.

use bellman::gadgets::multipack;
use bls12_381::{Bls12, Scalar};
use groth16::{PreparedVerifyingKey, Proof, VerifyingKey, prepare_verifying_key, verify_proof};
use pczt::Pczt;
use pczt::roles::prover::Prover;
use pczt::roles::verifier::{SaplingError, Verifier};
use sapling::circuit::{OutputParameters, SpendParameters};
use sapling::pczt::{Bundle, Output, Spend};

use crate::{Failure, Outcome};

/// The two files as the parameters' ceremony published them, for spends and for outputs. They are parsed when they are needed.
pub struct Sapling {
    files: Option<[Vec<u8>; 2]>,
    parameters: Option<Parameters>,
}

impl Sapling {
    pub const NONE: Self = Self {
        files: None,
        parameters: None,
    };

    /// The caller has compared their digests, so the points in them are not checked.
    pub fn set(&mut self, files: [Vec<u8>; 2]) {
        self.files = Some(files);
    }

    pub fn parameters(&mut self) -> Outcome<Option<&Parameters>> {
        if let Some([spend, output]) = self.files.take() {
            self.parameters = Some(Parameters::read(&spend, &output)?);
        }
        Ok(self.parameters.as_ref())
    }
}

pub struct Parameters {
    spend: SpendParameters,
    output: OutputParameters,
    spend_key: PreparedVerifyingKey<Bls12>,
    output_key: PreparedVerifyingKey<Bls12>,
}

/// The key to verify with is the beginning of the parameters.
fn verifying_key(parameters: &[u8]) -> Outcome<PreparedVerifyingKey<Bls12>> {
    let key = VerifyingKey::read(parameters).map_err(Failure::sapling)?;
    Ok(prepare_verifying_key(&key))
}

impl Parameters {
    fn read(spend: &[u8], output: &[u8]) -> Outcome<Self> {
        Ok(Self {
            spend: SpendParameters::read(spend, false).map_err(Failure::sapling)?,
            output: OutputParameters::read(output, false).map_err(Failure::sapling)?,
            spend_key: verifying_key(spend)?,
            output_key: verifying_key(output)?,
        })
    }

    /// Adds the proofs of a PCZT that lacks some, and verifies them.
    pub fn prove(&self, prover: Prover) -> Outcome<Prover> {
        let pczt = prover
            .create_sapling_proofs(&mut crate::random(), &self.spend, &self.output)
            .map_err(Failure::unprovable)?
            .finish();
        self.verify(pczt.clone())?;
        Ok(Prover::new(pczt))
    }

    /// Verifies the proofs that the bundle has.
    pub fn verify(&self, pczt: Pczt) -> Outcome<()> {
        Verifier::new(pczt)
            .with_sapling(|bundle| self.verify_bundle(bundle).map_err(SaplingError::Custom))
            .map(drop)
            .map_err(|error| match error {
                SaplingError::Custom(failure) => failure,
                SaplingError::Parser(error) => Failure::no_pczt(error),
                SaplingError::Verifier(error) => Failure::no_pczt(error),
            })
    }

    fn verify_bundle(&self, bundle: &Bundle) -> Outcome<()> {
        let anchor = scalar(bundle.anchor().to_bytes())?;
        for spend in bundle.spends() {
            if let Some(proof) = spend.zkproof() {
                verify(&self.spend_key, proof, &spend_inputs(spend, anchor)?)?;
            }
        }
        for output in bundle.outputs() {
            if let Some(proof) = output.zkproof() {
                verify(&self.output_key, proof, &output_inputs(output)?)?;
            }
        }
        Ok(())
    }
}

fn verify(key: &PreparedVerifyingKey<Bls12>, proof: &[u8], inputs: &[Scalar]) -> Outcome<()> {
    let proof = Proof::read(proof).map_err(Failure::wrong_proof)?;
    verify_proof(key, &proof, inputs).map_err(Failure::wrong_proof)
}

/// Protocol specification, section 4.17.2: rk, cv, anchor and nullifier.
fn spend_inputs(spend: &Spend, anchor: Scalar) -> Outcome<Vec<Scalar>> {
    let nullifier = multipack::bytes_to_bits_le(&spend.nullifier().0);
    let mut inputs = coordinates((*spend.rk()).into())?.to_vec();
    inputs.extend(coordinates(spend.cv().to_bytes())?);
    inputs.push(anchor);
    inputs.extend(multipack::compute_multipacking::<Scalar>(&nullifier));
    Ok(inputs)
}

/// Section 4.17.3: cv, the ephemeral key and cmu.
fn output_inputs(output: &Output) -> Outcome<Vec<Scalar>> {
    let mut inputs = coordinates(output.cv().to_bytes())?.to_vec();
    inputs.extend(coordinates(output.ephemeral_key().0)?);
    inputs.push(scalar(output.cmu().to_bytes())?);
    Ok(inputs)
}

fn coordinates(point: [u8; 32]) -> Outcome<[Scalar; 2]> {
    let point = Option::<jubjub::AffinePoint>::from(jubjub::AffinePoint::from_bytes(point))
        .ok_or_else(|| Failure::no_pczt("no point"))?;
    Ok([point.get_u(), point.get_v()])
}

fn scalar(bytes: [u8; 32]) -> Outcome<Scalar> {
    Option::from(Scalar::from_bytes(&bytes)).ok_or_else(|| Failure::no_pczt("no field element"))
}
