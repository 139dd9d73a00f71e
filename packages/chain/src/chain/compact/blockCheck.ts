// What a compact block alone does not show: that its tree sizes go on from the block before, and that its server leaves no pool out.

import type { Height } from '@wallet-companion/base/values';
import type { CompactBlockSummary } from '@wallet-companion/zcash/blocks';
import type { TreeState } from '@wallet-companion/zcash/compactProto';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { POOL, POOLS, type Pool, type TreeSizes } from '@wallet-companion/zcash/pools';
import { addLeaves, equalSizes, leafCount } from '@wallet-companion/zcash/trees';
import { badAnswer, serverAt, unfitBlocks } from './compactFailure.ts';

const YOUNG_POOLS = POOLS.filter((pool) => POOL[pool].oldServersOmit);

/** Blocks after a pool's activation within which its empty tree is believed without a tree state from the server. */
const BELIEVABLE_EMPTY_BLOCKS = 1_000;

export class BlockCheck {
  readonly #host: string;
  readonly #parameters: NetworkParameters;
  /** Null when the server does not offer it or does not have it. */
  readonly #treeState: (height: Height) => Promise<TreeState | null>;
  /** The pools that the server is known to send. */
  readonly #sent = new Set<Pool>();

  constructor(
    host: string,
    parameters: NetworkParameters,
    treeState: (height: Height) => Promise<TreeState | null>,
  ) {
    this.#host = host;
    this.#parameters = parameters;
    this.#treeState = treeState;
  }

  /** Another server may have replaced this one behind the same URL. */
  forget(): void {
    this.#sent.clear();
  }

  /** Sizes of 0 in every pool may mean that the server does not fill them in. */
  treeSizes(previous: TreeSizes | undefined, { height, counts, chainMetadata }: CompactBlockSummary): void {
    if (chainMetadata === undefined || leafCount(chainMetadata) === 0) return;
    if (previous === undefined || leafCount(previous) === 0) return;
    if (!equalSizes(addLeaves(previous, counts), chainMetadata)) {
      throw unfitBlocks(
        serverAt(this.#host),
        `gave tree sizes in block ${height} that do not fit its outputs and the block before it`,
      );
    }
  }

  async pools(block: CompactBlockSummary): Promise<void> {
    for (const pool of YOUNG_POOLS) await this.#pool(pool, block);
  }

  /**
   * A server older than the pool would return blocks without all of its notes, with no other sign than an empty tree. A
   * tree state shows it: a server that knows the pool has one for it, possibly empty, and others have none.
   */
  async #pool(pool: Pool, { height, counts, chainMetadata }: CompactBlockSummary): Promise<void> {
    const { name, activation: upgrade } = POOL[pool];
    const activation = this.#parameters.activation[upgrade];
    if (this.#sent.has(pool) || activation === undefined || height < activation) return;
    if (counts[pool] > 0 || (chainMetadata?.[pool] ?? 0) > 0) {
      this.#sent.add(pool);
      return;
    }
    const state = await this.#treeState(height);
    const unaware =
      state === null
        ? this.#parameters.network !== 'regtest' && height >= activation + BELIEVABLE_EMPTY_BLOCKS
        : state[`${pool}Tree`] === '' && POOLS.some((other) => state[`${other}Tree`] !== '');
    if (unaware) {
      throw badAnswer(
        this.#host,
        `does not send ${name} data, so notes from height ${activation} on would be missed; use a newer server`,
      );
    }
    if (state !== null) this.#sent.add(pool);
  }
}
