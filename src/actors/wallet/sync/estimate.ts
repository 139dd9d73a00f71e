// How long a scan will take and how much it will receive, before it begins: a person who restores a wallet decides by it
// which birthday to give, and whether to leave the computer on.

import { ExpectedOutputs } from '@wallet-companion/zcash/blocks';
import type { Input, Output } from '../../../protocol/operations.ts';
import { BIRTHDAY_BELOW_TIP } from '../../../protocol/syncRange.ts';
import { blockSource } from '../source/blockSource.ts';
import { requestedBirthday } from './birthday.ts';
import type { SyncContext } from './scans.ts';
import { workOf } from './scanWork.ts';

/** Of one core for a unit of work: 52 to 100 us were measured (docs/inside/performance.md). */
const SECONDS_PER_WORK = 75e-6;
/** Of compact blocks: some 120 to 150 bytes an output, and about 300 for what else a block has. */
const BYTES_PER_OUTPUT = 135;
const BYTES_PER_BLOCK = 300;

/** Asks the source of blocks for its tip. Without a birthday: of what the wallet has not scanned, or of a new wallet. */
export async function estimateScan(
  { environment, params, configuration }: SyncContext,
  input: Input<'sync.estimate'>,
): Promise<Output<'sync.estimate'>> {
  const { chain, clock, walletFile, scanThreads = 1 } = environment;
  const requested = requestedBirthday(params, input, clock.now());
  const source = await blockSource(environment);
  const { height: tip } = await chain.tip({ source });
  const { sapling } = params.activation;
  const start = Math.max(
    sapling,
    requested?.birthdayHeight ??
      (walletFile.exists() ? configuration.current().last_scan_height + 1 : tip - BIRTHDAY_BELOW_TIP),
  );
  const blocks = Math.max(0, tip - start + 1);
  const expected = new ExpectedOutputs(params.network, sapling, []);
  const outputs = blocks === 0 ? 0 : Math.round(expected.upTo(tip) - expected.upTo(start - 1));
  return {
    start_height: start,
    chain_tip: tip,
    blocks,
    outputs,
    megabytes:
      source === 'compact' ? inTenths((outputs * BYTES_PER_OUTPUT + blocks * BYTES_PER_BLOCK) / 1e6) : null,
    seconds: inTenths((workOf(blocks, outputs) * SECONDS_PER_WORK) / scanThreads),
    source,
  };
}

const inTenths = (value: number): number => Math.ceil(value * 10) / 10;
