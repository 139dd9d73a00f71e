// What the devnet's HTTP calls do. Other callers see each call's effect as a whole or not at all.
import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { blockHashToHex, nullifierToHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { isActive, type TxVersion } from '@wallet-companion/zcash/network';
import { POOL, POOLS, type Pool, perPool, poolsAt } from '@wallet-companion/zcash/pools';
import { leafCount } from '@wallet-companion/zcash/trees';
import { trafficBlocks } from './blockLimit.ts';
import type { BuiltTransaction } from './builtTransaction.ts';
import {
  type BlockInput,
  type CallInput,
  type LeavesInput,
  MAX_BLOCKS,
  type PaymentInput,
  type SendInput,
  type TransactionInput,
} from './callInputs.ts';
import type { MineOptions } from './devnet.ts';
import type { MinedBlock } from './minedBlock.ts';
import type { OwnedNote } from './ownedNotes.ts';
import type { OpenPayment, Payment } from './payment.ts';
import type { BlockPlan, Playground } from './playground.ts';

import { versionsAt } from './upgrades.ts';

// ---------------------------------------------------------------------------------------------------------------------
// Answers

const shownTip = ({ devnet: { tip } }: Playground) => ({
  height: tip.height,
  hash: blockHashToHex(tip.hash),
});

const shownTransaction = ({ txid, version, bytes, fee }: BuiltTransaction) => ({
  txid: txIdToHex(txid),
  version,
  size: bytes.length,
  fee_zatoshi: Number(fee),
});

const shownBlock = (block: MinedBlock) => ({
  height: block.height,
  hash: blockHashToHex(block.hash),
  time: block.time,
  size: block.bytes.length,
  tree_sizes: block.treeSizes,
  transactions: block.transactions.map(shownTransaction),
});

const mined = (playground: Playground, blocks: readonly MinedBlock[]) => ({
  tip: shownTip(playground),
  blocks: blocks.map(shownBlock),
});

export function chain(playground: Playground) {
  const { params, blocks } = playground.devnet;
  return {
    network: params.network,
    seed: playground.seed,
    activation_heights: params.activation,
    pools: poolsAt(params.activation, blocks.tip.height + 1),
    first_height: blocks.first.height,
    tip: shownTip(playground),
    tree_sizes: blocks.tip.treeSizes,
  };
}

export function blocks({ devnet }: Playground, { from, to }: CallInput<'/blocks'>) {
  const { first, tip } = devnet.blocks;
  const last = Math.min(to ?? tip.height, tip.height);
  const lowest = Math.max(from ?? last - MAX_BLOCKS + 1, first.height);
  if (last - lowest >= MAX_BLOCKS) throw new RangeError(`at most ${MAX_BLOCKS} blocks are listed at once`);
  return {
    blocks: devnet.blocks.blocks
      .slice(Math.max(lowest - first.height, 0), Math.max(last - first.height + 1, 0))
      .map(shownBlock),
  };
}

export const wallet = ({ wallet: { mnemonic, viewingKey, address } }: Playground) => ({
  mnemonic,
  viewing_key: viewingKey,
  unified_address: address,
});

const shownNote = ({ note, key, transaction, mined, nullifier, spent }: OwnedNote) => ({
  pool: note.pool,
  scope: key.scope,
  value_zatoshi: Number(note.value),
  height: mined?.height ?? null,
  txid: txIdToHex(transaction.txid),
  output_index: note.outputIndex,
  position: mined?.position ?? null,
  nullifier: nullifier === undefined ? null : nullifierToHex(nullifier),
  memo_hex: bytesToHex(note.memo),
  spent_height: spent?.height ?? null,
  spent_txid: spent ? txIdToHex(spent.transaction.txid) : null,
});

export function notes(playground: Playground, { viewing_key }: CallInput<'/notes'>) {
  const account = playground.account(viewing_key);
  return {
    tip: shownTip(playground),
    balance_zatoshi: perPool((pool) => Number(account.balance(pool))),
    notes: account.notes().map(shownNote),
  };
}

// ---------------------------------------------------------------------------------------------------------------------
// Transactions

/** Without absent members, since an absent member is not the same as an undefined one. */
type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };
const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

function memoOf({ memo, memo_hex: hex }: Pick<PaymentInput, 'memo' | 'memo_hex'>): Pick<Payment, 'memo'> {
  if (memo !== undefined && hex !== undefined)
    throw new RangeError('a payment has memo or memo_hex, not both');
  if (hex !== undefined) return { memo: hexToBytes(hex) };
  return memo === undefined ? {} : { memo };
}

function paymentOf(playground: Playground, input: PaymentInput): Payment | OpenPayment {
  const { address = playground.wallet.address, pool, zatoshi, flaw } = input;
  if (pool === 'transparent') {
    if (Object.keys(memoOf(input)).length > 0) throw new RangeError('a transparent payment has no memo');
    return { address, pool, zatoshi };
  }
  return { address, pool, zatoshi, ...memoOf(input), ...(flaw === undefined ? {} : { flaw }) };
}

/** Without this check, outputs that the next block or the version cannot carry would be dropped silently. */
function refuseUnfit(
  { devnet: { params, tip } }: Playground,
  pools: readonly (Pool | 'transparent')[],
  version?: TxVersion,
): void {
  const height = tip.height + 1;
  const { oldest, newest } = versionsAt(params.activation, height);
  const used = version ?? newest;
  if (used < oldest || used > newest)
    throw new RangeError(`there are no transactions of version ${used} at height ${height}`);
  const there = poolsAt(params.activation, height);
  for (const pool of pools) {
    if (pool === 'transparent') continue;
    if (!there.includes(pool)) throw new RangeError(`the ${pool} pool does not exist at height ${height}`);
    if (used < POOL[pool].transactionVersion)
      throw new RangeError(`a transaction of version ${used} cannot carry the ${pool} pool`);
  }
}

const poolsOf = (leaves: LeavesInput): Pool[] => POOLS.filter((pool) => (leaves[pool] ?? 0) > 0);

function send(playground: Playground, input: Omit<SendInput, 'kind'>): BuiltTransaction {
  const { viewing_key, from, change_pool: changePool, version } = input;
  const account = playground.account(viewing_key);
  const payments = input.payments.map((payment) => {
    const planned = paymentOf(playground, payment);
    if (planned.pool === 'transparent') throw new RangeError('the owner of a viewing key pays into pools');
    return planned;
  });
  const spent =
    typeof from === 'string'
      ? from
      : from.map(({ txid, pool, output_index }) => {
          const found = account
            .unspent(pool)
            .find(
              ({ note, transaction }) =>
                note.outputIndex === output_index && txIdToHex(transaction.txid) === txid,
            );
          if (!found) throw new RangeError(`there is no unspent note ${output_index} of transaction ${txid}`);
          return found;
        });
  const pools = [typeof from === 'string' ? from : from.map(({ pool }) => pool), changePool ?? []].flat();
  refuseUnfit(playground, [...pools, ...payments.map(({ pool }) => pool)], version);
  return playground.devnet.spend(account, { from: spent, payments, ...given({ changePool, version }) });
}

function again(playground: Playground, txid: string): BuiltTransaction {
  const transaction = playground.dropped(txid);
  if (!transaction || transaction.fee === 0n)
    throw new RangeError(
      'no reorganisation has dropped a transaction with this txid (a coinbase cannot return)',
    );
  if (playground.devnet.blocks.byTxid(txid)) throw new RangeError('the transaction is on the chain already');
  return transaction;
}

function transactionOf(playground: Playground, input: TransactionInput): BuiltTransaction {
  const { devnet } = playground;
  switch (input.kind) {
    case 'pay': {
      const { version, payer, other_outputs: otherOutputs } = input;
      const payments = input.payments.map((payment) => paymentOf(playground, payment));
      const pools = [...payments.map(({ pool }) => pool), ...poolsOf(otherOutputs ?? {}), payer ?? []].flat();
      refuseUnfit(playground, pools, version);
      const others = otherOutputs === undefined ? {} : { otherOutputs: given(otherOutputs) };
      return devnet.pay(payments, { ...given({ version, payer }), ...others });
    }
    case 'traffic':
      refuseUnfit(playground, poolsOf(input.outputs), input.version);
      return devnet.traffic(given(input.outputs), input.version);
    case 'send':
      return send(playground, input);
    case 'again':
      return again(playground, input.txid);
  }
}

const planOf =
  (playground: Playground, { transactions = [], coinbase, takes_sent: takesSent }: BlockInput): BlockPlan =>
  (): MineOptions => ({
    transactions: transactions.map((one) => transactionOf(playground, one)),
    ...given({ takesSent }),
    ...(coinbase === undefined
      ? {}
      : {
          coinbase: {
            address: coinbase.address ?? playground.wallet.address,
            ...memoOf(coinbase),
            ...given({ pool: coinbase.pool }),
          },
        }),
  });

const repeated = (count: number): BlockInput[] => Array.from({ length: count }, () => ({}));

// ---------------------------------------------------------------------------------------------------------------------
// Blocks

const mine = (playground: Playground, inputs: readonly BlockInput[]) =>
  mined(playground, playground.mine(inputs.map((input) => planOf(playground, input))));

export const mineBlocks = (playground: Playground, { blocks = 1, ...first }: CallInput<'/mine'>) =>
  mine(playground, [first, ...repeated(blocks - 1).map(() => ({ ...first, transactions: [] }))]);

export function pay(playground: Playground, { payer, version, ...payment }: CallInput<'/pay'>) {
  return mine(playground, [{ transactions: [{ kind: 'pay', payments: [payment], payer, version }] }]);
}

export const spend = (playground: Playground, input: CallInput<'/send'>) =>
  mine(playground, [{ transactions: [{ kind: 'send', ...input }] }]);

export function traffic(playground: Playground, { outputs, blocks = 1 }: CallInput<'/traffic'>) {
  const { params, tip } = playground.devnet;
  const open = poolsAt(params.activation, tip.height + 1);
  const wanted =
    typeof outputs === 'number' ? Object.fromEntries(open.map((pool) => [pool, outputs])) : given(outputs);
  const round = trafficBlocks(wanted, isActive(params.activation, 'nu7', tip.height + MAX_BLOCKS));
  const sizes = round
    .flat()
    .map(leafCount)
    .reduce((sum, count) => sum + count, 0);
  if (sizes === 0) throw new RangeError('traffic has outputs');
  if (sizes * blocks > MAX_TRAFFIC) throw new RangeError(`one call makes at most ${MAX_TRAFFIC} outputs`);
  const inputs = Array.from({ length: blocks }, () => round)
    .flat()
    .map(
      (block): BlockInput => ({
        transactions: block.map((one) => ({ kind: 'traffic', outputs: one })),
      }),
    );
  return mine(playground, inputs);
}

/** More outputs would keep all other callers waiting for minutes. */
const MAX_TRAFFIC = 20_000;

export function reorganise(playground: Playground, { depth, blocks = depth + 1 }: CallInput<'/reorg'>) {
  const inputs = typeof blocks === 'number' ? repeated(blocks) : blocks;
  const plans = inputs.map((input) => planOf(playground, input));
  const { forkHeight, mined: added } = playground.reorganise(depth, plans);
  return { fork_height: forkHeight, ...mined(playground, added) };
}
