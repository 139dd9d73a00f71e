// What every component may use, and the texts of failures.

import { CompanionError } from '@wallet-companion/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Formats } from '../../model/amounts.ts';
import type { Store } from '../live/store.ts';
import type { SyncRunner } from '../live/syncRunner.ts';
import type { Call } from '../live/transport.ts';

export interface App {
  readonly store: Store;
  readonly call: Call;
  readonly formats: Formats;
  readonly runner: SyncRunner;
}

export const AppContext = createContext<App | undefined>(undefined);

export const useApp = (): App => useContext(AppContext)!;

/** A view throws it for an error that does not come from the companion. `at`: the field that it is about. */
export class Objection extends Error {
  readonly at: string | undefined;

  constructor(message: string, at?: string) {
    super(message);
    this.at = at;
  }
}

export function problemText(thrown: unknown): string {
  if (thrown instanceof Objection) return thrown.message;
  if (!(thrown instanceof CompanionError)) return 'That did not work, for a reason the page does not know.';
  if (thrown.code === 'COMPANION_UNREACHABLE') return 'The companion does not answer.';
  const wait = thrown.retryAfterSeconds;
  return wait === undefined ? thrown.message : `${thrown.message} Wait ${Math.ceil(wait)} s.`;
}
