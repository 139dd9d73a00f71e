// Viewing keys on their way to the scan workers, and memos on their way back. Copying a message between threads leaves
// its bytes in memory that is freed without a wipe, so nothing is copied: keys lie in one buffer that all threads share
// and the wallet thread wipes, memos in one buffer that is moved.

import type { IncomingKey, OutgoingKey } from '@wallet-companion/zcash/keys';
import type { FoundNote, Leaves, ReadUnmined, ScannedBlock } from '@wallet-companion/zcash/scan';
import type { Enhancement, ScanKeys } from '../actors/wallet/ports/scanPool.ts';

const KEY_SIZE = 32;

/** `ScanKeys` without their bytes, which follow each other in this order: ivk, dk and nk; ovk. */
export interface SharedKeys {
  readonly bytes: SharedArrayBuffer;
  readonly incoming: readonly (Omit<IncomingKey, 'ivk' | 'dk' | 'nk'> & { readonly hasNk: boolean })[];
  readonly outgoing: readonly Omit<OutgoingKey, 'ovk'>[];
  readonly heights: ScanKeys['heights'];
}

export function shareKeys({ incoming, outgoing, heights }: ScanKeys): SharedKeys {
  const parts = [
    ...incoming.flatMap(({ ivk, dk, nk }) => (nk === undefined ? [ivk, dk] : [ivk, dk, nk])),
    ...outgoing.map(({ ovk }) => ovk),
  ];
  const bytes = new SharedArrayBuffer(parts.length * KEY_SIZE);
  const all = new Uint8Array(bytes);
  parts.forEach((part, i) => {
    all.set(part, i * KEY_SIZE);
  });
  return {
    bytes,
    incoming: incoming.map(({ protocol, account, scope, nk, without }) => ({
      protocol,
      account,
      scope,
      hasNk: nk !== undefined,
      ...(without && { without }),
    })),
    outgoing: outgoing.map(({ protocol, account, scope }) => ({ protocol, account, scope })),
    heights,
  };
}

/** Views: no byte is copied. */
export function sharedKeysOf({ bytes, incoming, outgoing, heights }: SharedKeys): ScanKeys {
  let offset = 0;
  const next = (): Uint8Array => {
    offset += KEY_SIZE;
    return new Uint8Array(bytes, offset - KEY_SIZE, KEY_SIZE);
  };
  return {
    incoming: incoming.map(({ hasNk, ...key }) => ({
      ...key,
      ivk: next(),
      dk: next(),
      ...(hasNk ? { nk: next() } : {}),
    })),
    outgoing: outgoing.map((key) => ({ ...key, ovk: next() })),
    heights,
  };
}

export const wipeSharedKeys = ({ bytes }: SharedKeys): void => void new Uint8Array(bytes).fill(0);

/** An answer whose memos lie in one buffer, or that has none. */
export interface Gathered<T> {
  readonly answer: T;
  readonly memos: ArrayBuffer | undefined;
}

/** Copies the memos into one buffer, of which they are views afterwards; their old memory is wiped. */
class MemoBuffer {
  readonly #memos: Uint8Array<ArrayBuffer>;
  #used = 0;

  constructor(memos: readonly (Uint8Array | null)[]) {
    this.#memos = new Uint8Array(memos.reduce((sum, memo) => sum + (memo?.length ?? 0), 0));
  }

  take(memo: Uint8Array): Uint8Array {
    const start = this.#used;
    this.#used += memo.length;
    this.#memos.set(memo, start);
    memo.fill(0);
    return this.#memos.subarray(start, this.#used);
  }

  /** Undefined when there is nothing to move. */
  get buffer(): ArrayBuffer | undefined {
    return this.#memos.length === 0 ? undefined : this.#memos.buffer;
  }
}

export function gatherScanned(blocks: readonly ScannedBlock[]): Gathered<ScannedBlock[]> {
  const gathered = new MemoBuffer(blocks.flatMap(({ notes }) => notes.map(({ memo }) => memo)));
  const answer = blocks.map((block) => ({ ...block, notes: withMemosIn(gathered, block.notes) }));
  return { answer, memos: gathered.buffer };
}

export function gatherUnmined(
  transactions: readonly (ReadUnmined | null)[],
): Gathered<(ReadUnmined | null)[]> {
  const gathered = new MemoBuffer(transactions.flatMap((read) => read?.notes.map(({ memo }) => memo) ?? []));
  const answer = transactions.map((read) =>
    read === null ? null : { ...read, notes: withMemosIn(gathered, read.notes) },
  );
  return { answer, memos: gathered.buffer };
}

const withMemosIn = (gathered: MemoBuffer, notes: readonly FoundNote[]): FoundNote[] =>
  notes.map((note) => (note.memo === null ? note : { ...note, memo: gathered.take(note.memo) }));

export function gatherEnhanced({ transactions, ...rest }: Enhancement): Gathered<Enhancement> {
  const gathered = new MemoBuffer(
    transactions.flatMap(({ memos, sent }) => [...memos, ...sent].map(({ memo }) => memo)),
  );
  const gatheredIn = transactions.map((transaction) => ({
    ...transaction,
    memos: transaction.memos.map((entry) => ({ ...entry, memo: gathered.take(entry.memo) })),
    sent: transaction.sent.map((output) => ({ ...output, memo: gathered.take(output.memo) })),
  }));
  return { answer: { ...rest, transactions: gatheredIn }, memos: gathered.buffer };
}

/** In the order in which they are found; in gathered answers, all are in one buffer. */
function memosIn(
  answer: ScannedBlock[] | Enhancement | (ReadUnmined | null)[] | Leaves | Uint8Array,
): Uint8Array[] {
  // Tree data is public.
  if (answer instanceof Uint8Array || 'leaves' in answer) return [];
  if (!Array.isArray(answer))
    return answer.transactions.flatMap(({ memos, sent }) => [...memos, ...sent].map(({ memo }) => memo));
  return answer.flatMap((part) => part?.notes.flatMap(({ memo }) => memo ?? []) ?? []);
}

/** For an answer that is not delivered. */
export function wipeMemos(answer: Parameters<typeof memosIn>[0]): void {
  for (const memo of memosIn(answer)) memo.fill(0);
}

/** The buffers to move with an answer to another thread: its memos, and the chain data that is packed with it. */
export function buffersOf(answer: Parameters<typeof memosIn>[0]): ArrayBuffer[] {
  const first = Array.isArray(answer) ? answer[0] : undefined;
  const packed = first && 'hash' in first ? [first.hash] : [];
  return [...new Set([...memosIn(answer), ...packed].map(({ buffer }) => buffer as ArrayBuffer))];
}
