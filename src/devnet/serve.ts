// `wallet-companion devnet`: the devnet alone, to play with, by default on the ports where a companion on regtest expects
// its servers. Commands come line by line from standard input.
import { createInterface } from 'node:readline';
import { CompanionError } from '../protocol/errors.ts';
import { regtestParameters } from '../shielded/network.ts';
import { POOLS, type Pool } from '../shielded/pools.ts';
import { Devnet } from './devnet.ts';
import { poolsAt } from './poolsAt.ts';

const HELP = [
  'mine [COUNT]                          mine empty blocks',
  'pay ADDRESS POOL ZATOSHI [MEMO...]    somebody pays; mined at once (POOL: sapling, orchard, ironwood)',
  'reward ADDRESS [MEMO...]              a shielded coinbase',
  'traffic OUTPUTS                       a block with payments between strangers, in each pool',
  'reorg DEPTH                           replace the top blocks by others, one more',
  'quit',
];

class UsageError extends Error {}

function positiveInteger(text: string | undefined): number {
  if (text === undefined || !/^\d{1,9}$/.test(text) || text === '0')
    throw new UsageError('expected a number');
  return Number(text);
}

function poolNamed(text: string | undefined): Pool {
  const pool = POOLS.find((name) => name === text);
  if (!pool) throw new UsageError(`expected a pool: ${POOLS.join(', ')}`);
  return pool;
}

function addressIn(text: string | undefined): string {
  if (!text) throw new UsageError('expected an address');
  return text;
}

const memoOf = (words: readonly string[]) => (words.length === 0 ? {} : { memo: words.join(' ') });

/** What to answer to a line. */
function obey(devnet: Devnet, line: string): string {
  const [command, first, second, third, ...rest] = line.trim().split(/\s+/);
  const mined = () => `tip ${devnet.tip.height}`;
  switch (command) {
    case '':
      return mined();
    case 'mine':
      devnet.mineEmpty(first === undefined ? 1 : positiveInteger(first));
      return mined();
    case 'pay': {
      const payment = { pool: poolNamed(second), zatoshi: positiveInteger(third), ...memoOf(rest) };
      devnet.payTo(addressIn(first), payment);
      return mined();
    }
    case 'reward': {
      const memo = memoOf([second, third, ...rest].filter((word) => word !== undefined));
      devnet.mine({ coinbase: { address: addressIn(first), ...memo } });
      return mined();
    }
    case 'traffic': {
      const outputs = positiveInteger(first);
      const pools = poolsAt(devnet.params.activation, devnet.tip.height + 1);
      const counts = Object.fromEntries(pools.map((pool) => [pool, outputs]));
      devnet.mine({ transactions: [devnet.traffic(counts)] });
      return mined();
    }
    case 'reorg': {
      const { forkHeight } = devnet.reorganise(positiveInteger(first));
      return `forked at ${forkHeight}, ${mined()}`;
    }
    default:
      return HELP.join('\n');
  }
}

export interface DevnetServing {
  readonly nodePort: number;
  readonly compactPort: number;
  readonly ironwoodHeight: number;
  readonly seed: string;
}

/** Its own node or server may be running: that is said, and is no fault of ours. */
async function free(listening: Promise<string>): Promise<string> {
  try {
    return await listening;
  } catch (cause) {
    throw new CompanionError(
      'INVALID_REQUEST',
      'A port that the devnet was to listen on cannot be had; is a node running? Choose others with --node-port and --compact-port (0 picks a free one).',
      { cause },
    );
  }
}

/** Until `quit`, the end of input or Ctrl-C. */
export async function serveDevnet(options: DevnetServing): Promise<void> {
  const params = regtestParameters({ nu6_3: options.ironwoodHeight });
  const devnet = new Devnet({ params, seed: options.seed });
  try {
    console.log(`node            ${await free(devnet.node.listen({ port: options.nodePort }))}`);
    console.log(`compact server  ${await free(devnet.compact.listen({ port: options.compactPort }))}`);
    console.log(HELP.join('\n'));
    const lines = createInterface({ input: process.stdin });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => lines.close());
    for await (const line of lines) {
      if (line.trim() === 'quit') break;
      try {
        console.log(obey(devnet, line));
      } catch (thrown) {
        console.log(thrown instanceof Error ? thrown.message : String(thrown));
      }
    }
  } finally {
    await devnet.close();
  }
}
