// The own signer: signs with the wallet's phrase, which the password opens for that one signature.

import type { BareProofKey, BareSignature } from '@wallet-companion/pczt/pczt';
import type { PaymentTerms } from '@wallet-companion/pczt/signer';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { WalletFileBytes } from './walletFile.ts';

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
