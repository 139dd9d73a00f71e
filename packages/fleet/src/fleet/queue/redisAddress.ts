// The address of the queue, from the settings of config.json or the command line. Job contents are sealed, but write
// access to the queue can stop a fleet: Redis is on this machine or reached over TLS, and its password is in a file.

import { badField, type CompanionError } from '@wallet-companion/client/contract';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly tls: boolean;
}

const DEFAULT_PORT = 6379;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Throws `INVALID_URL`. */
export function redisAddress(text: string): RedisAddress {
  if (!URL.canParse(text)) throw invalid('is no URL such as redis://127.0.0.1:6379');
  const url = new URL(text);
  const tls = url.protocol === 'rediss:';
  if (!tls && url.protocol !== 'redis:') throw invalid('must begin with redis:// or rediss://');
  if (url.username !== '' || url.password !== '')
    throw invalid('must not hold a user or password; name a file with fleet_redis_password_file');
  if (url.search !== '' || url.hash !== '') throw invalid('must not hold ? or #');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw invalid('names no host');
  if (!tls && !LOOPBACK.test(host))
    throw invalid('must be rediss:// (TLS) for another machine than this one');
  const db = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1];
  if (db === undefined) throw invalid('may have the number of a database as its path, and nothing else');
  return { host, port: url.port === '' ? DEFAULT_PORT : Number(url.port), db: Number(db), tls };
}

const invalid = (message: string): CompanionError =>
  badField('fleet_redis_url', message, `The address of Redis ${message}.`, 'INVALID_URL');
