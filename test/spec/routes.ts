// The routes of both pages: what a caller may send to each, by the tables.
import type * as z from 'zod';
import * as shapes from './shapes.ts';

export type Route = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Who is answered: anyone, the holder of the password in the body, or an open session. */
  readonly access: 'anyone' | 'password' | 'session' | 'session or password';
  readonly answer: z.ZodType;
  /** A body that the route takes, without `password`; absent where the route needs none. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Body fields that may be left out, and so may be null. */
  readonly optional?: readonly string[];
  /** `password` has to be there. */
  readonly needsPassword?: true;
  /** Not JSON. */
  readonly text?: true;
};

const ROUTES_OF_THE_SPECIFICATION: readonly Route[] = [
  { method: 'GET', path: '/api/wallet/exists', access: 'anyone', answer: shapes.exists },
  {
    method: 'POST',
    path: '/api/wallet/create',
    access: 'anyone',
    answer: shapes.created,
    body: {},
    optional: ['word_count', 'birthday_height'],
    needsPassword: true,
  },
  {
    method: 'POST',
    path: '/api/wallet/restore',
    access: 'anyone',
    answer: shapes.restored,
    body: { mnemonic: `${'abandon '.repeat(11)}about` },
    optional: ['birthday_height', 'bip39_passphrase'],
    needsPassword: true,
  },
  {
    method: 'POST',
    path: '/api/wallet/unlock',
    access: 'password',
    answer: shapes.unlocked,
    body: {},
    needsPassword: true,
  },
  { method: 'GET', path: '/api/config', access: 'anyone', answer: shapes.config },
  {
    method: 'POST',
    path: '/api/config/node-url',
    access: 'anyone',
    answer: shapes.config,
    body: { url: 'http://127.0.0.1:18232' },
    optional: ['probe'],
  },
  {
    method: 'POST',
    path: '/api/config/theme',
    access: 'anyone',
    answer: shapes.config,
    body: { theme: 'dark' },
  },
  { method: 'GET', path: '/api/balance', access: 'session', answer: shapes.balance },
  {
    method: 'POST',
    path: '/api/sync',
    access: 'session or password',
    answer: shapes.synced,
    body: {},
    optional: ['password', 'start_height', 'end_height', 'node_url', 'source'],
  },
  { method: 'GET', path: '/api/lwd/info', access: 'anyone', answer: shapes.serverInfo },
  { method: 'GET', path: '/api/lwd/chain-tip', access: 'anyone', answer: shapes.serverTip },
  {
    method: 'POST',
    path: '/api/lwd/sync/compact',
    access: 'anyone',
    answer: shapes.compactSynced,
    body: {},
    optional: ['compact_server_url', 'db_path', 'start_height', 'end_height'],
  },
];

const ROUTES_BEYOND_IT: readonly Route[] = [
  { method: 'GET', path: '/api/wallet/status', access: 'anyone', answer: shapes.status },
  { method: 'POST', path: '/api/wallet/lock', access: 'anyone', answer: shapes.anything, body: {} },
  {
    method: 'POST',
    path: '/api/wallet/change-password',
    access: 'password',
    answer: shapes.anything,
    body: { new_password: 'another one' },
    needsPassword: true,
  },
  {
    method: 'POST',
    path: '/api/wallet/backup',
    access: 'password',
    answer: shapes.backup,
    body: {},
    needsPassword: true,
  },
  {
    method: 'POST',
    path: '/api/wallet/rescan',
    access: 'session',
    answer: shapes.anything,
    body: {},
    optional: ['from_height'],
  },
  { method: 'GET', path: '/api/address', access: 'session', answer: shapes.addressed },
  { method: 'POST', path: '/api/address', access: 'session', answer: shapes.addressed, body: {} },
  {
    method: 'POST',
    path: '/api/viewing-key',
    access: 'password',
    answer: shapes.anything,
    body: {},
    needsPassword: true,
  },
  {
    method: 'POST',
    path: '/api/wallet/import-viewing-key',
    access: 'anyone',
    answer: shapes.anything,
    body: { viewing_key: 'uviewregtest1' },
    needsPassword: true,
  },
  { method: 'GET', path: '/api/accounts', access: 'session', answer: shapes.anything },
  {
    method: 'POST',
    path: '/api/accounts',
    access: 'password',
    answer: shapes.anything,
    body: {},
    needsPassword: true,
  },
  { method: 'GET', path: '/api/notes', access: 'session', answer: shapes.notes },
  { method: 'GET', path: '/api/transactions', access: 'session', answer: shapes.transactions },
  { method: 'GET', path: '/api/sync/status', access: 'anyone', answer: shapes.anything },
  { method: 'POST', path: '/api/sync/cancel', access: 'anyone', answer: shapes.anything, body: {} },
  {
    method: 'POST',
    path: '/api/config/compact-server-url',
    access: 'anyone',
    answer: shapes.config,
    body: { url: 'http://127.0.0.1:19067' },
  },
  { method: 'GET', path: '/api/version', access: 'anyone', answer: shapes.version },
  { method: 'GET', path: '/healthz', access: 'anyone', answer: shapes.anything },
  { method: 'GET', path: '/readyz', access: 'anyone', answer: shapes.anything },
  { method: 'GET', path: '/metrics', access: 'anyone', answer: shapes.anything, text: true },
  { method: 'GET', path: '/api/openapi.json', access: 'anyone', answer: shapes.anything },
];

/** Without `/api/events`, whose answer never ends: it has rules of its own. */
export const ROUTES: readonly Route[] = [...ROUTES_OF_THE_SPECIFICATION, ...ROUTES_BEYOND_IT];
export const POST_ROUTES: readonly Route[] = ROUTES.filter((route) => route.method === 'POST');
export const SESSION_ROUTES: readonly Route[] = ROUTES.filter((route) => route.access === 'session');
