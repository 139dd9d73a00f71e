// Payments that other programs sign: what a PCZT (ZIP 374) is about to do. A PCZT reveals what a viewing key reveals,
// so it travels only in bodies, and nothing repeats it.

import * as z from 'zod';
import * as field from '../fields.ts';
import type { Operation } from '../operation.ts';
import { MAX_INPUT_BYTES, pczt, place } from './preparedPaymentFields.ts';

/** An amount that may be positive or negative. */
const signedZatoshi = z.int().describe('In zatoshi; negative the other way round');
const address = z.string().nullable();
const amount = field.zatoshi.nullable().describe('Null where it was left out');
const owned = {
  ours: z
    .boolean()
    .nullable()
    .describe('Whether a key of the open wallet made the address; null where nobody can tell'),
  account: field.account.nullable(),
  scope: field.scope.nullable(),
};

const spend = z.strictObject({
  pool: place,
  index: field.count.describe('Among the actions, Sapling spends or transparent inputs'),
  role: z.enum(['spend', 'padding']),
  amount_zatoshi: amount,
  address: address.describe('The address of the note that is spent; null where it was left out'),
  ...owned,
  note: z
    .enum(['unspent', 'spent', 'unknown'])
    .nullable()
    .describe('What the open wallet knows of the note; null where no wallet is open'),
  signed: z
    .boolean()
    .describe('By its key; of transparent inputs to a script only that there is a signature'),
  verified: z.boolean().describe('Address and amount were made again from what is signed'),
});

const output = z.strictObject({
  pool: place,
  index: field.count.describe('Among the actions, Sapling outputs or transparent outputs'),
  role: z.enum(['payment', 'change', 'padding']),
  amount_zatoshi: amount,
  address: address.describe('The receiver that is paid'),
  typed_address: address.describe('What a person typed for it, where that holds the receiver'),
  contact: z.string().nullable().describe('The contact whose receiver that is, where it is verified'),
  memo: field.memo.describe('Null where there is none, and where it cannot be read'),
  ...owned,
  verified: z.boolean().describe('Address, amount and memo were made again from what is signed'),
});

export const paymentOperations = {
  'pczt.inspect': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['prepare'],
    summary: 'What a PCZT pays, shows and lacks, before anybody signs it',
    input: z.strictObject({ pczt }),
    maxInputBytes: MAX_INPUT_BYTES,
    output: z.strictObject({
      encoding: z.int().min(1).max(2),
      txid: field.displayHash
        .nullable()
        .describe('Known before it is signed; null while a field that it follows from is missing'),
      transaction_version: z.int(),
      network_upgrade: z.string(),
      expiry_height: field.height.describe('As it is signed; 0: never'),
      last_height: field.height
        .nullable()
        .describe(
          'The last block that can have it: that, or the last one before an upgrade that is nearer; null: no end is known',
        ),
      lock_time: field.count.nullable().describe('Null where its inputs ask for what cannot be'),
      compared_with_wallet: z
        .boolean()
        .describe('False while no wallet is open: then nobody knows what is ours, and change is guessed'),
      as_of_height: field.height
        .nullable()
        .describe('The height that expiry was held against; null: nothing was'),
      fee_zatoshi: signedZatoshi,
      conventional_fee_zatoshi: field.zatoshi.describe('ZIP 317'),
      spends: z.array(spend),
      outputs: z.array(output),
      becomes_public: z.strictObject({
        statements: z.array(z.string()).describe('In words'),
        leaves_pools: z.array(z.strictObject({ pool: field.pool, amount_zatoshi: signedZatoshi })),
        transparent_inputs: field.count,
        transparent_outputs: field.count,
      }),
      missing: z
        .array(
          z.strictObject({
            pool: place,
            signatures: field.count,
            proofs: z.boolean(),
            binding_key: z.boolean(),
          }),
        )
        .describe('Empty when nothing is: then it can be sent'),
      warnings: z.array(
        z.strictObject({
          code: z.string(),
          field: z.string().describe('Such as orchard.actions[1].output; empty: the whole'),
          text: z.string(),
        }),
      ),
    }),
    http: { method: 'POST', path: '/api/pczt/inspect' },
    ipc: 'pczt_inspect',
    cli: { words: ['pay', 'inspect'], positional: ['pczt'], files: ['pczt'], view: 'inspection' },
    errors: ['INVALID_PCZT'],
  },
} as const satisfies Record<string, Operation>;
