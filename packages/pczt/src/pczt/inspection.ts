// The contents of a PCZT as data, for a person who is about to sign.
import type { Height } from '@wallet-companion/base/values';
import type { TxId } from '@wallet-companion/zcash/identifiers';
import type { Scope } from '@wallet-companion/zcash/network';
import type { Memo } from '@wallet-companion/zcash/notes';
import type { Pool } from '@wallet-companion/zcash/pools';

export type Place = Pool | 'transparent';

export interface InspectedSpend {
  readonly place: Place;
  /** Index among the actions, Sapling spends or transparent inputs. */
  readonly index: number;
  /** Undefined where the recipient is absent, or the script has no address. */
  readonly address: string | undefined;
  readonly amount: bigint | undefined;
  /** The spend is made up, to hide the number of notes or to pair with an output. */
  readonly isPadding: boolean;
  /** Scope of the wallet's key that made the address; undefined without keys, or for another's address. */
  readonly owner: Scope | undefined;
  /** Account of the wallet's key. */
  readonly account: number | undefined;
  /** The spend has a valid signature of this transaction; for a transparent input only the presence is checked. */
  readonly isSigned: boolean;
  /** Address and amount are those of the spent note: its nullifier was recomputed from them. */
  readonly isVerified: boolean;
  /** Undefined for transparent inputs. */
  readonly nullifier: Uint8Array | undefined;
}

export interface InspectedOutput {
  readonly place: Place;
  /** Index among the actions, Sapling outputs or transparent outputs. */
  readonly index: number;
  /** `change`: to an address of the spender, not typed. `padding`: of value 0, with no typed address and no memo. */
  readonly role: 'payment' | 'change' | 'padding';
  /** The paid receiver, encoded for the network. */
  readonly address: string | undefined;
  /** The typed address, if it has that receiver. */
  readonly userAddress: string | undefined;
  readonly amount: bigint | undefined;
  /** Undefined where the memo cannot be decrypted, or its fields are absent. */
  readonly memo: Memo | undefined;
  /** Scope of the spender's key that made the address. */
  readonly owner: Scope | undefined;
  /** Account of the wallet's key. */
  readonly account: number | undefined;
  /** Address, amount and memo are signed: commitment and ciphertext were recomputed from them. */
  readonly isVerified: boolean;
}

export type WarningCode =
  /** A field that explains an input or output does not fit the signed data. */
  | 'mismatch'
  /** Fields that explain an output are absent: its payment cannot be verified. */
  | 'unverified'
  | 'addressMismatch'
  | 'signatureInvalid'
  /** The signature hash cannot be computed, so existing signatures do not count. */
  | 'notSignable'
  /** The PCZT has keys of too many owners to tell change from payments. */
  | 'manyOwners'
  | 'dummyKeyInside'
  | 'stillOpen'
  | 'unknownProprietary'
  | 'otherNetwork'
  | 'otherUpgrade'
  | 'expired'
  | 'expiresSoon'
  | 'neverExpires'
  | 'lockedUntil'
  | 'feeHigh'
  | 'feeLow'
  | 'feeNegative'
  | 'crossesAddresses';

export interface PcztWarning {
  readonly code: WarningCode;
  /** Such as `orchard.actions[1].output`; empty for the whole PCZT. */
  readonly field: string;
  readonly text: string;
}

export interface Inspection {
  /** Known before any signature; undefined where a field that it depends on is missing. */
  readonly txid: TxId | undefined;
  readonly txVersion: number;
  /** Name of the network upgrade. */
  readonly upgrade: string;
  /** 0: the transaction never expires. */
  readonly expiryHeight: number;
  /** The last block that can contain it: an upgrade may come before its expiry. Undefined where neither ends it. */
  readonly lastHeight: Height | undefined;
  /** Undefined where the inputs' lock times contradict each other. */
  readonly lockTime: number | undefined;
  readonly spends: readonly InspectedSpend[];
  readonly outputs: readonly InspectedOutput[];
  /** Negative where the outputs exceed the inputs. */
  readonly fee: bigint;
  readonly conventionalFee: bigint;
  /** The data that becomes public. */
  readonly becomesPublic: {
    /** Zatoshi that leave each used pool; negative where they enter it. */
    readonly valueBalances: readonly { readonly pool: Pool; readonly amount: bigint }[];
    readonly transparentInputs: number;
    readonly transparentOutputs: number;
  };
  readonly missing: {
    /** Counts of shielded spends without a valid signature and of transparent inputs without any, where above 0. */
    readonly signatures: ReadonlyMap<Place, number>;
    /** Pools with a missing proof. */
    readonly proofs: readonly Pool[];
    readonly bindingKeys: readonly Pool[];
  };
  readonly warnings: readonly PcztWarning[];
}
