// Who signs payments, and who makes and verifies their proofs.

import type { BareProofKey, BareSignature, Pczt } from '@wallet-companion/pczt/pczt';
import type { PaymentTerms } from '@wallet-companion/pczt/signer';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { ActionPool } from '@wallet-companion/zcash/pools';
import type { WalletFileBytes } from './walletFile.ts';

// The own signer: signs with the wallet's phrase, which the password opens for that one signature.

export interface OwnSigningRequest {
  readonly walletFile: WalletFileBytes;
  /** Wiped. */
  readonly password: Uint8Array<ArrayBuffer>;
  readonly pczt: Uint8Array<ArrayBuffer>;
  /** What the payment was asked to do. */
  readonly terms: PaymentTerms;
  readonly params: NetworkParameters;
}

export interface OwnSignatures {
  readonly signatures: readonly BareSignature[];
  /** For the prover alone; the caller wipes them. */
  readonly proofKeys: readonly BareProofKey[];
}

export interface OwnSigner {
  /** Rejects with `WRONG_PASSWORD`, with `PCZT_CHANGED` where the PCZT does something else, `WALLET_CORRUPT`, `THREAD_LOST`. */
  sign(request: OwnSigningRequest): Promise<OwnSignatures>;
}

// The prover makes the proofs that a PCZT lacks. It gets no spending key, and its answer is not trusted.

export interface Prover {
  /**
   * Wipes the PCZT. Returns what the prover wrote, unchecked. Rejects with `NO_PROVER`, `BUSY`, `PROVER_FAILED`.
   * `stop` cancels it; so does the end of the session.
   */
  prove(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array>;
  /** Whether Sapling's proofs too can be made here: by a program, which is believed, or with the parameters that they need. */
  provesSapling(): Promise<boolean>;
}

// The signer adds the signatures that a PCZT lacks. Its keys are its own, and its answer is not trusted.

export interface Signer {
  /**
   * Wipes the PCZT. Returns what the signer wrote, unchecked. Rejects with `NO_SIGNER`, `BUSY`, `SIGNER_FAILED`.
   * `stop` cancels it; so does the end of the session.
   */
  sign(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array>;
}

// Verifies the proofs of payments, without a prover and without a key.

export interface ProofVerifier {
  /**
   * The pools whose proof is not one of this transaction. A proof that is missing is none of them; those of Sapling, and of
   * circuits that the network no longer takes, are not verified, nor any on a machine where no build of the kernel works.
   */
  findWrongProofs(pczt: Pczt): Promise<readonly ActionPool[]>;
}
