// The inputs of the devnet's HTTP calls. Strict, and bounded by what one call may mine while all other calls wait.

import { MAX_MONEY, TX_VERSIONS } from '@wallet-companion/zcash/network';
import { MEMO_SIZE } from '@wallet-companion/zcash/notes';
import { POOLS, perPool } from '@wallet-companion/zcash/pools';
import * as z from 'zod';

export const MAX_BLOCKS = 1_000;
const MAX_TRAFFIC_OUTPUTS = 5_000;
const MAX_TRANSACTIONS = 100;
const MAX_PAYMENTS = 100;
const MAX_HEIGHT = 2 ** 31 - 1;
const MAX_TEXT = 2_048;

const pool = z.enum(POOLS);
const zatoshi = z.int().min(0).max(Number(MAX_MONEY));
const height = z.int().min(0).max(MAX_HEIGHT);
const txid = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hex digits in lower case' });
const address = z.string().max(MAX_TEXT);
const viewingKey = z.string().max(MAX_TEXT);
const version = z.literal(TX_VERSIONS);
const count = z.int().min(1).max(MAX_BLOCKS);

const memo = {
  memo: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= MEMO_SIZE, { error: `must be at most ${MEMO_SIZE} bytes` })
    .optional(),
  memo_hex: z
    .string()
    .regex(/^[0-9a-f]{1024}$/, { error: `must be ${MEMO_SIZE} bytes in lower-case hex` })
    .optional(),
};

const leaves = z.strictObject(perPool(() => z.int().min(0).max(MAX_TRAFFIC_OUTPUTS).optional()));

/** To a shielded pool, or transparently. */
const place = z.enum([...POOLS, 'transparent']);

const paid = {
  pool: place,
  zatoshi,
  ...memo,
  flaw: z.enum(['wrong-commitment', 'wrong-lead-byte', 'wrong-ephemeral-key', 'excessive-value']).optional(),
};

const payment = z.strictObject({ address: address.optional(), ...paid });
const payments = z.array(payment).max(MAX_PAYMENTS);

const spending = {
  viewing_key: viewingKey.optional(),
  from: z.union(
    [
      pool,
      z
        .array(z.strictObject({ txid, pool, output_index: z.int().min(0) }))
        .min(1)
        .max(MAX_PAYMENTS),
    ],
    { error: 'must be a pool, or a list of notes' },
  ),
  payments,
  change_pool: pool.optional(),
  version: version.optional(),
};

const transaction = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('pay'),
      payments: payments.min(1),
      payer: place.optional(),
      other_outputs: leaves.optional(),
      version: version.optional(),
    }),
    z.strictObject({ kind: z.literal('traffic'), outputs: leaves, version: version.optional() }),
    z.strictObject({ kind: z.literal('send'), ...spending }),
    z.strictObject({ kind: z.literal('again'), txid }),
  ],
  { error: 'must be of kind pay, traffic, send or again' },
);

const block = {
  transactions: z.array(transaction).max(MAX_TRANSACTIONS).optional(),
  coinbase: z.strictObject({ address: address.optional(), pool: place.optional(), ...memo }).optional(),
  takes_sent: z.boolean().optional(),
};

const timing = {
  times: z.int().min(1).optional(),
  after: z.int().min(0).optional(),
};

const nodeFault = z.strictObject({
  server: z.literal('node'),
  kind: z.enum([
    'garbage',
    'truncated',
    'no-result',
    'wrong-result',
    'error',
    'http-500',
    'unauthorized',
    'hang-up',
    'stall',
    'other-network',
    'flipped-bit',
    'more-leaves',
  ]),
  method: z.string().max(64).optional(),
  height: height.optional(),
  at: z.int().min(0).optional(),
  leaves: leaves.optional(),
  ...timing,
});

const compactFault = z.strictObject({
  server: z.literal('compact'),
  kind: z.enum([
    'short-stream',
    'gap',
    'duplicate',
    'stale-branch',
    'garbage',
    'stall',
    'lost',
    'error',
    'not-offered',
    'omission',
    'other-network',
  ]),
  method: z
    .enum([
      'GetLatestBlock',
      'GetBlock',
      'GetBlockRange',
      'GetTransaction',
      'SendTransaction',
      'GetTreeState',
      'GetLightdInfo',
    ])
    .optional(),
  at: height.optional(),
  omission: z
    .strictObject({
      what: z.enum(['transactions', 'outputs', 'sapling-spends', ...POOLS]),
      sizes: z.enum(['true', 'counted']),
    })
    .optional(),
  ...timing,
});

const chain = {
  seed: z.string().min(1).max(256).optional(),
  activation_heights: z.record(z.string().max(32), height.min(1)).optional(),
};

const server = z.enum(['node', 'compact']);
const nothing = z.strictObject({});

export const INPUTS = {
  '/': nothing,
  '/chain': nothing,
  '/blocks': z.strictObject({
    from: z.coerce.number().pipe(height).optional(),
    to: z.coerce.number().pipe(height).optional(),
  }),
  '/wallet': nothing,
  '/notes': z.strictObject({ viewing_key: viewingKey.optional() }),
  '/pay': z.strictObject({
    address: address.optional(),
    ...paid,
    payer: place.optional(),
    version: version.optional(),
  }),
  '/send': z.strictObject(spending),
  '/mine': z.strictObject({ blocks: count.optional(), ...block }),
  '/traffic': z.strictObject({
    outputs: z.union([z.int().min(1).max(MAX_TRAFFIC_OUTPUTS), leaves], {
      error: 'must be a number, or a number for each pool',
    }),
    blocks: count.optional(),
  }),
  '/reorg': z.strictObject({
    depth: z.int().min(1).max(MAX_BLOCKS),
    blocks: z
      .union([z.int().min(0).max(MAX_BLOCKS), z.array(z.strictObject(block)).max(MAX_BLOCKS)], {
        error: 'must be a number, or a list of blocks',
      })
      .optional(),
  }),
  '/faults': z.discriminatedUnion('server', [nodeFault, compactFault], {
    error: 'must be node or compact',
  }),
  '/faults/clear': z.strictObject({ server: server.optional() }),
  '/later': z.strictObject({
    server,
    answers: z.int().min(0).max(1_000_000),
    call: z.enum(['/pay', '/send', '/mine', '/traffic', '/reorg', '/faults', '/faults/clear']),
    input: z.unknown().optional(),
  }),
  '/reset': z.strictObject(chain),
} as const;

export type CallInput<Path extends keyof typeof INPUTS> = z.output<(typeof INPUTS)[Path]>;
export type PaymentInput = z.output<typeof payment>;
export type TransactionInput = z.output<typeof transaction>;
export type SendInput = CallInput<'/send'>;
export type BlockInput = Pick<CallInput<'/mine'>, 'transactions' | 'coinbase' | 'takes_sent'>;
export type LeavesInput = z.output<typeof leaves>;
