// Asks a person at the signer's terminal about payments that need a yes, one after the other.

import { createInterface } from 'node:readline';
import { zecText } from '@wallet-companion/base/values';
import type { Terminal } from '../terminal/streams.ts';
import type { JournalPayment } from './journal.ts';

export interface Decisions {
  confirm(txid: string): Promise<void>;
  cancel(txid: string): Promise<void>;
}

export class Confirmations {
  readonly #terminal: Terminal;
  readonly #decisions: Decisions;
  readonly #waiting: JournalPayment[] = [];
  #isDeciding = false;

  constructor(terminal: Terminal, decisions: Decisions) {
    this.#terminal = terminal;
    this.#decisions = decisions;
    createInterface({ input: terminal.stdin, terminal: false }).on('line', (line) => void this.#decide(line));
  }

  ask(payment: JournalPayment): void {
    this.#waiting.push(payment);
    if (this.#waiting.length === 1) this.#show();
  }

  #show(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const { total, fee, account, payments, txid } = first;
    this.#terminal.stderr.write(
      [
        '',
        `Payment ${txid}`,
        ...payments.map(({ address, zatoshi }) => `  ${zecText(zatoshi)} ZEC to ${address}`),
        `  fee ${zecText(fee)} ZEC; ${zecText(total)} ZEC leave account ${account}`,
        'Type yes to have it signed, or anything else to refuse it: ',
      ].join('\n'),
    );
  }

  async #decide(line: string): Promise<void> {
    const [first] = this.#waiting;
    // What was typed before the question was shown answers nothing.
    if (first === undefined || this.#isDeciding) return;
    this.#isDeciding = true;
    const isYes = line.trim().toLowerCase() === 'yes';
    const say = (text: string): void => void this.#terminal.stderr.write(`${text}\n`);
    try {
      await (isYes ? this.#decisions.confirm(first.txid) : this.#decisions.cancel(first.txid));
      say(isYes ? 'It is signed when the companion asks again.' : 'Refused.');
    } catch {
      say('It could not be written down, or waits no longer: nothing has changed.');
    }
    this.#waiting.shift();
    this.#isDeciding = false;
    this.#show();
  }
}
