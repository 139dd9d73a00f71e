// Commands (APDU) of the Zcash app and their answers: what the status words at the end of an answer mean.

import { joinBytes, u8 } from './fields.ts';
import { LedgerError, type LedgerProblem } from './ledgerError.ts';
import type { Exchange } from './transport.ts';

export interface Command {
  /** Default: the Zcash app's. */
  readonly cla?: number;
  readonly ins: number;
  readonly p1?: number;
  readonly p2?: number;
  readonly data?: Uint8Array;
}

/** One length byte. */
export const MAX_DATA = 255;
const ZCASH_CLA = 0xe0;
const STATUS_BYTES = 2;
const OK = 0x9000;

type Meaning = readonly [LedgerProblem, string];
const LOCKED: Meaning = ['locked', 'The Ledger is locked. Enter its PIN, then try again.'];
const REFUSED: Meaning = ['refused', 'It was refused on the Ledger.'];
export const NO_APP: Meaning = [
  'app',
  'The Zcash app is not open on the Ledger, or is too old. Open version 3.9 or later there, then try again.',
];
const NOT_ACCEPTED: Meaning = [
  'unsupported',
  'The Ledger does not accept what it was sent. Its app may be older than this payment.',
];
const NO_ROOM: Meaning = [
  'unsupported',
  'The Ledger has no room for this payment: it can show at most 4 shielded outputs.',
];
const OUT_OF_ORDER: Meaning = ['unsupported', 'The Ledger is not ready to sign this payment. Begin again.'];

/** `src/main.rs` of the app, and the words of the operating system around it. */
const STATUS: ReadonlyMap<number, Meaning> = new Map([
  [0x5515, LOCKED],
  [0x6982, LOCKED],
  [0x6b0c, LOCKED],
  [0x5501, REFUSED],
  [0x6985, REFUSED],
  [0x6511, NO_APP],
  [0x6d00, NO_APP],
  [0x6d02, NO_APP],
  [0x6e00, NO_APP],
  [0x6e01, NO_APP],
  [0x6a80, NOT_ACCEPTED],
  [0x6a84, NO_ROOM],
  [0x6986, OUT_OF_ORDER],
]);

/** The answer without its status; throws `LedgerError` for every status but success. */
export async function send(exchange: Exchange, command: Command): Promise<Uint8Array> {
  const { cla = ZCASH_CLA, ins, p1 = 0, p2 = 0, data = new Uint8Array() } = command;
  if (data.length > MAX_DATA) throw new RangeError('a command has at most 255 bytes');
  const answer = await exchange(joinBytes(u8(cla), u8(ins), u8(p1), u8(p2), u8(data.length), data));
  if (answer.length < STATUS_BYTES) throw unexpectedAnswer();
  const at = answer.length - STATUS_BYTES;
  const status = (answer[at]! << 8) | answer[at + 1]!;
  if (status === OK) return answer.subarray(0, at);
  const known = STATUS.get(status);
  if (known !== undefined) throw new LedgerError(...known);
  throw new LedgerError('answer', `The Ledger answered with the status ${status.toString(16)}.`);
}

export const unexpectedAnswer = (): LedgerError =>
  new LedgerError('answer', 'The Ledger answered in a way that the Zcash app does not.');
