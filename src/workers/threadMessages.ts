// What the main thread and a worker thread tell each other outside the mailboxes: start, wiring and the end.

import type { MessagePort } from 'node:worker_threads';
import type { Config } from '../actors/wallet/ports/storage.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import type { HealthReport } from '../protocol/link.ts';

export interface WalletThreadData {
  readonly configDir: string;
  readonly dataDir: string;
  /** What `serve` flags override; never written to config.json. */
  readonly overrides: Partial<Config>;
  readonly version: string;
  readonly scanThreads: number;
  readonly follow: boolean;
  readonly front: MessagePort;
  readonly chain: MessagePort;
}

export interface ChainThreadData {
  readonly front: MessagePort;
  readonly wallet: MessagePort;
}

export type ToWalletThread =
  | { readonly kind: 'chain'; readonly port: MessagePort }
  | { readonly kind: 'stop' };
export type ToChainThread = { readonly kind: 'wallet'; readonly port: MessagePort };
export type FromWalletThread =
  | { readonly kind: 'event'; readonly event: CompanionEvent }
  | { readonly kind: 'kernel'; readonly kernel: HealthReport['kernel'] }
  /** The chain thread knows the configuration. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'stopped' };
