// Asks the shop's server how an invoice stands, for as long as it may change: each question waits there for a change. Pauses
// grow where the server fails or does not wait, and there is an end to it.

import type { CheckoutInvoice } from './checkoutStatus.ts';

export interface Follow {
  /** As `fetch`; rejects also when no answer comes in time. */
  ask(url: string, signal: AbortSignal): Promise<Response>;
  /** Ends early with the signal. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
  /** From 0 to 1: not all pages of a shop come back in one moment. */
  random(): number;
  /** `aheadMs`: of the server's clock. */
  changed(invoice: CheckoutInvoice, aheadMs: number): void;
  /** How many questions in a row had no answer. */
  lost(failures: number): void;
}

export const WAIT_SECONDS = 25;
const SECOND_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const MAX_FAILURES = 100;
/** A hundred confirmations of 75 seconds, and as much again: nobody looks at the page any more. */
const AFTER_EXPIRY_MS = 4 * 3_600_000;

/** Resolves when nothing more is to be expected, or with the signal. `src` is absolute. */
export async function follow(src: string, signal: AbortSignal, options: Follow): Promise<void> {
  const { ask, pause, now, random, changed, lost } = options;
  let text = '';
  let known: CheckoutInvoice | undefined;
  let failures = 0;
  let idle = 0;
  let ahead = 0;
  while (!signal.aborted) {
    const begun = now();
    try {
      const response = await ask(questionOf(src, known), signal);
      const answer = await response.text();
      if (!response.ok) throw new Error(`status ${response.status}`);
      const invoice = invoiceOf(answer);
      if (signal.aborted) return;
      idle = answer === text && now() - begun < SECOND_MS ? idle + 1 : 0;
      failures = 0;
      ahead = aheadOf(response.headers.get('date'), now());
      text = answer;
      known = invoice;
      changed(invoice, ahead);
    } catch {
      if (signal.aborted) return;
      failures += 1;
      lost(failures);
    }
    if (failures >= MAX_FAILURES || (known !== undefined && isOver(known, now() + ahead))) return;
    const misses = failures + idle;
    if (misses > 0)
      await pause(Math.min(LONGEST_PAUSE_MS, SECOND_MS * 2 ** (misses - 1)) * (1 + random()), signal);
    else if (now() - begun < SECOND_MS) await pause(SECOND_MS, signal);
  }
}

function questionOf(src: string, known: CheckoutInvoice | undefined): string {
  const url = new URL(src);
  if (known !== undefined) url.searchParams.set('wait_seconds', String(WAIT_SECONDS));
  if (known?.sequence !== undefined) url.searchParams.set('after', String(known.sequence));
  return url.href;
}

/** Throws where the text is no invoice. */
export function invoiceOf(text: string): CheckoutInvoice {
  const value = JSON.parse(text) as CheckoutInvoice;
  const { state, address, uri, expires_at: end, received_zatoshi: received } = value;
  const isInvoice =
    [state, address, uri, end].every((member) => typeof member === 'string') && Number.isInteger(received);
  if (!isInvoice) throw new TypeError('no invoice');
  return value;
}

/** What an expired invoice still becomes (`late`, or `paid` by a block from before), it becomes soon. */
const isOver = ({ state, expires_at: end }: CheckoutInvoice, nowMs: number): boolean =>
  state === 'confirmed' || nowMs > Date.parse(end) + AFTER_EXPIRY_MS;

const aheadOf = (date: string | null, nowMs: number): number =>
  date === null ? 0 : (Date.parse(date) || nowMs) - nowMs;
