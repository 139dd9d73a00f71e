// Checks with the chain node what a compact server sent. A compact block's hash covers none of its outputs, so both the
// hash and the sizes of the note commitment trees are compared, after every commit's last block and before the first one.

import { lowestNotHolding } from '@wallet-companion/base/async';
import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { BlockTreeSizes } from '@wallet-companion/chain/ports';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import { equalSizes } from '@wallet-companion/zcash/trees';
import { CompanionError } from '../../../protocol/errors.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';

/** `unknown`: above the node's tip. */
type Verdict = 'confirmed' | 'unknown' | 'other block' | 'other sizes';

/** The lowest block found that the node does not confirm. */
export interface Doubt {
  readonly height: Height;
  readonly verdict: Exclude<Verdict, 'confirmed'>;
}

type ReportedBlock = BlockTreeSizes & { readonly height: Height };

export interface Confirmation {
  /** The confirmed blocks below the doubtful one. */
  readonly confirmed: readonly ScannedBlock[];
  readonly doubt: Doubt | undefined;
}

export class NodeWitness {
  readonly #ask: (height: Height) => Promise<BlockTreeSizes | null>;
  readonly #saplingActivation: Height;
  /** The block that was confirmed last. */
  #confirmedLast: BlockHash | undefined;

  /** `ask`: the node's block at a height, null above its tip. */
  constructor(ask: (height: Height) => Promise<BlockTreeSizes | null>, saplingActivation: Height) {
    this.#ask = ask;
    this.#saplingActivation = saplingActivation;
  }

  /** Consecutive blocks. Throws only errors of `ask`. */
  async confirm(blocks: readonly ScannedBlock[], sizesBefore: TreeSizes): Promise<Confirmation> {
    const first = blocks[0]!;
    if (!this.#follows(first)) {
      const before = { height: first.height - 1, hash: first.prevHash, treeSizes: sizesBefore };
      const doubt = await this.#lowestDoubt([before]);
      if (doubt !== undefined) return { confirmed: [], doubt };
    }
    const doubt = await this.#lowestDoubt(blocks);
    const confirmed = doubt === undefined ? blocks : blocks.slice(0, doubt.height - first.height);
    this.#confirmedLast = confirmed.at(-1)?.hash ?? this.#confirmedLast;
    return { confirmed, doubt };
  }

  /**
   * The lowest block kept from earlier scans that the node denies. Every stretch is compared: an upper one may come from
   * another server.
   */
  async lowestDenied(noteStore: NoteStore): Promise<Doubt | undefined> {
    for (const stretch of noteStore.stretches) {
      const doubt = await this.#lowestDoubt(stretch.map((height) => noteStore.block(height)!));
      if (doubt !== undefined && doubt.verdict !== 'unknown') return doubt;
    }
    return undefined;
  }

  /** The trees are empty before Sapling. */
  #follows({ height, prevHash }: ScannedBlock): boolean {
    if (height <= this.#saplingActivation) return true;
    return this.#confirmedLast !== undefined && equalBytes(prevHash, this.#confirmedLast);
  }

  /** `reported` ascend; the node is asked about the last one first, and if that is confirmed, about no other. */
  async #lowestDoubt(reported: readonly ReportedBlock[]): Promise<Doubt | undefined> {
    const last = reported.length - 1;
    let doubt: Doubt | undefined;
    const isConfirmed = async (index: number): Promise<boolean> => {
      const block = reported[index]!;
      const verdict = await this.#verdict(block);
      // Halving goes on below each block that is not confirmed.
      if (verdict !== 'confirmed') doubt = { height: block.height, verdict };
      return verdict === 'confirmed';
    };
    if (!(await isConfirmed(last))) await lowestNotHolding(0, last, isConfirmed);
    return doubt;
  }

  async #verdict({ height, hash, treeSizes }: ReportedBlock): Promise<Verdict> {
    const theirs = await this.#ask(height);
    if (theirs === null) return 'unknown';
    if (!equalBytes(theirs.hash, hash)) return 'other block';
    return equalSizes(theirs.treeSizes, treeSizes) ? 'confirmed' : 'other sizes';
  }
}

export function refusalOf({ verdict, height }: Doubt): CompanionError {
  if (verdict === 'unknown') {
    return new CompanionError(
      'NODE_BEHIND',
      `The chain node has no block ${height} to verify the compact server's with. Wait until it has caught up, or point to another one.`,
    );
  }
  const difference =
    verdict === 'other block'
      ? `The compact server and the chain node have different blocks at height ${height}: one of them is on another branch, or the chain is moving`
      : `The compact server's blocks and the chain node differ at height ${height}: the note commitment trees have other sizes after that block, so outputs are left out or made up there or below`;
  return new CompanionError(
    'COMPACT_SERVER_BAD_RESPONSE',
    `${difference}. Nothing of it counts as scanned; sync from the node, or use another compact server.`,
  );
}
