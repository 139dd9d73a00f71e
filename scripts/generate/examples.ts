// One input with every field and one answer for each operation: tests send them through every surface, and the
// documentation shows them without the fields that no single request has (shownExample.ts).

import { perPoolName } from '../../src/protocol/fields.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { type Examples, paymentExamples } from './paymentExamples.ts';

const TXID = '1ed1dae8155692ded03719c16a9db96bf54a483db3482b229d3016163a508bda';
const HASH = '9c37deba104b62d674312630c43606e8132450bbe3f8fa749b0e4fcb7233a6a4';
const PHRASE = `${'abandon '.repeat(11)}about`;
const PASSWORD = 'correct horse';
const TIME = '2026-01-02T03:04:05Z';

const config: Output<'config.get'> = {
  node_url: 'http://127.0.0.1:8232',
  compact_server_url: 'http://127.0.0.1:9067',
  last_scan_height: 1_000_049,
  theme: 'dark',
  network: 'main',
  birthday_height: 1_000_000,
  min_confirmations: 1,
  auto_lock_seconds: 900,
  allowed_origins: ['chrome-extension://abcdefghijklmnopabcdefghijklmnop'],
};

const poolBalance = { total_zatoshi: 5, confirmed_zatoshi: 4, note_count: 1 };

const address: Output<'address.get'> = {
  unified_address: 'u1example',
  sapling_address: 'zs1example',
  diversifier_index: '0',
};

const requested = {
  account: 0,
  diversifier_index: '0',
  address: 'u1example',
  amount: '1.5',
  zatoshi: 150_000_000,
  memo: 'order 17',
  label: 'Shop',
  message: 'Thank you',
} as const;
const PAYMENT_URI = 'zcash:u1example?amount=1.5&memo=b3JkZXIgMTc&label=Shop&message=Thank%20you';

const progress = {
  source: 'node',
  start_height: 1,
  end_height: 1000,
  committed_height: 640,
  blocks_scanned: 640,
  blocks_total: 1000,
  outputs_scanned: 12_345,
  notes_found: 2,
  elapsed_ms: 2000,
  blocks_per_second: 320,
  outputs_per_second: 6172.5,
  eta_seconds: 1.125,
  limited_by: 'scanning',
  bounded_by: 'cpu',
  received_bytes: 1_500_000,
  received_bytes_per_second: 750_000,
  work_done: 40_000,
  work_total: 2_000_000,
  work_eta_seconds: 310.5,
  cancelling: false,
} as const;

const pairings = {
  requests: [
    {
      origin: 'moz-extension://1b4e28ba-2fa1-11d2-883f-0016d3cca427',
      name: 'Shop helper',
      code: 'K7F-2QX',
      asked_at: TIME,
      expires_at: TIME,
    },
  ],
  allowed_origins: ['chrome-extension://abcdefghijklmnopabcdefghijklmnop'],
};

const mempool: Output<'mempool.list'> = {
  source: 'node',
  looked_at: TIME,
  complete: true,
  trouble: null,
  unconfirmed_zatoshi: 7,
  spent_unconfirmed_zatoshi: 5,
  unconfirmed_as_of: TIME,
  transactions: [
    {
      txid: TXID,
      first_seen_at: TIME,
      expiry_height: 1_000_090,
      notes: [
        {
          account: 0,
          pool: 'orchard',
          scope: 'external',
          output_index: 1,
          value_zatoshi: 7,
          diversifier_index: '0',
          label: 'donations',
          memo: { text: 'order 17' },
        },
      ],
      spends: [{ account: 0, pool: 'orchard', txid: TXID, output_index: 0, value_zatoshi: 5 }],
    },
  ],
  vanished: [{ txid: TXID, reason: 'expired', at: TIME, received_zatoshi: 3, spent_zatoshi: 0 }],
};

const following: Output<'follow.get'> = {
  enabled: true,
  source: 'compact',
  keep_open: true,
  state: 'backing_off',
  last_tip_height: 1_000_060,
  last_new_block_at: TIME,
  next_look_at: TIME,
  failure: { code: 'COMPACT_SERVER_UNREACHABLE', detail: 'The compact server cannot be reached.', at: TIME },
};

export const examples: Examples = {
  ...paymentExamples,
  'pairing.request': {
    input: {
      origin: 'moz-extension://1b4e28ba-2fa1-11d2-883f-0016d3cca427',
      name: 'Shop helper',
      password: PASSWORD,
    },
    output: { status: 'waiting', code: 'K7F-2QX', expires_at: TIME },
  },
  'pairing.list': { input: {}, output: pairings },
  'pairing.allow': { input: { code: 'K7F-2QX', password: PASSWORD }, output: pairings },
  'pairing.refuse': { input: { code: 'K7F-2QX', password: PASSWORD }, output: pairings },
  'pairing.revoke': {
    input: { origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop', password: PASSWORD },
    output: pairings,
  },
  'wallet.exists': { input: {}, output: { exists: true } },
  'wallet.status': {
    input: {},
    output: { exists: true, unlocked: true, expires_at: TIME, syncing: false, network: 'main' },
  },
  'wallet.create': {
    input: { password: PASSWORD, word_count: 12, birthday_height: 1_000_000 },
    output: { mnemonic: PHRASE, unified_address: 'u1example', birthday_height: 1_000_000, network: 'main' },
  },
  'wallet.restore': {
    input: {
      mnemonic: PHRASE,
      password: PASSWORD,
      birthday_height: 1_000_000,
      birthday: '2021-06',
      bip39_passphrase: 'x',
    },
    unshown: ['birthday_height', 'bip39_passphrase'],
    output: { unified_address: 'u1example', birthday_height: 1_260_000, network: 'main', unlocked: true },
  },
  'wallet.import_viewing_key': {
    input: { viewing_key: 'uview1example', password: PASSWORD, birthday_height: 1_000_000, birthday: '2021' },
    unshown: ['birthday'],
    output: {
      unified_address: 'u1example',
      birthday_height: 1_000_000,
      network: 'main',
      unlocked: true,
      kind: 'full',
    },
  },
  'wallet.unlock': {
    input: { password: PASSWORD },
    output: { unlocked: true, expires_at: TIME, unified_address: 'u1example' },
  },
  'wallet.lock': { input: { password: PASSWORD }, output: { unlocked: false } },
  'wallet.change_password': {
    input: { password: PASSWORD, new_password: 'battery staple' },
    output: { changed: true },
  },
  'wallet.backup': {
    input: { password: PASSWORD },
    output: { mnemonic: PHRASE, bip39_passphrase: null, birthday_height: 1_000_000, network: 'main' },
  },
  'wallet.rescan': {
    input: { from_height: 7, password: PASSWORD },
    output: { last_scan_height: 6, next_start_height: 7 },
  },
  'wallet.viewing_key': {
    input: { password: PASSWORD, account: 0 },
    output: {
      account: 0,
      viewing_key: 'uview1example',
      kind: 'full',
      birthday_height: 1_000_000,
      network: 'main',
    },
  },
  'config.get': { input: {}, output: config },
  'config.node_url': {
    input: { url: 'http://127.0.0.1:8232', probe: true, password: PASSWORD },
    output: config,
  },
  'config.compact_server_url': {
    input: { url: 'https://compact.example:9067', password: PASSWORD },
    output: config,
  },
  'config.theme': { input: { theme: 'dark', password: PASSWORD }, output: config },
  'balance.get': {
    input: { account: 0 },
    output: {
      total_zatoshi: 15,
      confirmed_zatoshi: 12,
      pending_zatoshi: 3,
      reserved_zatoshi: 4,
      unconfirmed_zatoshi: 7,
      spent_unconfirmed_zatoshi: 5,
      unconfirmed_as_of: TIME,
      note_count: 3,
      pools: perPoolName(poolBalance),
      as_of_height: 1_000_049,
      as_of_hash: HASH,
      complete: false,
      missing_ranges: [{ start_height: 10, end_height: 20 }],
      verified_with: null,
    },
  },
  'address.get': { input: { account: 0, diversifier_index: '309485009821345068724781055' }, output: address },
  'address.next': { input: { account: 0, password: PASSWORD }, output: address },
  'notes.list': {
    input: { account: 0, pool: 'orchard', unspent: true, limit: 10, cursor: 'abc' },
    unshown: ['cursor'],
    output: {
      notes: [
        {
          account: 0,
          pool: 'orchard',
          scope: 'external',
          value_zatoshi: 3_411_110,
          height: 1_000_003,
          txid: TXID,
          output_index: 1,
          position: 26,
          nullifier: '046ae0240691df9bf1803d61dbfa70a5a47973e6833495a4c66973362f5e463d',
          diversifier_index: '0',
          label: 'donations',
          memo: { text: 'orchard \u{1f916} memo' },
          confirmations: 47,
          spent: { txid: TXID, height: 1_000_010 },
          spent_unconfirmed: null,
          reserved_by: null,
        },
      ],
      next_cursor: null,
    },
  },
  'notes.witness': {
    input: { txid: TXID, pool: 'orchard', output_index: 1, anchor_height: 1_000_047, source: 'compact' },
    output: {
      account: 0,
      pool: 'orchard',
      txid: TXID,
      output_index: 1,
      height: 1_000_003,
      commitment: '3c9d3da8ba7d1ee4db2c0ddb6bb0c8d9f4e0ec9f1bcb4a28b1a1bd6cd2ac1f2e',
      position: 26,
      path: ['0200000000000000000000000000000000000000000000000000000000000000'],
      root: '1fb9b5bb4b6ccb4bdba0ac7ab1c4fd4f4e5e3d6a9a4d6c7fbc2c1f55b6f1f10c',
      anchor_height: 1_000_047,
      anchor_hash: HASH,
    },
  },
  'transactions.list': {
    input: { account: 0, limit: 10, cursor: 'abc' },
    unshown: ['cursor'],
    output: {
      transactions: [
        {
          txid: TXID,
          height: 1_000_003,
          time: TIME,
          block_hash: HASH,
          confirmations: 47,
          received_zatoshi: 3_411_110,
          spent_zatoshi: 0,
          fee_zatoshi: null,
          received_outputs: [
            {
              account: 0,
              pool: 'orchard',
              scope: 'external',
              output_index: 1,
              value_zatoshi: 3_411_110,
              diversifier_index: '0',
              label: 'donations',
              memo: { text: 'order 1042' },
            },
          ],
          sent_outputs: [
            {
              account: 0,
              pool: 'sapling',
              scope: 'external',
              output_index: 0,
              value_zatoshi: 7,
              recipient: 'zs1example',
              memo: null,
            },
          ],
          complete: true,
        },
      ],
      next_cursor: 'def',
    },
  },
  'changes.list': {
    input: { since: 'abc', limit: 10 },
    unshown: ['since'],
    output: {
      changes: [
        {
          sequence: 12,
          kind: 'received',
          reverses: null,
          account: 0,
          pool: 'orchard',
          scope: 'external',
          txid: TXID,
          output_index: 1,
          value_zatoshi: 3_411_110,
          height: 1_000_003,
          block_hash: HASH,
          spent_by: null,
          diversifier_index: '0',
          address: 'u1example',
          label: 'donations',
          memo: { text: 'order 1042' },
        },
      ],
      next_cursor: 'abd',
      has_more: false,
      earlier_dropped: false,
    },
  },
  'labels.list': {
    input: { account: 0 },
    output: { labels: [{ account: 0, diversifier_index: '0', address: 'u1example', label: 'donations' }] },
  },
  'labels.set': {
    input: { account: 0, diversifier_index: '0', label: 'donations', password: PASSWORD },
    output: { account: 0, diversifier_index: '0', address: 'u1example', label: 'donations' },
  },
  'labels.remove': {
    input: { account: 0, diversifier_index: '0', password: PASSWORD },
    output: { removed: true },
  },
  'transactions.export': {
    input: { format: 'json', account: 0, limit: 500, cursor: 'MS4w' },
    unshown: ['cursor'],
    output: {
      format: 'json',
      balance_zatoshi: 250_000,
      as_of_height: 1_000_049,
      complete: true,
      missing_ranges: [],
      next_cursor: null,
      rows: [
        {
          time: TIME,
          height: 1_000_040,
          txid: TXID,
          account: 0,
          pool: 'orchard',
          received_zatoshi: 250_000,
          sent_zatoshi: 0,
          fee_zatoshi: null,
          memos: [{ text: 'rent' }],
          balance_zatoshi: 250_000,
        },
      ],
    },
  },
  'balance.at': {
    input: { height: 1_000_040, date: '2025-12-31', account: 0 },
    unshown: ['date'],
    output: {
      height: 1_000_040,
      hash: HASH,
      time: TIME,
      total_zatoshi: 5,
      note_count: 1,
      pools: perPoolName({ total_zatoshi: 5, note_count: 1 }),
      as_of_height: 1_000_049,
      complete: true,
      missing_ranges: [],
    },
  },
  'payment_uri.create': {
    input: { ...requested, password: PASSWORD },
    unshown: ['address', 'zatoshi'],
    output: { uri: PAYMENT_URI, address: 'u1example' },
  },
  'payment_uri.qr': {
    input: { ...requested, format: 'text', password: PASSWORD },
    unshown: ['address', 'zatoshi'],
    output: {
      uri: PAYMENT_URI,
      format: 'text',
      width: 4,
      image: '    \n \u2580\u2584 \n',
    },
  },
  'payment_uri.parse': {
    input: { uri: PAYMENT_URI, password: PASSWORD },
    output: {
      payments: [
        {
          address: 'u1example',
          zatoshi: 150_000_000,
          memo: { text: 'order 17' },
          label: null,
          message: null,
        },
      ],
    },
  },
  'pczt.inspect': {
    input: { pczt: 'UENaVAIAAAA=', password: PASSWORD },
    output: {
      encoding: 2,
      txid: TXID,
      transaction_version: 6,
      network_upgrade: 'NU6.3',
      expiry_height: 1_000_090,
      last_height: 1_000_090,
      lock_time: 0,
      compared_with_wallet: true,
      as_of_height: 1_000_049,
      fee_zatoshi: 10_000,
      conventional_fee_zatoshi: 10_000,
      spends: [
        {
          pool: 'ironwood',
          index: 0,
          role: 'spend',
          amount_zatoshi: 250_000,
          address: 'u1example',
          ours: true,
          account: 0,
          scope: 'external',
          note: 'unspent',
          signed: false,
          verified: true,
        },
      ],
      outputs: [
        {
          pool: 'ironwood',
          index: 0,
          role: 'payment',
          amount_zatoshi: 240_000,
          address: 'u1other',
          typed_address: 'u1typed',
          memo: { text: 'rent' },
          ours: false,
          account: null,
          scope: null,
          verified: true,
        },
      ],
      becomes_public: {
        statements: ['the fee, 0.0001 ZEC'],
        leaves_pools: [{ pool: 'ironwood', amount_zatoshi: 10_000 }],
        transparent_inputs: 0,
        transparent_outputs: 0,
      },
      missing: [{ pool: 'ironwood', signatures: 1, proofs: true, binding_key: false }],
      warnings: [
        { code: 'expires_soon', field: 'global.expiryHeight', text: 'it can be mined for 3 blocks' },
      ],
    },
  },
  'accounts.list': {
    input: {},
    output: {
      accounts: [
        {
          account: 0,
          birthday_height: 1_000_000,
          unified_address: 'u1example',
          complete: true,
          missing_ranges: [],
        },
      ],
    },
  },
  'accounts.create': {
    input: { password: PASSWORD, birthday_height: 1_000_000, birthday: '2021-06-15' },
    unshown: ['birthday'],
    output: {
      account: 1,
      birthday_height: 1_000_000,
      unified_address: 'u1other',
      complete: false,
      missing_ranges: [{ start_height: 1_000_000, end_height: 1_000_049 }],
    },
  },
  'sync.run': {
    input: {
      password: PASSWORD,
      start_height: 1,
      end_height: 1000,
      newest_first: true,
      node_url: 'http://127.0.0.1:8232',
      source: 'compact',
      verify_with: 'node',
    },
    unshown: ['newest_first'],
    output: {
      start_height: 1,
      end_height: 1000,
      blocks_scanned: 1000,
      outputs_scanned: 20_000,
      notes_found: 2,
      notes_new: 1,
      notes_spent: 1,
      reorg: null,
      last_scan_height: 1000,
      chain_tip: 1500,
      next_start_height: 1001,
      range_complete: true,
      caught_up: false,
      complete: true,
      missing_ranges: [],
      cancelled: false,
      elapsed_ms: 3000,
      source: 'compact',
      verified_with: 'node',
    },
  },
  'sync.status': {
    input: {},
    output: {
      syncing: true,
      progress,
      last_scan_height: 640,
      complete: false,
      chain_tip: 1500,
      work_done: 40_000,
      work_total: 2_000_000,
      not_looked_at: 'before 2020-10-10 (blocks 419200-999999)',
      last_finished_at: null,
      last_error: null,
    },
  },
  'coverage.get': {
    input: { account: 0 },
    output: {
      accounts: [
        {
          account: 0,
          birthday_height: 419_200,
          complete: false,
          scanned: [
            {
              start_height: 1_000_000,
              start_hash: HASH,
              end_height: 1_000_049,
              end_hash: HASH,
              verified_with: null,
            },
          ],
          missing: [
            { start_height: 419_200, end_height: 999_999, start_date: '2018-10-29', end_date: '2020-10-10' },
          ],
          statement:
            'Every block from 1000000 (2020-10-10) to 1000049 (2020-10-10) was scanned, each linked to the one below it by its hash. On the word of a compact server alone: around 2020-10-10 (blocks 1000000-1000049). Not looked at yet: before 2020-10-10 (blocks 419200-999999).',
        },
      ],
      finished_at: null,
    },
  },
  'mempool.list': { input: { account: 0 }, output: mempool },
  'mempool.look': { input: { account: 0, source: 'node', password: PASSWORD }, output: mempool },
  'sync.cancel': { input: { password: PASSWORD }, output: { cancelling: true } },
  'lwd.info': {
    input: { compact_server_url: 'http://127.0.0.1:9067', db_path: 'blocks.db' },
    output: {
      version: 'v7.0.0',
      vendor: 'example',
      taddr_support: true,
      chain_name: 'main',
      sapling_activation_height: 419_200,
      consensus_branch_id: '37a5165b',
      block_height: 1_000_049,
      git_commit: '',
      branch: '',
      build_date: '',
      build_user: '',
      estimated_height: 1_000_049,
      node_build: '',
      node_subversion: '',
      donation_address: '',
      upgrade_name: '',
      upgrade_height: 0,
      lightwallet_protocol_version: 'v0.5.0',
      compact_server_url: 'http://127.0.0.1:9067',
      store: { path: 'blocks.db', first_height: 5, last_height: 9, block_count: 5, missing_ranges: [] },
    },
  },
  'lwd.chain_tip': {
    input: { compact_server_url: 'http://127.0.0.1:9067', db_path: 'blocks.db' },
    output: {
      height: 1_000_049,
      hash: HASH,
      compact_server_url: 'http://127.0.0.1:9067',
      stored_height: null,
    },
  },
  'lwd.sync_compact': {
    input: {
      compact_server_url: 'http://127.0.0.1:9067',
      db_path: 'blocks.db',
      start_height: 5,
      end_height: 9,
      password: PASSWORD,
    },
    output: {
      start_height: 5,
      end_height: 9,
      blocks_stored: 5,
      bytes: 1234,
      chain_tip: 20,
      next_start_height: 10,
      range_complete: true,
      caught_up: false,
      reorg: { fork_height: 4, depth: 2 },
      unscanned: { start_height: 5, end_height: 9 },
      db_path: 'blocks.db',
      elapsed_ms: 12,
    },
  },
  'lwd.prune': {
    input: {
      compact_server_url: 'http://127.0.0.1:9067',
      db_path: 'blocks.db',
      below_height: 9,
      keep: 1,
      password: PASSWORD,
    },
    output: {
      blocks_removed: 4,
      bytes_removed: 1000,
      complete: true,
      file_bytes_before: 131_072,
      file_bytes_after: 98_304,
      reusable_bytes: 0,
      store: { path: 'blocks.db', first_height: 9, last_height: 9, block_count: 1, missing_ranges: [] },
      elapsed_ms: 12,
    },
  },
  'follow.get': { input: {}, output: following },
  'follow.set': {
    input: { enabled: true, source: 'compact', keep_open: true, password: PASSWORD },
    unshown: ['keep_open'],
    output: following,
  },
  'wallets.list': {
    input: {},
    output: {
      wallets: [
        { name: 'default', exists: true, unlocked: true, watch_only: false, syncing: true },
        { name: 'savings', exists: true, unlocked: false, watch_only: true, syncing: false },
      ],
      most_open: 16,
    },
  },
  'hooks.list': {
    input: {},
    output: {
      hooks: [
        {
          name: 'shop',
          kind: 'webhook',
          target: '127.0.0.1:8080',
          events: ['change', 'wallet.locked'],
          state: 'backing_off',
          queued: 1,
          last_sequence: 17,
          last_delivered_at: TIME,
          failures: 3,
          failure: { reason: 'STATUS_500', at: TIME },
          next_try_at: TIME,
          dropped: 0,
          began_anew_at: null,
        },
      ],
    },
  },
  'system.version': {
    input: {},
    output: {
      name: 'wallet-companion',
      version: '0.1.0',
      api_version: 1,
      network: 'main',
      features: [],
    },
  },
  'system.status': {
    input: { known: true },
    output: {
      network: 'main',
      last_scan_height: 1499,
      node: {
        state: 'up',
        since: '2026-01-01T00:00:00.000Z',
        code: null,
        asked_at: '2026-01-02T00:00:00.000Z',
        tip_height: 1500,
        tip_risen_at: '2026-01-01T23:59:00.000Z',
        unknown_upgrade_height: null,
      },
      compact_server: {
        state: 'lost',
        since: '2026-01-01T00:00:00.000Z',
        code: 'COMPACT_SERVER_UNREACHABLE',
        asked_at: '2026-01-02T00:00:00.000Z',
        tip_height: null,
        tip_risen_at: null,
        unknown_upgrade_height: null,
      },
    },
  },
};
