// The unified full viewing key of an account. The device shows it and asks, and its answer comes in pieces.

import { send, unexpectedAnswer } from './commands.ts';
import { derivationPath, harden, joinBytes } from './fields.ts';
import type { Exchange } from './transport.ts';

const GET_VIEWING_KEY = 0x50;
const CONTINUE = 0x80;
const ORCHARD_PURPOSE = 32;
const TRANSPARENT_PURPOSE = 44;
/** Twice of what a key with every known item takes. */
const MAX_TEXT = 1024;

export interface KeyPlace {
  /** ZIP 32's account. */
  readonly account: number;
  /** SLIP 44: 133 on the main network, 1 on others. */
  readonly coinType: number;
}

export const accountPath = (purpose: number, { account, coinType }: KeyPlace): readonly number[] =>
  [purpose, coinType, account].map(harden);

export async function readViewingKey(exchange: Exchange, place: KeyPlace): Promise<string> {
  const data = joinBytes(
    ...[ORCHARD_PURPOSE, TRANSPARENT_PURPOSE].map((purpose) => derivationPath(accountPath(purpose, place))),
  );
  const first = await send(exchange, { ins: GET_VIEWING_KEY, data });
  if (first.length < 2) throw unexpectedAnswer();
  const length = (first[0]! << 8) | first[1]!;
  if (length === 0 || length > MAX_TEXT) throw unexpectedAnswer();
  let text = first.subarray(2);
  while (text.length < length) {
    const more = await send(exchange, { ins: GET_VIEWING_KEY, p1: CONTINUE });
    if (more.length === 0) throw unexpectedAnswer();
    text = joinBytes(text, more);
  }
  const key = String.fromCharCode(...text);
  if (text.length !== length || !/^uview[a-z0-9]+$/.test(key)) throw unexpectedAnswer();
  return key;
}
