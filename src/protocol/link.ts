// All that a front knows of the rest: how to dispatch operations, whatever thread, process or machine answers.

import type { CompanionEvent, EventListener } from './events.ts';
import type { CallContext, OperationName, Output } from './operations.ts';
import type { Result } from './result.ts';

export interface HealthReport {
  readonly wallet: 'up' | 'down';
  readonly chain: 'up' | 'down';
  /** The trial-decryption kernel in use, and why it is not the fastest one; null before the first scan. */
  readonly kernel: { readonly variant: string; readonly reason?: string } | null;
  /** How often each thread was lost and started again. */
  readonly restarts: { readonly wallet: number; readonly chain: number };
}

/** Calls as the bytes of JSON texts, for a front that forwards secrets without reading them. */
export interface JsonLink {
  /** Takes ownership of the body. The caller wipes the answer. Never rejects. */
  dispatchJson(
    name: OperationName,
    body: Uint8Array<ArrayBuffer>,
    context: CallContext,
  ): Promise<Result<Uint8Array>>;
}

export interface Dispatcher {
  /** Never rejects: a lost thread or a broken connection is a failure result too. The input is validated on arrival. */
  dispatch<N extends OperationName>(
    name: N,
    input: unknown,
    context: CallContext,
  ): Promise<Result<Output<N>>>;
}

export interface EventPublisher {
  /** Subscribes to the default wallet, or to the named one. Returns the function that unsubscribes. */
  subscribe(listener: EventListener, wallet?: string): () => void;
}

/** The events of all wallets, each with its name; those of the companion have that of the default one. */
export interface AllEvents {
  subscribeToAll(listener: (event: CompanionEvent, wallet: string) => void): () => void;
}

export interface HealthSource {
  health(): Promise<HealthReport>;
}

export interface Link extends Dispatcher, EventPublisher, HealthSource {}
