// Which blocks and transactions were scanned: the wallet's numbers are only as complete as this coverage.

import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_SESSION, type Operation } from '../operation.ts';

const hash = field.displayHash
  .nullable()
  .describe(
    'Null where it is not kept: inside a stretch of another account, or beside blocks that were scanned again',
  );
const date = z.string().nullable().describe('Day (UTC), from blocks near it; null where none is known');

const stretch = z.strictObject({
  start_height: field.height,
  start_hash: hash,
  end_height: field.height,
  end_hash: hash,
  verified_with: field.verifier
    .nullable()
    .describe(
      '`node`: the chain node gave these blocks; `work`: peers did, and each fits its header on the chain of most work; null: a compact server alone says what is in them',
    ),
});

const gap = z.strictObject({
  start_height: field.height,
  end_height: field.height,
  start_date: date,
  end_date: date,
});

const accountCoverage = z.strictObject({
  account: field.account,
  birthday_height: field.height,
  complete: z
    .boolean()
    .describe('As of the balance: something was scanned, and nothing up to there is missing'),
  scanned: z
    .array(stretch)
    .describe(
      'Every block of a stretch was scanned with the keys of this account, and each names the one below it by its hash; stretches that touch differ in verified_with',
    ),
  missing: z.array(gap).describe('What is not scanned from the birthday to the highest block that is'),
  statement: z.string().describe('The same in words'),
});

export const coverageOperations = {
  'coverage.get': {
    actor: 'wallet',
    access: 'session',
    reach: ['read', 'sync'],
    summary: 'Which blocks were scanned, from hash to hash, and which are missing',
    input: z.strictObject({ account: field.onlyAccount }),
    output: z.strictObject({
      accounts: z.array(accountCoverage),
      finished_at: field.time
        .nullable()
        .describe('End of the last scan, where it left nothing missing; null after a restart'),
    }),
    http: { method: 'GET', path: '/api/coverage' },
    ipc: 'coverage',
    cli: { words: ['coverage'], columns: ['account', 'complete', 'statement'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
