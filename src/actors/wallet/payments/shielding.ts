// What a request to shield is to become: which outputs at the account's transparent addresses are moved to its newest pool.

import { mapInOrder } from '@wallet-companion/base/async';
import { type Funds, proposeShielding, SpendingRefusal } from '@wallet-companion/pczt/spending';
import { blockSecondsAt } from '@wallet-companion/zcash/blockTimes';
import { PROTOCOLS } from '@wallet-companion/zcash/pools';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Input } from '../../../protocol/operations.ts';
import {
  type FoundOutput,
  type FoundOutputs,
  findOutputs,
  GAP,
  keyOf,
  matureAt,
  outputState,
} from './ownOutputs.ts';
import type { Proposal, ProposalContext, SpendingContext } from './proposalContext.ts';
import { takenNotes } from './spendable.ts';
import { spendingError, zec } from './spendingErrors.ts';

const DEFAULT_MAX_INPUTS = 32;
/** Transactions that are asked for and not answered yet. */
const READ_AT_ONCE = 4;

/** Throws `INSUFFICIENT_FUNDS`, `INVALID_REQUEST`, and `..._BAD_RESPONSE` from a server that lists no outputs, or wrong ones. */
export async function shieldingProposal(
  context: SpendingContext,
  input: Input<'payments.shield'>,
  proposalContext: ProposalContext,
): Promise<Proposal> {
  const { environment, params } = context;
  const { keys, check } = proposalContext;
  if (keys.transparent === undefined) {
    throw new CompanionError(
      'INVALID_REQUEST',
      "The account's viewing key has no transparent part, so its transparent addresses are not known. Import the unified full viewing key that the other wallet exports.",
    );
  }
  const found = await findOutputs(
    environment,
    params,
    keys.transparent,
    input.first_index ?? 0,
    proposalContext,
  );
  const { reserved } = takenNotes(context, proposalContext.session);
  const isReserved = (output: FoundOutput): boolean => reserved.has(keyOf(output));
  const free = found.outputs.filter((output) => !isReserved(output));
  const known = new Map<string, 'ready' | 'immature'>();
  for (;;) {
    const proposal = proposed(context, input, proposalContext, found, {
      outputs: free.filter((output) => known.get(keyOf(output)) !== 'immature'),
      immature: free.filter((output) => known.get(keyOf(output)) === 'immature'),
      reserved: found.outputs.filter(isReserved),
    });
    const unread = free.filter(
      (output) => proposal.inputs.includes(output) && known.get(keyOf(output)) === undefined,
    );
    if (unread.length === 0) return proposal;
    const read = mapInOrder(unread, READ_AT_ONCE, async (output) => {
      const state = await outputState(environment, output, proposalContext);
      return [keyOf(output), state] as const;
    });
    for await (const [key, state] of read) {
      known.set(key, state);
      check();
    }
  }
}

interface Sorted {
  readonly outputs: readonly FoundOutput[];
  readonly immature: readonly FoundOutput[];
  readonly reserved: readonly FoundOutput[];
}

const total = (outputs: readonly FoundOutput[]): number =>
  outputs.reduce((sum, { zatoshi }) => sum + zatoshi, 0);

function proposed(
  { environment, params }: SpendingContext,
  input: Input<'payments.shield'>,
  { keys, tip, scannedHeight }: ProposalContext,
  { addresses }: FoundOutputs,
  { outputs, immature, reserved }: Sorted,
): Proposal {
  try {
    return proposeShielding({
      params,
      targetHeight: tip.height + 1,
      scannedHeight,
      unknownUpgrade: tip.unknownUpgrade,
      outputs,
      waiting: immature
        .map((output) => ({ zatoshi: output.zatoshi, height: matureAt(output) }))
        .sort((a, b) => a.height - b.height),
      reserved: total(reserved),
      protocols: PROTOCOLS.filter((protocol) => keys[protocol] !== undefined),
      joinAddresses: input.join_addresses ?? false,
      maxInputs: input.max_inputs ?? DEFAULT_MAX_INPUTS,
      expiryHeight: input.expiry_height,
      feePerAction: environment.configFile.get().fee_per_action,
    });
  } catch (error) {
    if (!(error instanceof SpendingRefusal)) throw error;
    if (error.problem.kind === 'notEnough') throw nothingToShield(error.problem, addresses[0]!.address);
    throw spendingError(error, {
      pathOf: () => 'account',
      tipHeight: tip.height,
      blockSeconds: blockSecondsAt(params.activation, tip.height + 1),
      reserved: new Map(),
      spentUnmined: 0,
      maxActions: 0,
    });
  }
}

function nothingToShield(
  { needed, funds }: { readonly needed: number; readonly funds: Funds },
  first: string,
): CompanionError {
  const { spendable, waiting, reserved, dust } = funds;
  const sentences: string[] = [];
  if (spendable > 0)
    sentences.push(
      `${zec(spendable)} is there, and no transaction brings more than its fee: that of the nearest one is ${zec(needed - 1)}.`,
    );
  for (const { zatoshi, height } of waiting)
    sentences.push(`${zec(zatoshi)} is a miner's reward, which can be spent after block ${height}.`);
  if (reserved > 0)
    sentences.push(`${zec(reserved)} is reserved by a payment, until it is mined, expires or is discarded.`);
  if (dust > 0) sentences.push(`${zec(dust)} lies in outputs that cost more to spend than they bring.`);
  return new CompanionError(
    'INSUFFICIENT_FUNDS',
    [
      `There is nothing to shield at the transparent addresses of the account, ${GAP} of each kind from ${first} on.`,
      ...sentences,
    ].join(' '),
  );
}
