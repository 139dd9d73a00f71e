// The wallet that others built (test/world/peer), as its own process: zcash_client_sqlite behind lines of JSON.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { ActivationHeights } from '@wallet-companion/zcash/network';
import type { Pool } from '@wallet-companion/zcash/pools';
import { type Teardown, untilTestEnds } from '../helpers/childProcess.ts';

// Tests run from the project's root.
const { peerWallet } = (await import(pathToFileURL('scripts/peerWallet.mjs').href)) as {
  peerWallet: () => string | undefined;
};

/** Undefined where it is not installed. */
export const PEER_PROGRAM = peerWallet();

/** It reads the trees below its birthday, and compact servers have no answer for genesis. */
export const PEER_BIRTHDAY = 2;

export interface Opening {
  /** Every other upgrade is active from block 1. */
  readonly heights: Partial<Pick<ActivationHeights, 'nu6_3' | 'nu7'>>;
  /** Made where it does not exist. */
  readonly file: string;
  readonly keys: { readonly mnemonic: string } | { readonly viewingKeys: readonly string[] };
  /** How many accounts of the phrase. */
  readonly accounts?: number;
  readonly birthday: number;
  /** URL of a compact-block server. */
  readonly server: string;
}

/** Columns of its tables; accounts are numbered from 1, memos and diversifier indices are hexadecimal. */
export interface PeerNote {
  readonly account_row: number;
  readonly pool: Pool;
  readonly scope: number | null;
  readonly value: number;
  readonly height: number;
  readonly txid: string;
  readonly output_index: number;
  readonly position: number | null;
  readonly diversifier_index: string | null;
  readonly memo: string | null;
  readonly spent_in: string | null;
}

export interface PeerSent {
  readonly account_row: number;
  /** As in the protocol's values: 2 Sapling, 3 Orchard, 4 Ironwood; 0 transparent. */
  readonly pool: number;
  readonly value: number;
  readonly txid: string;
  readonly output_index: number;
  /** Null for change. */
  readonly address: string | null;
  readonly memo: string | null;
  /** What the transaction paid, where it is known. */
  readonly fee: number | null;
}

export interface PeerAmounts {
  readonly total: number;
  readonly spendable: number;
  readonly uneconomic: number;
}

export interface PeerPayment {
  readonly account: number;
  readonly address: string;
  readonly zatoshi: number;
  readonly memo?: string;
  readonly from: Pool;
}

interface Answers {
  open: { readonly viewingKeys: readonly string[] };
  addresses: readonly (readonly { readonly unified: string | null; readonly sapling: string | null }[])[];
  sync: { readonly tip: number; readonly fork: number | null };
  enhance: { readonly read: number };
  notes: readonly PeerNote[];
  sent: readonly PeerSent[];
  balances: {
    readonly accounts: readonly Record<Pool, PeerAmounts>[];
    /** Transactions that count although they are not mined. */
    readonly unmined: readonly object[];
  };
  pay: readonly { readonly txid: string; readonly raw: string }[];
}

export class PeerWallet {
  readonly #write: (line: string) => void;
  readonly #waiting: ((line: string | undefined) => void)[] = [];

  constructor(t: Teardown) {
    const child = untilTestEnds(t, spawn(PEER_PROGRAM!, { stdio: ['pipe', 'pipe', 'inherit'] }));
    child.stdin.on('error', () => undefined);
    this.#write = (line) => child.stdin.write(`${line}\n`);
    const answers = createInterface(child.stdout);
    answers.on('line', (line) => this.#waiting.shift()?.(line));
    answers.on('close', () => {
      for (const answer of this.#waiting.splice(0)) answer(undefined);
    });
  }

  open = (opening: Opening) => this.#call('open', opening);
  addresses = (count: number) => this.#call('addresses', { count });
  notes = () => this.#call('notes');
  sent = () => this.#call('sent');
  balances = () => this.#call('balances');
  pay = (payment: PeerPayment) => this.#call('pay', payment);

  /** Reads the new blocks, and in full the transactions that it asks for. */
  async sync(): Promise<Answers['sync']> {
    const found = await this.#call('sync');
    // A transaction that was read can make it ask for another one.
    while ((await this.#call('enhance')).read > 0);
    return found;
  }

  async #call<N extends keyof Answers>(name: N, input: object = {}): Promise<Answers[N]> {
    const line = await new Promise<string | undefined>((resolve) => {
      this.#waiting.push(resolve);
      this.#write(JSON.stringify({ do: name, ...input }));
    });
    if (line === undefined) throw new Error(`${name}: the other wallet ended`);
    const answer = JSON.parse(line) as { readonly ok: Answers[N] } | { readonly error: string };
    if ('error' in answer) throw new Error(`${name}: ${answer.error}`);
    return answer.ok;
  }
}
