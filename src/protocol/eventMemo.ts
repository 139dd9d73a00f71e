// The memo of an event on its way to listeners: the bytes of a JSON text beside the event, as a string would stay in the
// main thread's heap after the lock. The sending front writes it into a byte message, and wipes both.

import { joinApart } from '@wallet-companion/shielded/memory';
import type { CompanionEvent } from './events.ts';
import { encodeJson } from './jsonCalls.ts';

export interface EventWithoutMemo {
  readonly event: CompanionEvent;
  /** The JSON text of `data.memo`, in a buffer that nothing else shares. */
  readonly memo?: Uint8Array<ArrayBuffer>;
}

export function takeMemo(event: CompanionEvent): EventWithoutMemo {
  if (event.event !== 'note.received' && event.event !== 'note.memo') return { event };
  const { memo, ...data } = event.data;
  if (memo === undefined) return { event };
  const text = encodeJson(memo);
  const own = joinApart(text);
  text.fill(0);
  return { event: { event: event.event, data } as CompanionEvent, memo: own };
}

/** Encodes `text`, which ends with the JSON of an event's data and `end`, with the memo added to that data. */
export function textWithMemo(text: string, end: string, memo: Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${text.slice(0, text.length - end.length - 1)},"memo":`);
  return joinApart(head, memo, encoder.encode(`}${end}`));
}
