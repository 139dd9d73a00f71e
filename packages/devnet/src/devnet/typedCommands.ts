// The commands that people type to the devnet.
import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { MAX_BLOCKS } from './callInputs.ts';
import * as calls from './calls.ts';
import type { Playground } from './playground.ts';

export const TYPED_HELP = [
  'mine [COUNT]                          mine blocks, the first with what was sent',
  `pay ADDRESS POOL ZATOSHI [MEMO...]    somebody pays; mined at once (POOL: ${POOLS.join(', ')})`,
  'reward ADDRESS [MEMO...]              a shielded coinbase',
  'traffic OUTPUTS                       payments between strangers, so many outputs in each pool',
  'reorg DEPTH                           replace the top blocks by others, one more',
  'quit',
].join('\n');

function numberIn(text: string | undefined, max: number): number {
  if (text !== undefined && /^\d{1,16}$/.test(text) && Number(text) >= 1 && Number(text) <= max)
    return Number(text);
  throw new RangeError(`expected a number from 1 to ${max}`);
}

function poolNamed(text: string | undefined): Pool {
  const pool = POOLS.find((name) => name === text);
  if (!pool) throw new RangeError(`expected a pool: ${POOLS.join(', ')}`);
  return pool;
}

function addressIn(text: string | undefined): string {
  if (!text) throw new RangeError('expected an address');
  return text;
}

const memoOf = (words: readonly (string | undefined)[]) => {
  const memo = words.filter((word) => word !== undefined).join(' ');
  return memo === '' ? {} : { memo };
};

/** The answer to a line. */
export function obey(playground: Playground, line: string): string {
  try {
    return run(playground, line.trim().split(/\s+/));
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

const MAX_ZATOSHI = 2_100_000_000_000_000;

function run(playground: Playground, [command, first, second, third, ...rest]: readonly string[]): string {
  const tip = () => `tip ${playground.devnet.tip.height}`;
  switch (command) {
    case '':
      return tip();
    case 'mine':
      calls.mineBlocks(playground, { blocks: first === undefined ? 1 : numberIn(first, MAX_BLOCKS) });
      return tip();
    case 'pay': {
      const zatoshi = numberIn(third, MAX_ZATOSHI);
      calls.pay(playground, { address: addressIn(first), pool: poolNamed(second), zatoshi, ...memoOf(rest) });
      return tip();
    }
    case 'reward': {
      const coinbase = { address: addressIn(first), ...memoOf([second, third, ...rest]) };
      calls.mineBlocks(playground, { coinbase });
      return tip();
    }
    case 'traffic':
      calls.traffic(playground, { outputs: numberIn(first, 5_000) });
      return tip();
    case 'reorg': {
      const { fork_height } = calls.reorganise(playground, { depth: numberIn(first, MAX_BLOCKS) });
      return `forked at ${fork_height}, ${tip()}`;
    }
    default:
      return TYPED_HELP;
  }
}
