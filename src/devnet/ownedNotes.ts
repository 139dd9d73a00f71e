// Which of the notes that a devnet made belong to an account: the devnet knows recipient and value of each, and the account's
// viewing keys say which recipients are its own and what the nullifiers are. Nothing is decrypted here, so this is an answer
// to compare a scan with.
import { equalBytes, leBytesToBigint, toDisplayHex } from '../shielded/bytes.ts';
import type { IncomingKey } from '../shielded/keys/decryptionKeys.ts';
import type { NoteScheme } from '../shielded/notes/noteScheme.ts';
import { ORCHARD } from '../shielded/notes/orchardScheme.ts';
import { SAPLING } from '../shielded/notes/saplingScheme.ts';
import { POOLS, type Pool } from '../shielded/pools.ts';
import type { BlockTree } from './blockTree.ts';
import type { BuiltTransaction, CreatedNote } from './builtTransaction.ts';

export interface OwnedNote {
  readonly note: CreatedNote;
  readonly key: IncomingKey;
  readonly transaction: BuiltTransaction;
  /** Where it was mined; undefined for a note of a transaction in no block. */
  readonly mined:
    | { readonly height: number; readonly txIndex: number; readonly position: number }
    | undefined;
  /** Undefined for an unmined Sapling note and for incoming-only keys. */
  readonly nullifier: Uint8Array | undefined;
  /** On the best chain. */
  readonly spent: { readonly height: number; readonly transaction: BuiltTransaction } | undefined;
}

/** Whether the 43-byte address is one of the key's. */
export function ownsRecipient(key: IncomingKey, recipient: Uint8Array): boolean {
  return key.protocol === 'sapling'
    ? ownsWith(SAPLING, key.ivk, recipient)
    : ownsWith(ORCHARD, key.ivk, recipient);
}

function ownsWith<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  ivk: Uint8Array,
  recipient: Uint8Array,
): boolean {
  const gd = scheme.diversifyHash(recipient.subarray(0, 11));
  if (gd === undefined) return false;
  const [pkd] = scheme.multiply(gd, [scheme.prepareScalar(leBytesToBigint(ivk))]);
  return pkd !== undefined && equalBytes(scheme.encode(pkd), recipient.subarray(11));
}

const protocolOf = (pool: Pool): IncomingKey['protocol'] => (pool === 'sapling' ? 'sapling' : 'orchard');

export class OwnedNotes {
  readonly #blocks: BlockTree;
  readonly #keys: readonly IncomingKey[];
  readonly #owners = new WeakMap<CreatedNote, IncomingKey | 'nobody'>();

  constructor(blocks: BlockTree, keys: readonly IncomingKey[]) {
    this.#blocks = blocks;
    this.#keys = keys;
  }

  /** Notes on the best chain, in the order of the chain and of the pools in a transaction. */
  mined(): OwnedNote[] {
    const notes: Omit<OwnedNote, 'spent'>[] = [];
    const spends = new Map<string, { height: number; transaction: BuiltTransaction }>();
    for (const block of this.#blocks.blocks) {
      const sizes = { ...block.treeSizesBefore };
      block.transactions.forEach((transaction, txIndex) => {
        const { height } = block;
        for (const { pool, nullifier } of transaction.spends) {
          spends.set(nullifierName(pool, nullifier), { height, transaction });
        }
        for (const { note, key } of this.#ownedIn(transaction)) {
          const position = sizes[note.pool] + note.outputIndex;
          const nullifier = key.nk && note.nullifier(key.nk, position);
          notes.push({ note, key, transaction, mined: { height, txIndex, position }, nullifier });
        }
        for (const pool of POOLS) sizes[pool] += transaction.leafCounts[pool];
      });
    }
    return notes.map((owned) => ({
      ...owned,
      spent: owned.nullifier && spends.get(nullifierName(owned.note.pool, owned.nullifier)),
    }));
  }

  /** Notes of a transaction that need not be mined. */
  in(transaction: BuiltTransaction): OwnedNote[] {
    return this.#ownedIn(transaction).map(({ note, key }) => ({
      note,
      key,
      transaction,
      mined: undefined,
      nullifier: note.pool === 'sapling' ? undefined : key.nk && note.nullifier(key.nk, 0),
      spent: undefined,
    }));
  }

  #ownedIn(transaction: BuiltTransaction): { note: CreatedNote; key: IncomingKey }[] {
    return transaction.notes.flatMap((note) => {
      let owner = this.#owners.get(note);
      if (!owner) {
        const protocol = protocolOf(note.pool);
        owner =
          this.#keys.find((key) => key.protocol === protocol && ownsRecipient(key, note.recipient)) ??
          'nobody';
        this.#owners.set(note, owner);
      }
      return owner === 'nobody' ? [] : [{ note, key: owner }];
    });
  }
}

const nullifierName = (pool: Pool, nullifier: Uint8Array): string => `${pool} ${toDisplayHex(nullifier)}`;
