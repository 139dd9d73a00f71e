// The life of a wallet's thread on one page.
//
//   resting ── call ──> running ── spent ──> replacing ── retired ──> ending ── gone ──> resting
//      ^                   ^ └─── lost ─┐       │ │
//   restart                └── unlocked, kept ──┘ │            stopped: from any state, for good
//      └─── starting <──────────────────┴─ lost ──┘
//
// The default wallet's thread does not stay at rest: it starts at once.

import type { Carried } from '../actors/wallet/ports/walletEnvironment.ts';

/** How far a replacement has come. */
export type Step =
  /** Earlier calls are being answered, and new ones are held. */
  | 'answering'
  /** That takes long: new calls go to the spent thread too. */
  | 'late'
  /** The calls from before are answered. New ones are held again, without limit: else they would keep the thread for ever. */
  | 'closing'
  /** No call is open: the thread is asked whether it may end. */
  | 'asked';

export type WalletLife =
  /** There is no thread; the next call starts one with what an earlier one passed on. */
  | { readonly kind: 'resting'; readonly carried: Carried | undefined }
  /** The thread was lost, and is started again after a while. */
  | { readonly kind: 'starting' }
  /** `isOpen`: a session is open, according to the events so far. */
  | { readonly kind: 'running'; readonly isOpen: boolean }
  | { readonly kind: 'replacing'; readonly isOpen: boolean; readonly step: Step }
  | { readonly kind: 'ending'; readonly carried: Carried }
  | { readonly kind: 'stopped' };

export type LifeEvent =
  | { readonly kind: 'call' | 'unlocked' | 'locked' | 'lost' | 'restart' | 'gone' | 'stop' }
  /** The thread held secrets that nothing needs any more; or it is not used. */
  | { readonly kind: 'spent' }
  /** The calls that were open are answered; or that takes too long. */
  | { readonly kind: 'answered' | 'impatient' }
  /** The thread's answer: it is in use again, or may end. */
  | { readonly kind: 'kept' }
  | { readonly kind: 'retired'; readonly carried: Carried };

export const holdsCalls = (life: WalletLife): boolean =>
  life.kind === 'ending' || (life.kind === 'replacing' && life.step !== 'late');

/** Effects follow when it changes. */
export const stageOf = (life: WalletLife): Exclude<WalletLife['kind'], 'replacing'> | Step =>
  life.kind === 'replacing' ? life.step : life.kind;

export function lifeAfter(life: WalletLife, event: LifeEvent): WalletLife {
  const { kind } = event;
  if (life.kind === 'stopped' || kind === 'stop') return { kind: 'stopped' };
  if (life.kind === 'resting') return kind === 'call' ? { kind: 'running', isOpen: false } : life;
  if (life.kind === 'starting') return kind === 'restart' ? { kind: 'resting', carried: undefined } : life;
  if (life.kind === 'ending') return kind === 'gone' ? { kind: 'resting', carried: life.carried } : life;
  // In use again: held calls need not wait for the thread's end, which may be hours away.
  if (kind === 'unlocked') return { kind: 'running', isOpen: true };
  if (kind === 'locked') return { ...life, isOpen: false };
  if (kind === 'lost') return { kind: 'starting' };
  if (life.kind === 'running')
    return kind === 'spent' ? { kind: 'replacing', isOpen: life.isOpen, step: 'answering' } : life;
  return afterStep(life, event);
}

/** `spent` again changes nothing: the thread is asked in any case, and reports it anew where it is kept. */
function afterStep(life: Extract<WalletLife, { readonly kind: 'replacing' }>, event: LifeEvent): WalletLife {
  const { isOpen, step } = life;
  if (step === 'asked') {
    if (event.kind === 'kept') return { kind: 'running', isOpen };
    return event.kind === 'retired' ? { kind: 'ending', carried: event.carried } : life;
  }
  if (event.kind === 'answered') return { ...life, step: step === 'late' ? 'closing' : 'asked' };
  return event.kind === 'impatient' && step === 'answering' ? { ...life, step: 'late' } : life;
}
