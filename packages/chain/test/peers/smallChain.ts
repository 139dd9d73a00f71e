// Chains of headers with real work of a small problem, and what a node that has one answers.
import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { Equihash } from '@wallet-companion/kernel/equihash';
import { loadEquihash } from '@wallet-companion/kernel/kernelLoad';
import { parseHeader } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import { ownWork } from '@wallet-companion/zcash/work';
import { HeaderChain } from '../../src/chain/headers/headerChain.ts';
import type { ReceivedHeader } from '../../src/chain/peers/messages.ts';

interface Fork {
  readonly from_height: number;
  readonly headers: string[];
}
export const small = readVectors<{
  meta: { target_limit: string; heights: { Blossom: number; NU7: number } };
  cases: { header: string; time: number }[];
  many_blocks_less_work: Fork;
}>('peers/small_chain');
/** A header as it arrives. */
export const received = (hex: string): ReceivedHeader => {
  const bytes = hexToBytes(hex);
  return { header: parseHeader(bytes), bytes };
};
export const main = small.cases.map(({ header }) => received(header));
/** The last height that both share. */
export const FORK = small.many_blocks_less_work.from_height;
/** With less work. */
export const branch = [...main.slice(0, FORK + 1), ...small.many_blocks_less_work.headers.map(received)];

const equihash = new Equihash(await loadEquihash(), { n: 48, k: 5 });
const { Blossom: blossom, NU7: nu7 } = small.meta.heights;
const { activation } = regtestParameters({ sapling: 0, blossom, nu7 });
export const fromGenesis = (now = small.cases.at(-1)!.time): HeaderChain =>
  new HeaderChain({
    rules: ownWork(activation, BigInt(`0x${small.meta.target_limit}`), { n: 48, k: 5 }),
    start: { height: 0, headers: [main[0]!.header] },
    solves: (input, solution) => equihash.solves(input, solution),
    now: () => 1_000 * now,
  });

/** Answers as nodes do: what follows the first hash that it knows. */
export function nodeWith(chain: readonly ReceivedHeader[]) {
  const places = new Map(chain.map(({ header }, place) => [bytesToHex(header.hash), place]));
  const answer = (locator: readonly BlockHash[]): readonly ReceivedHeader[] => {
    const known = locator.map((hash) => places.get(bytesToHex(hash))).find((place) => place !== undefined);
    return chain.slice((known ?? -1) + 1, (known ?? -1) + 161);
  };
  return { answer, headers: (locator: readonly BlockHash[]) => Promise.resolve([...answer(locator)]) };
}
