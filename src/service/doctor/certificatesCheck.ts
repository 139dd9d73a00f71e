// Which certificate authorities count for https:// to node, compact server and hooks, and which variables of the
// environment do not: those of libraries and of other programs.

import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import type { Check } from '../../protocol/operations/system.ts';
import { ok, warn } from './check.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PROXIES = [
  'grpc_proxy',
  'https_proxy',
  'http_proxy',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'ALL_PROXY',
  'all_proxy',
];
const UNUSED = ['GRPC_DEFAULT_SSL_ROOTS_FILE_PATH', 'GRPC_SSL_CIPHER_SUITES', 'NODE_TLS_REJECT_UNAUTHORIZED'];
const EXTRA = 'NODE_EXTRA_CA_CERTS';

/** Names of variables only: a file may have a private path, a proxy a password. */
export function certificatesCheck(env: Environment, nodeOptions: readonly string[]): Check {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  const flags = [...nodeOptions, ...(env['NODE_OPTIONS'] ?? '').split(' ')];
  const ofSystem = flags.some((flag) => /^--use-(?:openssl|system)-ca$/.test(flag));
  const added = isSet(EXTRA) ? certificatesIn(env[EXTRA] ?? '') : undefined;
  const trusted = [
    `the ${rootCertificates.length} authorities of Node.js`,
    ...(ofSystem ? ['and of the system'] : []),
    ...(added ? [`and ${added} of ${EXTRA}`] : []),
  ];
  const unused = UNUSED.filter(isSet);
  const what = `https:// of node, compact server and hooks trusts ${trusted.join(' ')}.${unused.length === 0 ? '' : ` ${unused.join(' and ')} counts for none.`}`;
  const proxies = PROXIES.filter(isSet);
  if (added === 0)
    return warn(
      'certificates',
      `${what} ${EXTRA} names a file that cannot be read or has no certificate.`,
      'Name a file in PEM, and start the companion again.',
    );
  return proxies.length === 0
    ? ok('certificates', what)
    : warn(
        'certificates',
        `${what} ${proxies.join(' and ')} is set, and not used: servers are asked without a proxy.`,
        'Where a proxy must hide this machine, route the whole process through it.',
      );
}

function certificatesIn(file: string): number {
  try {
    return readFileSync(file, 'latin1').split('-----BEGIN CERTIFICATE-----').length - 1;
  } catch {
    return 0;
  }
}
