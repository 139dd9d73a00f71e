// What a caller of the devnet has to do differently, in words for them; anything else that is thrown is a fault of its own.
import type * as z from 'zod';

export class DevnetError extends Error {
  override readonly name = 'DevnetError';
  /** What is wrong with which member, where the input has not the form of the call. */
  readonly issues: readonly z.core.$ZodIssue[];

  constructor(message: string, more: { cause?: unknown; issues?: readonly z.core.$ZodIssue[] } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.issues = more.issues ?? [];
  }
}
