// Random reorganisations while wallets read from different heights to one tip: what a wallet gets is one chain, and no
// call asks a server without end.

import { equalBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import type { BlockStream } from '@wallet-companion/chain/ports';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import test from 'ava';
import { type RangeReader, SharedRanges } from '#chain/ranges/sharedRanges';
import { seededRandom } from '../helpers/seededRandom.ts';

const TIP = 60;
/** A wallet joins another one's run, or opens one, and then one of its own. */
const MOST_OPENED = 3;

class MovingChain {
  /** Each replaced the blocks from that height on. */
  readonly reorganisations: number[] = [];
  readonly held = {};
  openedInCall = 0;

  readonly hash = (height: number): BlockHash => {
    const branch = 1 + this.reorganisations.findLastIndex((lowest) => lowest <= height);
    return Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? height : branch)) as BlockHash;
  };

  /** Fails as a node does whose chain moves between two of its blocks. */
  readonly open = (start: number, end: number): BlockStream => {
    if (++this.openedInCall > MOST_OPENED) throw new Error('asks without end');
    let next = start;
    let last: BlockHash | undefined;
    return {
      next: async () => {
        if (next > end) return null;
        if (last !== undefined && !equalBytes(last, this.hash(next - 1))) throw new Error('moved');
        const heights = Array.from({ length: Math.min(4, end - next + 1) }, (_, i) => next + i);
        next += heights.length;
        last = this.hash(next - 1);
        const blocks = heights.map((height, offset) => ({
          height,
          hash: this.hash(height),
          prevHash: this.hash(height - 1),
          ...{ offset, length: 1, treeSizes: poolSizes({ sapling: height }), outputCount: 1 },
        }));
        return { format: 'raw', buffer: Uint8Array.from(heights).buffer, blocks };
      },
      close: () => undefined,
    };
  };
}

/** A wallet that begins anew whenever its range ends before the tip. */
class Wallet {
  seen: BlockHash[] = [];
  #reader: RangeReader | undefined;
  #reorganisations = 0;
  readonly #chain: MovingChain;
  readonly #ranges: SharedRanges;
  readonly #start: number;

  constructor(chain: MovingChain, ranges: SharedRanges, start: number) {
    this.#chain = chain;
    this.#ranges = ranges;
    this.#start = start;
  }

  get isDone(): boolean {
    return this.seen.length === TIP - this.#start + 1;
  }

  /** The chain moved after its range was opened. */
  get isOld(): boolean {
    return this.#reorganisations < this.#chain.reorganisations.length;
  }

  async step(): Promise<void> {
    const { hash, reorganisations, held, open } = this.#chain;
    this.#chain.openedInCall = 0;
    if (this.#reader === undefined) {
      this.seen = [];
      this.#reorganisations = reorganisations.length;
      this.#reader = this.#ranges.open(
        { start: this.#start, end: TIP, tip: { height: TIP, hash: hash(TIP) } },
        { place: this.#chain, offline: false, held, open },
      );
    }
    const batch = await this.#reader.next().catch((error: Error) => {
      if (error.message !== 'moved') throw error;
      return null;
    });
    for (const { prevHash, hash } of batch?.blocks ?? []) {
      if (this.seen.length > 0 && !equalBytes(prevHash, this.seen.at(-1)!)) throw new Error('two chains');
      this.seen.push(hash.slice() as BlockHash);
    }
    if (batch !== null && !this.isDone) return;
    this.#reader.close();
    this.#reader = undefined;
    if (!this.isDone && !this.isOld) throw new Error('ended early for no reason');
  }
}

for (let seed = 0; seed < runs(20, 3_000); seed++)
  test(`wallets at several heights on a chain that moves, ${seed}`, async (t) => {
    const bytes = seededRandom(`ranges ${seed}`);
    const below = (limit: number): number => Buffer.from(bytes(2)).readUInt16LE() % limit;
    const chain = new MovingChain();
    const ranges = new SharedRanges(
      () => true,
      () => () => undefined,
    );
    const wallets = Array.from({ length: 4 }, () => new Wallet(chain, ranges, 1 + below(TIP - 1)));
    for (let step = 0; step < 80; step++) {
      if (below(6) === 0) chain.reorganisations.push(1 + below(TIP));
      await wallets[below(wallets.length)]!.step();
    }
    for (const wallet of wallets) {
      while (!wallet.isDone || wallet.isOld) await wallet.step();
      const kept = Array.from({ length: wallet.seen.length }, (_, i) =>
        chain.hash(TIP + 1 - wallet.seen.length + i),
      );
      t.deepEqual(wallet.seen, kept);
    }
  });
