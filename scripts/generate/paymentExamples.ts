// Examples of the operations on prepared payments and on receipts (examples.ts has the others).

import type { preparedPaymentOperations } from '../../src/protocol/operations/preparedPayments.ts';
import type { receiptOperations } from '../../src/protocol/operations/receipts.ts';
import type { Input, OperationName, Output } from '../../src/protocol/operations.ts';

export type Examples = {
  readonly [N in OperationName]: {
    readonly input: Input<N>;
    readonly output: Output<N>;
    /** Fields that exclude others, that belong to a later page, or that few callers need. */
    readonly unshown?: readonly (keyof Input<N>)[];
  };
};

const PASSWORD = 'correct horse';
const TIME = '2026-01-02T03:04:05Z';
const TXID = '1ed1dae8155692ded03719c16a9db96bf54a483db3482b229d3016163a508bda';
const PAYMENT_ID = '5f0c1d9a0b7e4c6f8a2d3b4c5d6e7f80';
const PCZT = 'UENaVAIAAAA=';

/** Of a made-up transaction. */
const RECEIPT = [
  'eyJ2ZXJzaW9uIjoiemVjZWlwdC12MCIsIm5ldHdvcmsiOiJ0ZXN0IiwicG9vbCI6Imlyb253b29kIiwidHhpZCI6Im',
  'EwYjBhYjc4YzU3OTY0MDk3ZjE4MDc2NjkzZTQ4OGI5Yjc2NDU1NTQ5NWIxODJmNzViMzEyNDc4YjNiZTQ2NzYiLCJv',
  'dXRwdXRfaW5kZXgiOjAsIm9jayI6Im80aVJ3bFRUX3VWNW1kd1VubDFDNVlaYkJEMHZhanhtcW9xTlFPVnJvc2siLC',
  'JsYWJlbCI6Imludm9pY2UgNCIsInppcDMxMV9wcm9maWxlIjoib3V0cHV0cy1vbmx5In0',
].join('');
const receiptShown = {
  pool: 'ironwood',
  output_index: 0,
  value_zatoshi: 150_000_000,
  recipient: 'u1typed',
  memo: { text: 'rent' },
} as const;

const prepared: Output<'payments.get'> = {
  payment_id: PAYMENT_ID,
  account: 0,
  status: 'prepared',
  txid: TXID,
  created_at: TIME,
  refund_of: null,
  payments: [
    {
      pool: 'ironwood',
      address: 'u1typed',
      contact: null,
      amount_zatoshi: 150_000_000,
      memo: { text: 'rent' },
    },
  ],
  change: { pool: 'ironwood', amount_zatoshi: 49_975_000, notes: 4 },
  fee_zatoshi: 25_000,
  becomes_public: [],
  notes: [{ pool: 'ironwood', txid: TXID, output_index: 0, value_zatoshi: 200_000_000 }],
  inputs: [],
  reserved_zatoshi: 200_000_000,
  anchor_height: 1_000_047,
  expiry_height: 1_000_090,
  last_height: 1_000_090,
  expires_at: TIME,
  missing: [{ pool: 'ironwood', signatures: 1, proofs: true, signer_keys: false }],
  proving_since: null,
  waits_for: null,
  mined_height: null,
  confirmations: 0,
  last_sent: null,
};

const INVOICE_ID = '00112233445566778899aabbccddeeff';

const complete: Output<'payments.get'> = { ...prepared, status: 'complete', missing: [] };

const order = {
  uri: 'zcash:u1typed?amount=1.5',
  recipients: [{ address: 'u1typed', amount: '1.5', memo: 'rent' }],
  address: 'u1typed',
  contact: 'Alice',
  amount: '1.5',
  zatoshi: 150_000_000,
  memo: 'rent',
  everything: true,
  account: 0,
  confirmations: 10,
  change_confirmations: 3,
  expiry_height: 1_000_090,
  privacy: ['crossing_pools'],
  change: 'kept',
  pools: ['ironwood'],
  max_actions: 32,
  account_index: 1,
  seed_fingerprint: 'de'.repeat(32),
  try_anyway: true,
  source: 'node',
  password: PASSWORD,
} satisfies Input<'payments.prepare'>;
const UNSHOWN_ORDER = [
  'uri',
  'contact',
  'recipients',
  'zatoshi',
  'everything',
  'change_confirmations',
  'expiry_height',
  'pools',
  'max_actions',
  'account_index',
  'seed_fingerprint',
  'try_anyway',
] as const;

export const paymentExamples: Pick<
  Examples,
  keyof typeof preparedPaymentOperations | keyof typeof receiptOperations
> = {
  'payments.pay': {
    input: { idempotency_key: 'order-1042', ...order, signer: 'own' },
    output: {
      payment_id: PAYMENT_ID,
      account: 0,
      status: 'sent',
      txid: TXID,
      created_at: TIME,
      fee_zatoshi: 10_000,
      mined_height: null,
      confirmations: 0,
      waits_for: null,
      repeated: false,
      kept: true,
    },
    unshown: UNSHOWN_ORDER,
  },
  'payments.prepare': {
    input: order,
    output: { ...prepared, pczt: PCZT, encoding: 2, left: { zatoshi: 20_000, payments: 1 }, warnings: [] },
    unshown: UNSHOWN_ORDER,
  },
  'payments.shield': {
    input: {
      account: 0,
      join_addresses: true,
      max_inputs: 10,
      first_index: 20,
      expiry_height: 1_000_090,
      account_index: 1,
      seed_fingerprint: 'de'.repeat(32),
      try_anyway: true,
      source: 'node',
      password: PASSWORD,
    },
    output: {
      ...prepared,
      payments: [],
      change: { pool: 'ironwood', amount_zatoshi: 199_985_000, notes: 1 },
      fee_zatoshi: 15_000,
      becomes_public: [
        { consent: 'transparent_senders', pool: null, address: 't1own', amount_zatoshi: 200_000_000 },
      ],
      notes: [],
      inputs: [{ txid: TXID, output_index: 0, address: 't1own', value_zatoshi: 200_000_000 }],
      reserved_zatoshi: 0,
      missing: [
        { pool: 'transparent', signatures: 1, proofs: false, signer_keys: false },
        { pool: 'ironwood', signatures: 0, proofs: true, signer_keys: false },
      ],
      pczt: PCZT,
      encoding: 2,
      left: { zatoshi: 20_000, payments: 1 },
      warnings: [],
    },
    unshown: ['first_index', 'expiry_height', 'account_index', 'seed_fingerprint', 'try_anyway'],
  },
  'payments.refund': {
    input: {
      invoice_id: INVOICE_ID,
      address: 'u1typed',
      contact: 'Alice',
      confirmed: true,
      amount: '1.5',
      zatoshi: 150_000_000,
      memo: 'refund of order 1042',
      expiry_height: 1_000_090,
      privacy: ['crossing_pools'],
      account_index: 1,
      seed_fingerprint: 'de'.repeat(32),
      try_anyway: true,
      source: 'node',
      password: PASSWORD,
    },
    output: {
      ...prepared,
      refund_of: INVOICE_ID,
      pczt: PCZT,
      encoding: 2,
      left: null,
      warnings: [],
    },
    unshown: [
      'contact',
      'zatoshi',
      'expiry_height',
      'privacy',
      'account_index',
      'seed_fingerprint',
      'try_anyway',
      'source',
    ],
  },
  'payments.list': {
    input: { account: 0, open: true, limit: 100, cursor: 'eyJwIjoxfQ' },
    output: { payments: [prepared], next_cursor: null },
    unshown: ['cursor'],
  },
  'payments.get': { input: { payment_id: PAYMENT_ID }, output: prepared },
  'payments.pczt': {
    input: { payment_id: PAYMENT_ID, reader: 'signer' },
    output: { payment_id: PAYMENT_ID, reader: 'signer', pczt: PCZT, encoding: 2 },
  },
  'payments.combine': {
    input: { payment_id: PAYMENT_ID, pczt: PCZT, replace_proofs: true, password: PASSWORD },
    output: { ...complete, signatures_added: 1, proofs_added: 1, left_out: [] },
    unshown: ['replace_proofs'],
  },
  'payments.batch': {
    input: { payment_ids: [PAYMENT_ID], password: PASSWORD },
    output: { batch: 'UENaQgEAAAA=', request_id: '0f'.repeat(16), signatures: 1 },
  },
  'payments.combine_batch': {
    input: { payment_ids: [PAYMENT_ID], answer: 'UENaUwEAAAABAA==', password: PASSWORD },
    output: { payments: [{ ...complete, signatures_added: 1, proofs_added: 0, left_out: [] }] },
  },
  'payments.sign': {
    input: { payment_id: PAYMENT_ID, txid: TXID, signer: 'own', password: PASSWORD },
    output: { ...prepared, signatures_added: 1, proofs_added: 0, left_out: [] },
  },
  'payments.prove': {
    input: { payment_id: PAYMENT_ID, replace: true, source: 'node', password: PASSWORD },
    output: { ...complete, proofs_added: 1, anchored_again: false },
    unshown: ['replace', 'source'],
  },
  'payments.broadcast': {
    input: { payment_id: PAYMENT_ID, source: 'node', password: PASSWORD },
    output: {
      ...complete,
      status: 'sent',
      last_sent: { at: TIME, source: 'node', server: null, outcome: 'accepted', detail: null },
    },
  },
  'payments.discard': {
    input: { payment_id: PAYMENT_ID, password: PASSWORD },
    output: {
      ...prepared,
      status: 'discarded',
      reserved_zatoshi: 0,
      expires_at: null,
      warning: 'Anyone with a signed copy can still send it until it expires.',
    },
  },
  'receipts.create': {
    input: {
      txid: TXID,
      pool: 'ironwood',
      output_index: 0,
      label: 'invoice 17',
      source: 'node',
      password: PASSWORD,
    },
    output: {
      receipts: [{ ...receiptShown, label: 'invoice 17', receipt: RECEIPT }],
      warning: 'It does not prove who paid.',
    },
    unshown: ['source'],
  },
  'receipts.verify': {
    input: {
      receipt: RECEIPT,
      transaction: '0600008047f7b52c',
      challenge: 'YXNrZWQ',
      source: 'node',
      password: PASSWORD,
    },
    output: {
      result: 'valid',
      reason: null,
      explanation: 'It does not prove who paid.',
      network: 'test',
      txid: TXID,
      ...receiptShown,
      label: 'invoice 17',
      signed: false,
      issuer_pubkey: null,
      issuer_key_id: null,
      chain: 'mined',
      mined_height: 1_000_050,
      confirmations: 12,
    },
    unshown: ['transaction', 'challenge'],
  },
};
