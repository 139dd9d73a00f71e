// The errors of the devnet: what its callers have to do differently, in words for them, and what its node answers.
// Anything else that is thrown is a fault of its own.

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

// A JSON-RPC error object; compact servers pass on its code and message for transactions.
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
