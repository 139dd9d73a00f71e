// What two wallets with the same keys must agree on, in one form: the companion's answers and the other wallet's tables.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { parseAddress } from '@wallet-companion/zcash/addresses';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { POOL, type Pool, perPool } from '@wallet-companion/zcash/pools';
import type { Input, OperationName, Output } from '../../src/protocol/operations.ts';
import type { PeerNote, PeerSent, PeerWallet } from './peerWallet.ts';

/** By operation, as tests and services offer them. */
export type Ask = <N extends OperationName>(name: N, input: Input<N>) => Promise<Output<N>>;

export interface View {
  readonly notes: readonly object[];
  readonly sent: readonly object[];
  /** Transactions whose fee both know. */
  readonly fees: ReadonlyMap<string, number>;
  /** By account; undefined where they are of another kind. */
  readonly totals: readonly Record<Pool, number>[] | undefined;
}

const SCOPES = { external: 0, internal: 1 } as const;
/** The other wallet's numbers of the pools. */
const POOL_CODES: Readonly<Record<number, Pool>> = { 2: 'sapling', 3: 'orchard', 4: 'ironwood' };
/** "No memo" (ZIP 302). */
const NO_MEMO = 'f6';
/** No answer has more. */
const LIMIT = 1000;

const inOrder = <T extends { txid: string; pool: Pool; output_index: number }>(rows: readonly T[]): T[] =>
  rows.toSorted(
    (a, b) => a.txid.localeCompare(b.txid) || a.pool.localeCompare(b.pool) || a.output_index - b.output_index,
  );

/** Without the zeros that a memo is filled up with. */
const withoutPadding = (hex: string): string => hex.replace(/(?:00)+$/, '');

const memoOf = (memo: Output<'notes.list'>['notes'][0]['memo']): string =>
  memo === null ? NO_MEMO : (memo.hex ?? bytesToHex(new TextEncoder().encode(memo.text)));

const receiverIn = (address: string, pool: Pool, params: NetworkParameters): string =>
  bytesToHex(parseAddress(address, params)[POOL[pool].protocol]!);

export async function companionView(ask: Ask, accounts: number, params: NetworkParameters): Promise<View> {
  const { notes, next_cursor: more } = await ask('notes.list', { limit: LIMIT });
  const { transactions, next_cursor: rest } = await ask('transactions.list', { limit: LIMIT });
  if (more !== null || rest !== null) throw new Error('more than one page');
  const totals: Record<Pool, number>[] = [];
  for (let account = 0; account < accounts; account++) {
    const { pools } = await ask('balance.get', { account });
    totals.push(perPool((pool) => pools[pool].total_zatoshi));
  }
  return {
    notes: inOrder(
      notes.map((note) => ({
        account: note.account,
        pool: note.pool,
        scope: SCOPES[note.scope],
        value: note.value_zatoshi,
        height: note.height,
        txid: note.txid,
        output_index: note.output_index,
        position: note.position,
        // The other wallet keeps none of change.
        diversifier_index: note.scope === 'internal' ? null : note.diversifier_index,
        memo: withoutPadding(memoOf(note.memo)),
        spent_in: note.spent?.txid ?? null,
      })),
    ),
    sent: inOrder(
      transactions.flatMap(({ txid, sent_outputs }) =>
        sent_outputs
          .filter(({ scope }) => scope === 'external')
          .map((output) => ({
            account: output.account,
            pool: output.pool,
            value: output.value_zatoshi,
            txid,
            output_index: output.output_index,
            recipient: receiverIn(output.recipient, output.pool, params),
            memo: withoutPadding(memoOf(output.memo)),
          })),
      ),
    ),
    fees: new Map(
      transactions.flatMap(({ txid, fee_zatoshi: fee }) => (fee === null ? [] : [[txid, fee] as const])),
    ),
    totals,
  };
}

export async function peerView(peer: PeerWallet, params: NetworkParameters): Promise<View> {
  const [notes, sent] = [await peer.notes(), await peer.sent()];
  const { accounts, unmined } = await peer.balances();
  return {
    notes: inOrder(notes.map(peerNote)),
    sent: inOrder(
      sent.flatMap((output) => (output.address === null ? [] : [peerSent(output, output.address, params)])),
    ),
    fees: new Map(sent.flatMap(({ txid, fee }) => (fee === null ? [] : [[txid, fee] as const]))),
    // Its totals leave out what costs more to spend than it is worth, and go on counting what an abandoned branch had.
    totals:
      unmined.length > 0
        ? undefined
        : accounts.map((amounts) => perPool((pool) => amounts[pool].total + amounts[pool].uneconomic)),
  };
}

/** The output that comes with an Orchard note that is spent (ZIP 229). The other wallet never reads its memo in payments of its own. */
const isCompanion = ({ pool, scope, value }: PeerNote): boolean =>
  pool === 'orchard' && scope === SCOPES.internal && value === 0;

function peerNote(note: PeerNote) {
  return {
    account: note.account_row - 1,
    pool: note.pool,
    scope: note.scope,
    value: note.value,
    height: note.height,
    txid: note.txid,
    output_index: note.output_index,
    position: note.position,
    diversifier_index: note.diversifier_index && String(BigInt(`0x${note.diversifier_index}`)),
    memo: note.memo ?? (isCompanion(note) ? '' : null),
    spent_in: note.spent_in,
  };
}

function peerSent(output: PeerSent, address: string, params: NetworkParameters) {
  const pool = POOL_CODES[output.pool];
  if (pool === undefined) throw new Error(`an output in pool ${output.pool}`);
  return {
    account: output.account_row - 1,
    pool,
    value: output.value,
    txid: output.txid,
    output_index: output.output_index,
    recipient: receiverIn(address, pool, params),
    memo: output.memo,
  };
}

/** What differs between the two, in words; undefined where nothing does. */
export function difference(ours: View, theirs: View): string | undefined {
  const rows = (what: 'notes' | 'sent'): string[] => {
    const [own, other] = [ours, theirs].map((view) => view[what].map((row) => JSON.stringify(row)));
    return [
      ...own!.filter((row) => !other!.includes(row)).map((row) => `${what}, only here: ${row}`),
      ...other!.filter((row) => !own!.includes(row)).map((row) => `${what}, only there: ${row}`),
    ];
  };
  const fees = [...ours.fees].flatMap(([txid, fee]) => {
    const other = theirs.fees.get(txid);
    return other === undefined || other === fee ? [] : [`fee of ${txid}: ${fee} here, ${other} there`];
  });
  const [own, other] = [JSON.stringify(ours.totals), JSON.stringify(theirs.totals)];
  const isComparable = ours.totals !== undefined && theirs.totals !== undefined;
  const totals = !isComparable || own === other ? [] : [`balances: ${own} here, ${other} there`];
  const found = [...rows('notes'), ...rows('sent'), ...fees, ...totals];
  return found.length === 0 ? undefined : found.join('\n');
}
