// Finds the notes of an account among the notes that the devnet made: it knows the recipient and value of each, and the
// account's viewing keys identify its recipients and give the nullifiers. No note that the devnet made is decrypted, so
// a scan can be compared with the result; notes of sent transactions are decrypted (sentNotes.ts).
import { equalBytes, leBytesToBigint } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { type Nullifier, toDisplayHex } from '@wallet-companion/zcash/identifiers';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { type AnyNoteScheme, ORCHARD, SAPLING } from '@wallet-companion/zcash/notes';
import { POOL, type Pool, type ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { addLeaves } from '@wallet-companion/zcash/trees';
import type { BlockTree } from './blockTree.ts';
import type { BuiltTransaction, CreatedNote } from './builtTransaction.ts';
import { notesFor } from './sentNotes.ts';

export interface OwnedNote {
  readonly note: CreatedNote;
  readonly key: IncomingKey;
  readonly transaction: BuiltTransaction;
  /** Where the note was mined; undefined for a note of an unmined transaction. */
  readonly mined:
    | { readonly height: Height; readonly txIndex: number; readonly position: number }
    | undefined;
  /** Undefined for an unmined Sapling note and for incoming-only keys. */
  readonly nullifier: Nullifier | undefined;
  /** The spend on the best chain. */
  readonly spent: { readonly height: Height; readonly transaction: BuiltTransaction } | undefined;
}

interface OwnedOf {
  readonly note: CreatedNote;
  readonly key: IncomingKey;
}

/** Recipients are the same in all pools of a protocol. */
const SCHEME: Readonly<Record<ShieldedProtocol, AnyNoteScheme>> = { sapling: SAPLING, orchard: ORCHARD };

/** Whether the 43-byte address belongs to the key. */
export function ownsRecipient(key: IncomingKey, recipient: Uint8Array): boolean {
  const scheme = SCHEME[key.protocol];
  const gd = scheme.diversifyHash(recipient.subarray(0, 11));
  if (gd === undefined) return false;
  const [pkd] = scheme.multiply(gd, [scheme.prepareScalar(leBytesToBigint(key.ivk))]);
  return pkd !== undefined && equalBytes(scheme.encode(pkd), recipient.subarray(11));
}

export class OwnedNotes {
  readonly #blocks: BlockTree;
  readonly #keys: readonly IncomingKey[];
  readonly #params: NetworkParameters;
  readonly #owners = new WeakMap<CreatedNote, IncomingKey | 'nobody'>();
  readonly #decrypted = new WeakMap<BuiltTransaction, OwnedOf[]>();

  constructor(blocks: BlockTree, keys: readonly IncomingKey[], params: NetworkParameters) {
    this.#blocks = blocks;
    this.#keys = keys;
    this.#params = params;
  }

  /** Notes on the best chain, in the order of the chain and of the pools in a transaction. */
  mined(): OwnedNote[] {
    const notes: Omit<OwnedNote, 'spent'>[] = [];
    const spends = new Map<string, { height: Height; transaction: BuiltTransaction }>();
    for (const block of this.#blocks.blocks) {
      let sizes = block.treeSizesBefore;
      block.transactions.forEach((transaction, txIndex) => {
        const { height } = block;
        for (const { pool, nullifier } of transaction.spends) {
          spends.set(nullifierName(pool, nullifier), { height, transaction });
        }
        for (const { note, key } of this.#ownedIn(transaction, height)) {
          const position = sizes[note.pool] + note.outputIndex;
          const nullifier = key.nk && note.nullifier(key.nk, position);
          notes.push({ note, key, transaction, mined: { height, txIndex, position }, nullifier });
        }
        sizes = addLeaves(sizes, transaction.leafCounts);
      });
    }
    return notes.map((owned) => ({
      ...owned,
      spent: owned.nullifier && spends.get(nullifierName(owned.note.pool, owned.nullifier)),
    }));
  }

  /** Notes of a transaction that may not be mined. */
  in(transaction: BuiltTransaction): OwnedNote[] {
    return this.#ownedIn(transaction, this.#blocks.tip.height + 1).map(({ note, key }) => ({
      note,
      key,
      transaction,
      mined: undefined,
      nullifier: POOL[note.pool].hasRho ? key.nk && note.nullifier(key.nk, 0) : undefined,
      spent: undefined,
    }));
  }

  #ownedIn(transaction: BuiltTransaction, height: Height): OwnedOf[] {
    if (transaction.isSent) {
      const found =
        this.#decrypted.get(transaction) ?? notesFor(this.#keys, transaction, height, this.#params);
      this.#decrypted.set(transaction, found);
      return found;
    }
    return transaction.notes.flatMap((note) => {
      let owner = this.#owners.get(note);
      if (!owner) {
        const { protocol } = POOL[note.pool];
        owner =
          this.#keys.find((key) => key.protocol === protocol && ownsRecipient(key, note.recipient)) ??
          'nobody';
        this.#owners.set(note, owner);
      }
      return owner === 'nobody' ? [] : [{ note, key: owner }];
    });
  }
}

const nullifierName = (pool: Pool, nullifier: Nullifier): string => `${pool} ${toDisplayHex(nullifier)}`;
