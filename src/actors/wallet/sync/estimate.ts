// How long a scan will take and how much it will receive, before it begins: a person who restores a wallet decides by it
// which birthday to give, and whether to leave the computer on.

import type { Height } from '@wallet-companion/base/values';
import type { Source } from '@wallet-companion/chain/ports';
import { dueTip, ExpectedOutputs } from '@wallet-companion/zcash/blocks';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import { BIRTHDAY_BELOW_TIP } from '../../../protocol/syncRange.ts';
import { blockSource, rememberedSource } from '../source/blockSource.ts';
import { requestedBirthday, soon } from './birthday.ts';
import type { SyncContext } from './scans.ts';
import { workOf } from './scanWork.ts';

/** Of one core for a unit of work: 52 to 100 us were measured (docs/inside/performance.md). */
const SECONDS_PER_WORK = 75e-6;
/** For each leaf joined into the trees of peers' blocks: 1.64 ms were measured. */
const SECONDS_PER_LEAF = 1.64e-3;
/** Bytes. Compact blocks: some 120 to 150 an output, and about 300 for what else a block has. */
const COMPACT = { output: 135, block: 300 };

/** Full blocks since 2025, as peers give them: mostly Orchard's and Ironwood's actions, with their share of proofs, and header and coinbase. */
const FULL = { output: 3_900, block: 2_400 };

/** Without a birthday: of what the wallet has not scanned, or of a new wallet. Asks the source of blocks for its tip. */
export async function estimateScan(
  { environment, params, configuration }: SyncContext,
  input: Input<'sync.estimate'>,
): Promise<Output<'sync.estimate'>> {
  const { clock, walletFile, scanThreads = 1 } = environment;
  const requested = requestedBirthday(params, input, clock.now());
  const source = input.source ?? (await blockSource(environment));
  const tip = await tipOf(environment, params, source);
  const { sapling } = params.activation;
  const known = requested === undefined && walletFile.exists() ? configuration.current() : undefined;
  const start = Math.max(
    sapling,
    requested?.birthdayHeight ??
      (known === undefined ? tip - BIRTHDAY_BELOW_TIP : known.last_scan_height + 1),
  );
  const isBegun = known !== undefined && start > (known.birthday_height ?? 0);
  const first = source === 'peers' && !isBegun ? await readFrom(environment, start) : start;
  const expected = new ExpectedOutputs(params.network, sapling, []);
  const toRead = (from: Height) => {
    const blocks = Math.max(0, tip - from + 1);
    const outputs = blocks === 0 ? 0 : Math.round(expected.upTo(tip) - expected.upTo(from - 1));
    return { blocks, outputs };
  };
  const { blocks, outputs } = toRead(start);
  const read = toRead(first);
  // Blocks below the birthday are read for their number of leaves, and again for the trees.
  const received = { blocks: 2 * read.blocks - blocks, outputs: 2 * read.outputs - outputs };
  const joining = source === 'peers' ? read.outputs * SECONDS_PER_LEAF : 0;
  return {
    start_height: start,
    chain_tip: tip,
    read_from_height: first,
    blocks,
    outputs,
    megabytes: megabytesOf(source, received),
    seconds: inTenths((workOf(blocks, outputs) * SECONDS_PER_WORK) / scanThreads + joining),
    source,
  };
}

/** Peers are asked where blocks come from them, and may first read headers for minutes: the clock shows the tip meanwhile. */
async function tipOf(
  environment: SyncContext['environment'],
  params: NetworkParameters,
  source: Source,
): Promise<Height> {
  const { chain, clock, configFile } = environment;
  const due = source === 'peers' ? dueTip(params, clock.now() / 1_000) : undefined;
  if (due === undefined) return (await chain.tip({ source })).height;
  if (rememberedSource(configFile.get()) !== 'peers') return due;
  const shown = await soon(environment, () => chain.tip({ source })).catch((error: unknown) => {
    if (error instanceof CompanionError && error.code === 'PEERS_UNREACHABLE') return undefined;
    throw error;
  });
  return shown?.height ?? due;
}

/** Throws `PEERS_BAD_RESPONSE` where peers cannot be read for a wallet so old. */
async function readFrom({ chain }: SyncContext['environment'], birthday: Height): Promise<Height> {
  const first = await chain.peersFrom({ birthday });
  if (first !== null) return first;
  throw new CompanionError(
    'PEERS_BAD_RESPONSE',
    'Peers of the network give no note commitment trees, and none so old come with this program. Read a wallet with this birthday from a compact server or a node first; peers can follow then.',
  );
}

function megabytesOf(
  source: Source,
  { blocks, outputs }: { readonly blocks: number; readonly outputs: number },
): number | null {
  switch (source) {
    case 'node':
      return null;
    case 'compact':
      return inTenths((outputs * COMPACT.output + blocks * COMPACT.block) / 1e6);
    case 'peers':
      return inTenths((outputs * FULL.output + blocks * FULL.block) / 1e6);
  }
}

const inTenths = (value: number): number => Math.ceil(value * 10) / 10;
