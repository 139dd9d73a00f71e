// Finds the unspent outputs at an account's transparent addresses by a server's index, and reads the transactions of those that
// are to be spent: nothing that the server says of an output is believed.

import { setImmediate as otherWork } from 'node:timers/promises';
import { equalBytes, FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { UnspentOutput } from '@wallet-companion/chain/ports';
import {
  type OwnOutput,
  type OwnTransparentAddress,
  ownTransparentAddresses,
} from '@wallet-companion/pczt/spending';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters, Scope } from '@wallet-companion/zcash/network';
import { isCoinbase } from '@wallet-companion/zcash/signing';
import {
  parseTransaction,
  type Transaction,
  transactionContents,
  txid,
} from '@wallet-companion/zcash/transactions';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import { badAnswer } from '../witnesses/witnessFailures.ts';
import { outputKey } from './book/paymentBook.ts';
import type { ProposalContext } from './proposalContext.ts';

/** An output with the height at which the server says it was made. */
export interface FoundOutput extends OwnOutput {
  readonly height: Height;
}

export interface FoundOutputs {
  readonly outputs: readonly FoundOutput[];
  /** The addresses that were looked at, receiving ones first. */
  readonly addresses: readonly OwnTransparentAddress[];
}

/** BIP 44: after so many addresses without funds, the rest has none. */
export const GAP = 20;
/** A server that finds funds everywhere is believed no further. */
const MOST_INDICES = 50 * GAP;
/** Each takes a millisecond or two. */
const ADDRESSES_PER_STEP = 5;
/** BIP 32: higher indices are hardened. */
const INDEX_END = 2 ** 31;
/** A coinbase output can be spent so many blocks later. */
const COINBASE_MATURITY = 100;

/** In the order of their numbers (BIP 44). */
const SCOPES: readonly Scope[] = ['external', 'internal'];

/**
 * Looks at `GAP` addresses of each kind from `firstIndex` on, and goes on behind those that have funds. `accountKey`: chain code
 * and public key.
 */
export async function findOutputs(
  { chain }: Pick<WalletEnvironment, 'chain'>,
  params: NetworkParameters,
  accountKey: Uint8Array,
  firstIndex: number,
  { upstream, check }: Pick<ProposalContext, 'upstream' | 'check'>,
): Promise<FoundOutputs> {
  const addresses: OwnTransparentAddress[] = [];
  const outputs = new Map<string, FoundOutput>();
  let windows = SCOPES.map((scope) => ({ scope, start: firstIndex }));
  while (windows.length > 0) {
    const asked = new Map<string, OwnTransparentAddress>();
    for (const { scope, start } of windows)
      for (let i = start; i < Math.min(start + GAP, INDEX_END); i += ADDRESSES_PER_STEP) {
        const range = { start: i, count: Math.min(ADDRESSES_PER_STEP, INDEX_END - i) };
        for (const one of ownTransparentAddresses(accountKey, scope, range, params))
          asked.set(one.address, one);
        await otherWork();
        check();
      }
    addresses.push(...asked.values());
    const reported = await chain.unspentOutputs({ ...upstream, addresses: [...asked.keys()] });
    check();
    const found = reported.flatMap((one) => ownOutput(one, asked.get(one.address)));
    for (const output of found) outputs.set(keyOf(output), output);
    windows = windows
      .filter(({ scope }) => found.some(({ at }) => at.path[0] === SCOPES.indexOf(scope)))
      .map(({ scope, start }) => ({ scope, start: start + GAP }))
      .filter(({ start }) => start < Math.min(firstIndex + MOST_INDICES, INDEX_END));
  }
  return { outputs: [...outputs.values()], addresses };
}

const ownOutput = (
  { txid: id, index, zatoshi, height }: UnspentOutput,
  at: OwnTransparentAddress | undefined,
): FoundOutput[] => (at === undefined ? [] : [{ at, txid: id, index, zatoshi, height }]);

export const keyOf = ({ txid: id, index }: FoundOutput): string =>
  outputKey({ txid: txIdToHex(id), outputIndex: index });

/** `immature`: made by a coinbase, and too young. Throws where the transaction is not what the server said. */
export async function outputState(
  { chain }: Pick<WalletEnvironment, 'chain'>,
  { at, txid: id, index, zatoshi, height }: FoundOutput,
  { upstream, tip }: Pick<ProposalContext, 'upstream' | 'tip'>,
): Promise<'ready' | 'immature'> {
  const raw = await chain.rawTransaction({ ...upstream, txid: id });
  const transaction = raw === null ? undefined : readTransaction(raw, id);
  const contents = transaction && transactionContents(transaction);
  const output = contents?.outputs[index];
  const isThere =
    output !== undefined && output.value === BigInt(zatoshi) && equalBytes(output.scriptPubKey, at.script);
  if (!isThere) {
    throw badAnswer(
      upstream.source,
      'The server lists an unspent output that its transactions do not have. Try again, or use the other source.',
    );
  }
  return isCoinbase(contents!.inputs) && tip.height + 1 - height < COINBASE_MATURITY ? 'immature' : 'ready';
}

/** The height from which a coinbase output can be spent: in the block after it. */
export const matureAt = ({ height }: FoundOutput): Height => height + COINBASE_MATURITY - 1;

/** What a server gave for this txid; undefined where it is another transaction, or none. */
export function readTransaction(bytes: ArrayBuffer, id: Uint8Array): Transaction | undefined {
  try {
    const transaction = parseTransaction(new Uint8Array(bytes));
    return equalBytes(txid(transaction), id) ? transaction : undefined;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
