// The part of config.json that every surface may read and change. Settings that decide who may call (the node's cookie
// file, ...) are deliberately not settable here; allowed_origins has its own operations (pairing.ts).

import * as z from 'zod';
import * as field from '../fields.ts';
import { ASKS_NODE, type Operation } from '../operation.ts';

const config = z.strictObject({
  node_url: z.string(),
  compact_server_url: z.string(),
  block_source: field.blockSource,
  broadcast: z
    .string()
    .describe(
      'Who passes payments on: source (that of the blocks), peers, or the address of a compact server',
    ),
  last_scan_height: field.height.describe('Highest block scanned; 0 without a wallet'),
  theme: field.theme,
  network: field.network,
  birthday_height: field.height.nullable().describe('Null without a wallet'),
  min_confirmations: field.count,
  auto_lock_seconds: field.count.describe('0: never'),
  allowed_origins: z.array(z.string()),
});

export const configOperations = {
  'config.get': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['read'],
    summary: 'Read the configuration',
    input: z.strictObject({}),
    output: config,
    http: { method: 'GET', path: '/api/config' },
    ipc: 'config_get',
    cli: { words: ['config', 'get'], showsConfig: true },
    errors: [],
  },
  'config.node_url': {
    actor: 'wallet',
    ofCompanion: true,
    access: 'anyone',
    reach: ['admin'],
    summary: 'Set the URL of the chain node',
    input: z.strictObject({
      url: field.nodeUrl,
      probe: z.boolean().optional().describe('Ask the node first; keep the old URL when it does not answer'),
    }),
    output: config,
    http: { method: 'POST', path: '/api/config/node-url' },
    ipc: 'config_node_url',
    cli: { words: ['config', 'node-url'], positional: ['url'] },
    errors: [...ASKS_NODE],
  },
  'config.compact_server_url': {
    actor: 'wallet',
    ofCompanion: true,
    access: 'anyone',
    reach: ['admin'],
    summary: 'Set the URL of the compact-block server',
    input: z.strictObject({ url: field.compactServerUrl }),
    output: config,
    http: { method: 'POST', path: '/api/config/compact-server-url' },
    ipc: 'config_compact_server_url',
    cli: { words: ['config', 'compact-server-url'], positional: ['url'] },
    errors: ['INVALID_URL'],
  },
  'config.block_source': {
    actor: 'wallet',
    ofCompanion: true,
    access: 'anyone',
    reach: ['admin'],
    summary: 'Set where blocks come from, for every call without a source of its own',
    input: z.strictObject({ source: field.blockSource }),
    output: config,
    http: { method: 'POST', path: '/api/config/block-source' },
    ipc: 'config_block_source',
    cli: { words: ['config', 'block-source'], positional: ['source'] },
    errors: [],
  },
  'config.theme': {
    actor: 'wallet',
    ofCompanion: true,
    access: 'anyone',
    reach: ['admin'],
    summary: 'Set the UI theme',
    input: z.strictObject({ theme: field.theme }),
    output: config,
    http: { method: 'POST', path: '/api/config/theme' },
    ipc: 'config_theme',
    cli: { words: ['config', 'theme'], positional: ['theme'] },
    errors: ['INVALID_THEME'],
  },
} as const satisfies Record<string, Operation>;
