// What a person is about to sign, as data.
import type { TxId } from '../identifiers.ts';
import type { Scope } from '../network.ts';
import type { Memo } from '../notes/memo.ts';
import type { Pool } from '../pools.ts';

export type Place = Pool | 'transparent';

export interface InspectedSpend {
  readonly place: Place;
  /** Among the actions, Sapling spends or transparent inputs. */
  readonly index: number;
  /** Undefined where it was left out, or has no address. */
  readonly address: string | undefined;
  readonly amount: bigint | undefined;
  /** Made up to hide how many notes there are, or to pair with an output. */
  readonly isPadding: boolean;
  /** With which of the wallet's keys the address was made; undefined where they are not given, or it is not theirs. */
  readonly owner: Scope | undefined;
  /** Of the wallet's keys. */
  readonly account: number | undefined;
  /** With a signature of this transaction; of a transparent input's only that there is one is known. */
  readonly isSigned: boolean;
  /** Address and amount are those of the note that is spent: its nullifier was made again from them. */
  readonly isVerified: boolean;
  /** Undefined of transparent inputs. */
  readonly nullifier: Uint8Array | undefined;
}

export interface InspectedOutput {
  readonly place: Place;
  /** Among the actions, Sapling outputs or transparent outputs. */
  readonly index: number;
  /** `change`: an address of the spender's own that was not typed. `padding`: nothing, to nobody that matters. */
  readonly role: 'payment' | 'change' | 'padding';
  /** The receiver that is paid, encoded for the network. */
  readonly address: string | undefined;
  /** What was typed, where it holds that receiver. */
  readonly userAddress: string | undefined;
  readonly amount: bigint | undefined;
  /** Undefined where nobody can read it, or the fields were left out. */
  readonly memo: Memo | undefined;
  /** With which of the spender's keys the address was made. */
  readonly owner: Scope | undefined;
  /** Of the wallet's keys. */
  readonly account: number | undefined;
  /** Address, amount and memo are what is signed: commitment and ciphertext were made again from them. */
  readonly isVerified: boolean;
}

export type WarningCode =
  /** Something that explains an input or output does not fit what is signed. */
  | 'mismatch'
  /** What would explain an output was left out: nobody can say what it pays. */
  | 'unverified'
  | 'addressMismatch'
  | 'signatureInvalid'
  /** What signatures sign cannot be told, so that those inside count for nothing. */
  | 'notSignable'
  /** So many keys are inside that nobody can tell whose change is whose. */
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
  /** As `orchard.actions[1].output`; empty for the whole. */
  readonly field: string;
  readonly text: string;
}

export interface Inspection {
  /** Known before anything is signed; undefined where a field that it follows from is missing. */
  readonly txid: TxId | undefined;
  readonly txVersion: number;
  /** Name of the network upgrade. */
  readonly upgrade: string;
  /** 0: never. */
  readonly expiryHeight: number;
  /** Undefined where the inputs ask for what cannot be. */
  readonly lockTime: number | undefined;
  readonly spends: readonly InspectedSpend[];
  readonly outputs: readonly InspectedOutput[];
  /** Negative where more is paid than spent. */
  readonly fee: bigint;
  readonly conventionalFee: bigint;
  /** What the whole world will read. */
  readonly becomesPublic: {
    /** Zatoshi that leave each used pool; negative: that enter it. */
    readonly valueBalances: readonly { readonly pool: Pool; readonly amount: bigint }[];
    readonly transparentInputs: number;
    readonly transparentOutputs: number;
  };
  readonly missing: {
    /** Shielded spends without a right signature and transparent inputs without any, where there are such. */
    readonly signatures: ReadonlyMap<Place, number>;
    /** Pools of which a proof is not there. */
    readonly proofs: readonly Pool[];
    readonly bindingKeys: readonly Pool[];
  };
  readonly warnings: readonly PcztWarning[];
}
