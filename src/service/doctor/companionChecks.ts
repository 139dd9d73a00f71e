// The running companion: its threads, wallets and hooks, and the machine's memory and versions.

import os from 'node:os';
import { isAhead } from '@wallet-companion/base/values';
import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import type { HealthReport } from '../../protocol/link.ts';
import { MISSED_CANARY } from '../../protocol/missedCanary.ts';
import { SERVERS } from '../../protocol/operations/status.ts';
import type { Check } from '../../protocol/operations/system.ts';
import type { Output } from '../../protocol/operations.ts';
import { NO_SAPLING_PROOFS, type ProverKind } from '../../protocol/pcztPrograms.ts';
import { fail, ok, warn } from './check.ts';
import { sizeText } from './fileChecks.ts';

const LITTLE_MEMORY = 300 * 1024 * 1024;
const LEAST_NODE = [20, 19] as const;

export function threadsCheck({ wallet, chain, restarts }: HealthReport, isServing: boolean): Check {
  const lost = restarts.wallet + restarts.chain;
  if (wallet === 'down' || chain === 'down')
    return fail(
      'companion',
      'A thread of the companion is down.',
      '"wallet-companion log" says why; restart it if it stays down.',
    );
  if (lost > 0)
    return warn(
      'companion',
      `Threads were lost and started again ${lost} times.`,
      '"wallet-companion log" says why.',
    );
  return isServing
    ? ok('companion', 'It runs, and its threads answer.')
    : warn(
        'companion',
        'No companion runs with this data directory.',
        'Start one: "wallet-companion serve".',
      );
}

/** Numbers only: names of wallets are the user's. */
export function walletsCheck({ wallets }: Output<'wallets.list'>): Check {
  const made = wallets.filter(({ exists }) => exists);
  const damaged = made.filter(({ watch_only }) => watch_only === null).length;
  if (damaged > 0)
    return fail(
      'wallets',
      `${damaged} of ${made.length} wallet files cannot be read.`,
      'Put back a copy of wallet.dat, or restore from the recovery phrase in another data directory.',
    );
  if (made.length === 0)
    return warn(
      'wallets',
      'There is no wallet yet.',
      '"wallet-companion wallet create" or "wallet-companion wallet restore" makes one.',
    );
  return ok('wallets', `${made.length} made, ${made.filter(({ unlocked }) => unlocked).length} open.`);
}

/** Neither names nor addresses: a hook's target and the name of a wallet may be private. */
export function hooksCheck({ hooks }: Output<'hooks.list'>): Check {
  if (hooks.length === 0) return ok('hooks', 'None are configured.');
  const failing = hooks.filter(({ failures }) => failures > 0);
  const ofOthers = failing.filter(({ wallet }) => wallet !== DEFAULT_WALLET).length;
  const reasons = [...new Set(failing.map(({ failure }) => failure?.reason ?? 'unknown'))];
  const whose = ofOthers === 0 ? 'the default wallet' : `wallets besides the default one: ${ofOthers}`;
  const strangers = new Set(hooks.flatMap(({ wallet, state }) => (state === 'no_wallet' ? [wallet] : [])));
  const configured = new Set(hooks.map(({ name }) => name)).size;
  const wrong = [
    ...(failing.length === 0
      ? []
      : [`${failing.length} of ${hooks.length} do not deliver (${reasons.join(', ')}; for ${whose}).`]),
    ...(strangers.size === 0 ? [] : [`on_event names wallets that are not there: ${strangers.size}.`]),
  ];
  return wrong.length === 0
    ? ok('hooks', `${configured} configured; the last delivery of each arrived, or none was due.`)
    : warn('hooks', wrong.join(' '), '"wallet-companion hooks" shows which.');
}

/** Numbers only, as above. */
export function grantsCheck(
  { anonymous_access: access, allowed_origins: origins, grants }: Output<'grants.list'>,
  now: number,
): Check {
  const expired = grants.filter(({ expired: isOver }) => isOver).length;
  const what = `${grants.length} grants${expired === 0 ? '' : `, ${expired} of them expired`}; without one, callers over HTTP may ${ACCESS_TEXTS[access]}.`;
  const ahead = grants.filter(({ created_at }) => isAhead(Date.parse(created_at), now)).length;
  if (ahead > 0)
    return warn(
      'grants',
      `${what} Made by a clock that was ahead of the present one: ${ahead}; they last longer than they were given for.`,
      'Set the clock right and sync; then "wallet-companion grant list" lets them begin now.',
    );
  if (origins.length > 0)
    return warn(
      'grants',
      `${what} ${origins.length} extensions in allowed_origins may do all but what is the owner's, on every wallet, without an end.`,
      'Take each out ("wallet-companion pair revoke ORIGIN"), let it ask again, and allow less.',
    );
  return access === 'full'
    ? warn(
        'grants',
        what,
        'Where others use this machine: "anonymous_access": "none" in config.json, and "wallet-companion grant create" for programs.',
      )
    : ok('grants', what);
}

const ACCESS_TEXTS = {
  full: 'do everything, some of it with the password',
  read: 'read alone',
  none: 'do nothing',
} as const;

const PROVER_CHECKS: Readonly<Record<ProverKind, Check>> = {
  program: ok('prover', 'The program that config.json names makes the proofs of payments.'),
  own: ok('prover', 'The built-in prover makes Orchard and Ironwood proofs.'),
  module: ok(
    'prover',
    'The reference crates’ module makes Orchard and Ironwood proofs, as config.json wants.',
  ),
  none: warn(
    'prover',
    'Nothing here makes the proofs of payments: the module that "prover" in config.json asks for was not built.',
    'Run "npm run build:prover" in the clone, or remove the setting: the built-in prover needs nothing.',
  ),
};

export function proverCheck(prover: ProverKind, provesSapling: boolean): Check {
  const check = PROVER_CHECKS[prover];
  if (prover === 'program' || prover === 'none') return check;
  const sapling = provesSapling ? "Sapling's parameters are there." : NO_SAPLING_PROOFS;
  return { ...check, what: `${check.what} ${sapling}` };
}

export function memoryCheck(available: number, used: number): Check {
  const what = `The machine has ${sizeText(available)} available; this process uses ${sizeText(used)}.`;
  return available < LITTLE_MEMORY
    ? warn('memory', what, 'End other programs: each scan worker needs some 20 MB, and an open wallet 60 MB.')
    : ok('memory', what);
}

/** `fault`: why this machine refused the wide kernel; undefined where it did not. */
export function kernelCheck(kernel: HealthReport['kernel'], fault: string | undefined): Check {
  if (kernel?.reason === MISSED_CANARY || fault === MISSED_CANARY)
    return warn(
      'kernel',
      'The wide scan kernel missed a canary: this machine computed wrongly, and no longer uses it.',
      'Scan again what was scanned since the start before that ("wallet-companion wallet rescan --from-height HEIGHT"), and test the memory of the machine.',
    );
  return fault === undefined
    ? ok('kernel', 'This machine has not refused the wide scan kernel.')
    : warn(
        'kernel',
        `The wide scan kernel is refused here: ${fault}. Scans are right, and slower.`,
        'Test the memory of the machine; "scan_kernel": "wide" in config.json tests the kernel again, "fma" goes without it.',
      );
}

export function versionsCheck(version: string, kernel: HealthReport['kernel']): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const what = `wallet-companion ${version}, Node.js ${process.versions.node}, ${process.platform} ${os.release()} ${process.arch}, scan kernel ${kernel?.variant ?? 'not chosen yet'}.`;
  const isOld = major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]);
  return isOld
    ? fail('versions', what, `Install Node.js ${LEAST_NODE.join('.')} or later.`)
    : ok('versions', what);
}

// This machine's clock beside what the servers and the scan show of the time.
export function clockCheck(status: Output<'system.status'>): Check {
  const sources = [status, ...SERVERS.map((name) => status[name])];
  const warnings = sources.flatMap(({ clock_warning }) => clock_warning ?? []);
  if (warnings.length === 0)
    return ok('clock', "Nothing that the servers and the scan show contradicts this machine's clock.");
  return warn(
    'clock',
    warnings.join(' '),
    'Compare date, time and time zone of this machine with a clock that you trust, and let the system set them by itself: invoices and the limits of grants go by this clock.',
  );
}
