// Identifiers of blocks, transactions and notes. Each kind has a separate type for each form: the bytes on the wire,
// and the hex that people and nodes exchange. Only this file converts between the forms. The types do not exist at run
// time.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import type { Marked } from '@wallet-companion/base/values';

type Bytes<Kind extends string> = Marked<Uint8Array, Kind>;
type Hex<Kind extends string> = Marked<string, Kind>;

export type BlockHash = Bytes<'block hash'>;
export type TxId = Bytes<'txid'>;
export type Nullifier = Bytes<'nullifier'>;

/** Shown byte-reversed, as block explorers and nodes do. */
export type BlockHashHex = Hex<'block hash'>;
/** Shown byte-reversed, as block explorers and nodes do. */
export type TxIdHex = Hex<'txid'>;
/** Shown in the order of its bytes. */
export type NullifierHex = Hex<'nullifier'>;

/** Marks 32 bytes from the wire with their kind. */
export const asBlockHash = (bytes: Uint8Array): BlockHash => bytes as BlockHash;

/** Marks 32 bytes from the wire with their kind. */
export const asTxId = (bytes: Uint8Array): TxId => bytes as TxId;

/** Marks 32 bytes from the wire with their kind. */
export const asNullifier = (bytes: Uint8Array): Nullifier => bytes as Nullifier;

/** Marks hex that this program stored or wrote with its kind. */
export const asBlockHashHex = (hex: string): BlockHashHex => hex as BlockHashHex;

/** Marks hex that this program stored or wrote with its kind. */
export const asTxIdHex = (hex: string): TxIdHex => hex as TxIdHex;

/** Marks hex that this program stored or wrote with its kind. */
export const asNullifierHex = (hex: string): NullifierHex => hex as NullifierHex;

/** For the other values that nodes show byte-reversed: roots, commitments, nonces. */
export const toDisplayHex = (bytes: Uint8Array): string => bytesToHex(Uint8Array.from(bytes).reverse());

/** The bytes of a value that is shown byte-reversed. Throws `FormatError`. */
export const fromDisplayHex = (hex: string): Uint8Array => hexToBytes(hex).reverse();

/** 64 digits, byte-reversed, as nodes and explorers show it. */
export const blockHashToHex = (hash: BlockHash): BlockHashHex => toDisplayHex(hash) as BlockHashHex;

/** 64 digits, byte-reversed, as nodes and explorers show it. */
export const txIdToHex = (txid: TxId): TxIdHex => toDisplayHex(txid) as TxIdHex;

/** 64 digits in the order of its bytes. */
export const nullifierToHex = (bytes: Nullifier): NullifierHex => bytesToHex(bytes) as NullifierHex;

/** The bytes as they are on the wire. Throws `FormatError`. */
export const blockHashFromHex = (hex: BlockHashHex): BlockHash => fromDisplayHex(hex) as BlockHash;

/** The bytes as they are on the wire. Throws `FormatError`. */
export const txIdFromHex = (hex: TxIdHex): TxId => fromDisplayHex(hex) as TxId;

/** The 32 bytes. Throws `FormatError`. */
export const nullifierFromHex = (hex: NullifierHex): Nullifier => hexToBytes(hex) as Nullifier;

/** A copy in separate memory, with the same kind. */
export const copyOf = <Kind extends Uint8Array>(bytes: Kind): Kind => Uint8Array.from(bytes) as Kind;

interface OutputName {
  readonly txid: TxIdHex;
  readonly pool: string;
  readonly outputIndex: number;
}

/** Names an output of the chain: one for all accounts that have its note. */
export const chainKey = ({ txid, pool, outputIndex }: OutputName): string => `${txid}:${pool}:${outputIndex}`;

/** Names the note of an account. */
export const noteKey = (note: OutputName & { readonly account: number }): string =>
  `${chainKey(note)}:${note.account}`;
