// `scan-worker`: this machine scans for the companions of a fleet. It has no wallet; each job contains the viewing keys.

import type { Command } from 'commander';
import type { LocalOptions, ScanWorkerOptions } from './cliEnvironment.ts';
import { badFlag, wholeNumber } from './flags.ts';

const MAX_THREADS = 16;
const MAX_LOCK_SECONDS = 3_600;

type Texts = Readonly<Record<string, string | undefined>>;

export function addScanWorker(
  root: Command,
  run: (options: ScanWorkerOptions) => Promise<void>,
  where: () => LocalOptions,
): void {
  root
    .command('scan-worker')
    .description(
      'Scan for the companions of a fleet, on jobs from Redis, until told to end (docs/scaling.md)',
    )
    .option('--fleet-redis-url <url>', 'the queue: redis:// on this machine, or rediss:// (TLS)')
    .option('--fleet-redis-password-file <file>', 'read the password of Redis from a private file')
    .option('--fleet-key-file <file>', "the fleet's key, 64 hexadecimal digits in a private file")
    .option('--source <name>', 'where its blocks come from: compact or node', 'compact')
    .option('--node-url <url>', 'its chain node, for this run')
    .option('--compact-server-url <url>', 'its compact-block server, for this run')
    .option('--threads <number>', 'how many processors it uses (default: all, 16 at most)')
    .option(
      '--lock-seconds <number>',
      'after so long without a sign of life another worker takes its jobs',
      '30',
    )
    .action((options: Texts) => run(scanWorkerOptions(options, where())));
}

function scanWorkerOptions(options: Texts, local: LocalOptions): ScanWorkerOptions {
  const { source, threads, nodeUrl, compactServerUrl } = options;
  if (source !== 'compact' && source !== 'node') throw badFlag('source', 'must be compact or node');
  return {
    ...local,
    source,
    lockSeconds: wholeNumber('lock-seconds', options['lockSeconds'], 1, MAX_LOCK_SECONDS),
    ...(threads === undefined ? {} : { threads: wholeNumber('threads', threads, 1, MAX_THREADS) }),
    ...(nodeUrl === undefined ? {} : { nodeUrl }),
    ...(compactServerUrl === undefined ? {} : { compactServerUrl }),
    ...given('fleetRedisUrl', options),
    ...given('fleetRedisPasswordFile', options),
    ...given('fleetKeyFile', options),
  };
}

const given = <K extends string>(key: K, options: Texts): Partial<Record<K, string>> =>
  options[key] === undefined ? {} : ({ [key]: options[key] } as Record<K, string>);
