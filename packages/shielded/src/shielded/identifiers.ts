// What blocks, transactions and notes are called. Each kind is a type of its own, and so is each way to write it down:
// bytes as they are on the wire, or the hex that people and nodes exchange. Here is the only place where one becomes
// the other. Nothing of it exists at run time.

import type { Marked } from '../values/kind.ts';
import { bytesToHex, hexToBytes } from './bytes.ts';

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

/** Says of 32 bytes from the wire what they are. */
export const asBlockHash = (bytes: Uint8Array): BlockHash => bytes as BlockHash;
export const asTxId = (bytes: Uint8Array): TxId => bytes as TxId;
export const asNullifier = (bytes: Uint8Array): Nullifier => bytes as Nullifier;

/** Says of hex that was kept or written by us what it is. */
export const asBlockHashHex = (hex: string): BlockHashHex => hex as BlockHashHex;
export const asTxIdHex = (hex: string): TxIdHex => hex as TxIdHex;
export const asNullifierHex = (hex: string): NullifierHex => hex as NullifierHex;

/** What else nodes show byte-reversed: roots, commitments, nonces. */
export const toDisplayHex = (bytes: Uint8Array): string => bytesToHex(Uint8Array.from(bytes).reverse());
export const fromDisplayHex = (hex: string): Uint8Array => hexToBytes(hex).reverse();

export const blockHashToHex = (hash: BlockHash): BlockHashHex => toDisplayHex(hash) as BlockHashHex;
export const txIdToHex = (txid: TxId): TxIdHex => toDisplayHex(txid) as TxIdHex;
export const nullifierToHex = (bytes: Nullifier): NullifierHex => bytesToHex(bytes) as NullifierHex;

export const blockHashFromHex = (hex: BlockHashHex): BlockHash => fromDisplayHex(hex) as BlockHash;
export const txIdFromHex = (hex: TxIdHex): TxId => fromDisplayHex(hex) as TxId;
export const nullifierFromHex = (hex: NullifierHex): Nullifier => hexToBytes(hex) as Nullifier;

/** A copy in memory of its own, and still of the same kind. */
export const copyOf = <Kind extends Uint8Array>(bytes: Kind): Kind => Uint8Array.from(bytes) as Kind;
