// The doctor: puts together what the companion knows of itself and what the machine shows. It also answers where no
// companion can start, with the reason in the companion's place.

import net from 'node:net';
import { type After, Patience } from '@wallet-companion/base/async';
import { systemReason } from '@wallet-companion/client/contract';
import { CompanionError, type ErrorRecord } from '../../protocol/errors.ts';
import type { Dispatcher, HealthReport, HealthSource } from '../../protocol/link.ts';
import type { Network } from '../../protocol/network.ts';
import { CHECK_STATES, type Check } from '../../protocol/operations/system.ts';
import type { Output } from '../../protocol/operations.ts';
import type { ProverKind } from '../../protocol/pcztPrograms.ts';
import { failure, type Result } from '../../protocol/result.ts';
import { accountsCheck, drainingCheck, ofOpen, phraseCheck } from './accountChecks.ts';
import { backupCheck } from './backupCheck.ts';
import { certificatesCheck } from './certificatesCheck.ts';
import { fail, ok, warn } from './check.ts';
import {
  clockCheck,
  grantsCheck,
  hooksCheck,
  kernelCheck,
  memoryCheck,
  proverCheck,
  threadsCheck,
  versionsCheck,
  walletsCheck,
} from './companionChecks.ts';
import { debuggerCheck, isDebuggerOpen } from './debuggerCheck.ts';
import { configCheck, cookieCheck, diskCheck, filesCheck, serviceCheck } from './fileChecks.ts';
import { type OutgoingView, proxyCheck } from './proxyCheck.ts';
import { contradictionsCheck, peersCheck, serverChecks, sourceCheck } from './serverChecks.ts';

export interface DoctorContext {
  readonly version: string;
  readonly configFile: string;
  readonly dataDir: string;
  /** Files and folders that only the user may read, by the name to show. */
  readonly privateFiles: () => ReadonlyMap<string, string>;
  /** Why this machine refused the wide kernel; undefined where it did not. */
  readonly wideFault: () => Promise<string | undefined>;
  /** systemd's unit, where there may be one. */
  readonly unit: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The port that `serve` takes by default. */
  readonly port: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: After;
}

/** Per question: a thread that a hung disk holds would be waited for until the call's own deadline. */
const PATIENCE_MS = 4_000;

export interface Running {
  readonly link: Dispatcher & HealthSource;
  /** The process is `serve`, and not that of one command. */
  readonly isServing: boolean;
  readonly configWarnings: readonly string[];
  readonly cookieFile: string | null;
  readonly outgoing: OutgoingView;
  readonly prover: () => Promise<ProverKind>;
  readonly provesSapling: () => Promise<boolean>;
  /** A height that the chain has surely passed at a time (in milliseconds); undefined where blocks have no schedule. */
  readonly leastHeight: (network: Network, now: number) => number | undefined;
}

const NO_CONFIG = { block_source: 'auto', birthday_height: null } as const;

type Answer = Output<'doctor.run'>;

export async function diagnose(here: DoctorContext, running: Running, requestId: string): Promise<Answer> {
  const { isServing, configWarnings, cookieFile, leastHeight, outgoing, prover, provesSapling } = running;
  const link = soon(running.link, here.after);
  const [health, status, config, wallets, hooks, grants, backup] = await Promise.all([
    running.link.health(),
    link.dispatch('system.status', {}, { requestId }),
    link.dispatch('config.get', {}, { requestId }),
    link.dispatch('wallets.list', {}, { requestId }),
    link.dispatch('hooks.list', {}, { requestId }),
    link.dispatch('grants.list', {}, { requestId, byService: true }),
    link.dispatch('system.backup', {}, { requestId }),
  ]);
  const now = here.now();
  const [open, balances, opened] = wallets.ok
    ? await Promise.all([
        ofOpen('sync.status', link, wallets.value, requestId),
        ofOpen('balance.get', link, wallets.value, requestId),
        ofOpen('wallet.status', link, wallets.value, requestId),
      ])
    : [[], [], []];
  return answerOf([
    threadsCheck(health, isServing),
    ...(isServing ? [] : [await portCheck(here.port)]),
    configCheck(here.configFile, configWarnings),
    ...checked('block_source', config, (known) => [sourceCheck(known.block_source)]),
    ...checked('servers', status, (known) => {
      const { block_source: source, birthday_height } = config.ok ? config.value : NO_CONFIG;
      const servers = serverChecks(known, source, leastHeight(known.network, now), now, birthday_height);
      return [...servers, peersCheck(known, source), clockCheck(known)];
    }),
    cookieCheck(cookieFile),
    await proxyCheck(outgoing, config.ok ? config.value : undefined),
    ...checked('wallets', wallets, (known) => [
      walletsCheck(known),
      phraseCheck(opened),
      accountsCheck(open),
      drainingCheck(balances),
      contradictionsCheck(open),
    ]),
    ...checked('backup', backup, (known) => [backupCheck(known)]),
    ...checked('hooks', hooks, (known) => [hooksCheck(known)]),
    ...checked('grants', grants, (known) => [grantsCheck(known, now)]),
    proverCheck(await prover(), await provesSapling()),
    ...(await machineChecks(here, health.kernel)),
  ]);
}

/** Where no companion can start or be reached. */
export async function diagnoseWithout(here: DoctorContext, reason: ErrorRecord): Promise<Answer> {
  return answerOf([
    fail(
      'companion',
      `It cannot start: ${reason.detail} (${reason.code})`,
      'Do what the sentence says, then run this again.',
    ),
    await portCheck(here.port),
    ...(await machineChecks(here, null)),
  ]);
}

const machineChecks = async (here: DoctorContext, kernel: HealthReport['kernel']): Promise<Check[]> => [
  filesCheck(here.privateFiles()),
  await diskCheck(here.dataDir),
  memoryCheck(process.availableMemory(), process.memoryUsage.rss()),
  serviceCheck(here.unit),
  debuggerCheck(isDebuggerOpen()),
  certificatesCheck(here.env, process.execArgv),
  kernelCheck(kernel, await here.wideFault()),
  versionsCheck(here.version, kernel),
];

const answerOf = (checks: readonly Check[]): Answer => ({
  worst: CHECK_STATES.findLast((state) => checks.some((check) => check.state === state)) ?? 'ok',
  checks,
});

const soon = (link: Dispatcher, after: After): Dispatcher => ({
  dispatch: async (name, input, context) =>
    (await new Patience(PATIENCE_MS, after).within(() => link.dispatch(name, input, context))) ??
    failure(new CompanionError('BUSY', 'No answer came within a few seconds.')),
});

/** A thread that does not answer must not hide the other checks. */
const checked = <T>(name: string, result: Result<T>, checks: (known: T) => Check[]): Check[] =>
  result.ok
    ? checks(result.value)
    : [
        fail(
          name,
          `Not known: ${result.error.detail} (${result.error.code})`,
          'Try again; "wallet-companion log" may say more.',
        ),
      ];

/** Whether `serve` could listen. */
function portCheck(port: number): Promise<Check> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error) => {
      const reason = systemReason(error);
      resolve(
        reason === undefined
          ? warn(
              'port',
              `Another program holds port ${port}.`,
              'End it, or start with "wallet-companion serve --port NUMBER".',
            )
          : fail('port', `Port ${port} is not to be had: ${reason.what}.`, reason.todo),
      );
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(ok('port', `Port ${port} is free.`))));
  });
}
