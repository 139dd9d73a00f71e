// A tone for the cashier when money comes. From the first look at the till on, until somebody turns it off; the page keeps nothing, so
// a page that is loaded anew begins with the tone.

import { Arrivals } from '../../model/arrivals.ts';
import type { Invoice } from '../../model/till.ts';

const arrivals = new Arrivals();
/** Undefined before the till was opened. */
let isOn: boolean | undefined;
let context: AudioContext | undefined;

export const hasSound = (): boolean => isOn === true;

export function setSound(on: boolean): void {
  isOn = on;
  if (on) play();
}

export function openSound(): void {
  isOn ??= true;
}

/** What is known already makes no sound. */
export function knowInvoices(invoices: readonly Invoice[]): void {
  for (const invoice of invoices) arrivals.hasMore(invoice);
}

export function soundOf(invoice: Parameters<Arrivals['hasMore']>[0]): void {
  if (arrivals.hasMore(invoice) && isOn === true) play();
}

const TONES_HZ = [880, 1320];
const TONE_SECONDS = 0.15;
const LOUDNESS = 0.2;

/** Before the first key or click on the page a browser stays silent; one whose user turned Web Audio off has none. */
function play(): void {
  if (globalThis.AudioContext === undefined) return;
  context ??= new AudioContext();
  const { currentTime: now, destination } = context;
  const gain = new GainNode(context, { gain: LOUDNESS });
  gain.connect(destination);
  for (const [index, frequency] of TONES_HZ.entries()) {
    const tone = new OscillatorNode(context, { frequency });
    tone.connect(gain);
    tone.start(now + index * TONE_SECONDS);
    tone.stop(now + (index + 1) * TONE_SECONDS);
  }
  // Refused where no device plays it.
  context.resume().catch(() => undefined);
}
