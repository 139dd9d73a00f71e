// The texts of an event on its way to listeners (memos, and what a shop wrote into an invoice): bytes of JSON beside the event, as
// strings would stay in the main thread's heap after the lock. The sending front writes them into a byte message, and wipes both.

import { joinApart } from '@wallet-companion/base/memory';
import type { CompanionEvent } from './events.ts';
import { encodeJson } from './jsonCalls.ts';

const TEXTS: { readonly [E in CompanionEvent['event']]?: readonly string[] } = {
  'note.received': ['memo'],
  'note.memo': ['memo'],
  'invoice.changed': ['reference', 'label', 'memo', 'metadata', 'uri'],
};

export interface EventWithoutTexts {
  readonly event: CompanionEvent;
  /** The JSON text of the members that are missing in `event.data`, without braces, in a buffer that nothing else shares. */
  readonly texts?: Uint8Array<ArrayBuffer>;
}

export function takeTexts(event: CompanionEvent): EventWithoutTexts {
  const data: Record<string, unknown> = { ...event.data };
  const taken: Record<string, unknown> = {};
  for (const name of TEXTS[event.event] ?? []) {
    if (data[name] !== undefined) taken[name] = data[name];
    delete data[name];
  }
  if (Object.keys(taken).length === 0) return { event };
  const json = encodeJson(taken);
  const texts = joinApart(json.subarray(1, -1));
  json.fill(0);
  return { event: { event: event.event, data } as CompanionEvent, texts };
}

/** Encodes `text`, which ends with the JSON of an event's data and `end`, with the texts added to that data. */
export function withTexts(text: string, end: string, texts: Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${text.slice(0, text.length - end.length - 1)},`);
  return joinApart(head, texts, encoder.encode(`}${end}`));
}

/** The event with its texts as strings, for a channel that carries objects. */
export const eventWithTexts = <E extends { readonly data: object }>(event: E, texts?: Uint8Array): E =>
  texts === undefined
    ? event
    : {
        ...event,
        data: { ...event.data, ...(JSON.parse(`{${new TextDecoder().decode(texts)}}`) as object) },
      };
