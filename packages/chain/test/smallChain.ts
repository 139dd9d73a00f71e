// Chains of headers with real work of a small problem, and what a node that has one answers.
import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { Equihash } from '@wallet-companion/kernel/equihash';
import { loadEquihash } from '@wallet-companion/kernel/kernelLoad';
import { parseHeader } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import { ownWork } from '@wallet-companion/zcash/work';
import { HeaderChain, type HeaderChainParts } from '../src/chain/headers/headerChain.ts';
import type { ReceivedHeader } from '../src/chain/peers/messages.ts';

interface Fork {
  readonly from_height: number;
  readonly headers: string[];
}
export const small = readVectors<{
  meta: { target_limit: string; heights: { Blossom: number; NU7: number } };
  cases: { header: string; time: number }[];
  few_blocks_more_work: Fork;
  many_blocks_less_work: Fork;
}>('peers/small_chain');

/** A header as it arrives. */
export const received = (bytes: Uint8Array): ReceivedHeader => ({ header: parseHeader(bytes), bytes });
const ofHex = (hex: readonly string[]) => hex.map((one) => received(hexToBytes(one)));
export const main = ofHex(small.cases.map(({ header }) => header));
/** Two branches: fewer blocks with more work than the other. */
export const few = ofHex(small.few_blocks_more_work.headers);
export const many = ofHex(small.many_blocks_less_work.headers);
/** The last height that all share. */
export const FORK = small.few_blocks_more_work.from_height;
/** When the longest ends, in milliseconds since 1970. */
export const END = small.cases.at(-1)!.time * 1_000;

const PROBLEM = { n: 48, k: 5 };
const equihash = new Equihash(await loadEquihash(), PROBLEM);
const { Blossom: blossom, NU7: nu7 } = small.meta.heights;
const { activation } = regtestParameters({ sapling: 0, blossom, nu7 });
const rules = ownWork(activation, BigInt(`0x${small.meta.target_limit}`), PROBLEM);

export const chainParts = {
  rules,
  solves: (input: Uint8Array, solution: Uint8Array) => equihash.solves(input, solution),
  now: () => END,
};

/** `trusted`: the headers from genesis on that it begins with. */
export function fromGenesis(overrides: Partial<HeaderChainParts> = {}, trusted = 1): HeaderChain {
  return new HeaderChain({
    ...chainParts,
    start: { height: 0, headers: main.slice(0, trusted).map(({ header }) => header) },
    ...overrides,
  });
}

/** Answers as nodes do: what follows the first hash that it knows. */
export function nodeWith(chain: readonly ReceivedHeader[]) {
  const places = new Map(chain.map(({ header }, place) => [bytesToHex(header.hash), place]));
  const answer = (locator: readonly BlockHash[]): readonly ReceivedHeader[] => {
    const known = locator.map((hash) => places.get(bytesToHex(hash))).find((place) => place !== undefined);
    return chain.slice((known ?? -1) + 1, (known ?? -1) + 161);
  };
  return { answer, headers: (locator: readonly BlockHash[]) => Promise.resolve([...answer(locator)]) };
}
