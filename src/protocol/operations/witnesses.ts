// What another program needs of a note to build the transaction that spends it.

import * as z from 'zod';
import * as field from '../fields.ts';
import { ASKS_SOURCE, NEEDS_SESSION, type Operation } from '../operation.ts';

export const witnessOperations = {
  'notes.witness': {
    actor: 'wallet',
    access: 'session',
    reach: ['prepare'],
    summary:
      'The path from a note to the root of its tree at an anchor height, folded and compared before it is given',
    input: z.strictObject({
      txid: field.txid.describe('The transaction that made the note'),
      pool: field.pool,
      output_index: field.count.describe('As `notes` tells it'),
      anchor_height: field.height
        .optional()
        .describe(
          "A scanned block: among the chain's last 1,100 or the 11 newest that were scanned, or a multiple of 1,000; default: the highest scanned block less 2",
        ),
      source: field.source.optional(),
    }),
    output: z.strictObject({
      account: field.account,
      pool: field.pool,
      txid: field.displayHash,
      output_index: field.count,
      height: field.height.describe('The height of the block with the note'),
      commitment: field.protocolHex.describe(
        'cmu or cmx as it lies at the position; compare it with that of the note',
      ),
      position: field.count.describe("Position in the pool's note commitment tree"),
      path: z.array(field.protocolHex).describe('The 32 siblings, from the leaf upwards'),
      root: field.protocolHex.describe('The anchor: what commitment, position and path lead to'),
      anchor_height: field.height,
      anchor_hash: field.displayHash.describe('The hash of the block whose final root it is'),
    }),
    http: { method: 'GET', path: '/api/notes/witness' },
    ipc: 'notes_witness',
    cli: { words: ['notes', 'witness'], positional: ['txid', 'pool', 'output_index'] },
    hasNoDeadline: true,
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'INVALID_RANGE', 'WITNESS_MISMATCH', ...ASKS_SOURCE],
  },
} as const satisfies Record<string, Operation>;
