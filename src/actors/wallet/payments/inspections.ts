// Inspects PCZTs on request, one at a time and in steps: the thread answers other calls meanwhile. An open wallet marks
// what belongs to it; without one the other facts are reported.

import { setImmediate as otherWork } from 'node:timers/promises';
import { ShortQueue } from '@wallet-companion/base/async';
import { FormatError, wipe } from '@wallet-companion/base/bytes';
import { fromBase64 } from '@wallet-companion/base/memory';
import { decodePczt, inspectingPczt } from '@wallet-companion/pczt/pczt';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { Session } from '../session/session.ts';
import type { SessionContext } from '../session/sessions.ts';
import { type Comparison, inspectionView } from './inspectionView.ts';
import { busyWithPczts, unreadablePczt } from './paymentErrors.ts';

/** A large PCZT takes seconds, and a caller does not wait for many. */
const MAX_WAITING = 16;

export class Inspections {
  readonly #context: SessionContext;
  readonly #turns = new ShortQueue(MAX_WAITING);

  constructor(context: SessionContext) {
    this.#context = context;
  }

  async inspect({ pczt }: Input<'pczt.inspect'>): Promise<Output<'pczt.inspect'>> {
    if (this.#turns.isFull) throw busyWithPczts();
    return this.#turns.run(() => this.#look(fromBase64(pczt)));
  }

  async #look(bytes: Uint8Array): Promise<Output<'pczt.inspect'>> {
    try {
      for (;;) {
        const answer = await this.#lookOnce(bytes);
        if (answer !== undefined) return answer;
      }
    } catch (error) {
      if (error instanceof FormatError) throw unreadablePczt(error);
      throw error;
    } finally {
      wipe(bytes);
    }
  }

  /** Undefined where the keys were wiped meanwhile: the wallet was locked, or got another account. */
  async #lookOnce(bytes: Uint8Array): Promise<Output<'pczt.inspect'> | undefined> {
    const { params, sessions } = this.#context;
    const session = sessions.current && sessions.use();
    const keys = session?.scanKeys;
    const isStale = (): boolean => sessions.current !== session || session?.scanKeys !== keys;
    const { encoding, pczt } = decodePczt(bytes);
    const comparison = session && comparisonWith(session);
    const steps = inspectingPczt(pczt, {
      params,
      ...(keys === undefined ? {} : { ownKeys: keys.incoming }),
      ...(comparison?.asOfHeight === undefined ? {} : { tipHeight: comparison.asOfHeight }),
    });
    for (;;) {
      const step = steps.next();
      if (step.done === true) return inspectionView(encoding, step.value, comparison);
      await otherWork();
      if (isStale()) return undefined;
    }
  }
}

function comparisonWith(session: Session): Comparison {
  const { noteStore, addressBook } = session;
  const top = noteStore.lastScanHeight;
  const own = session.ownAddresses();
  return {
    contactAt: (address) => addressBook.at(address)?.name,
    doubtAbout: (address) => addressBook.doubtAbout(address, own),
    asOfHeight: noteStore.isScanned(top) ? top : undefined,
    noteOf(pool, nullifier) {
      const note = noteStore.byNullifier(pool, nullifier, 0);
      return note && { account: note.account, isSpent: note.spent !== null };
    },
  };
}
