// What the doctor finds, part by part, and that its answer can be pasted where strangers read it.

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import net from 'node:net';
import path from 'node:path';
import { systemAfter } from '@wallet-companion/base/async';
import test, { type ExecutionContext } from 'ava';
import { examples } from '../../../scripts/generate/examples.ts';
import { MISSED_CANARY } from '../../../src/protocol/missedCanary.ts';
import type { PeersStatus, ServerView } from '../../../src/protocol/operations/status.ts';
import type { Output } from '../../../src/protocol/operations.ts';
import type { ProverKind } from '../../../src/protocol/pcztPrograms.ts';
import { ok } from '../../../src/protocol/result.ts';
import { accountsCheck, phraseCheck } from '../../../src/service/doctor/accountChecks.ts';
import { certificatesCheck } from '../../../src/service/doctor/certificatesCheck.ts';
import { clockCheck } from '../../../src/service/doctor/companionChecks.ts';
import { debuggerCheck, isDebuggerOpen } from '../../../src/service/doctor/debuggerCheck.ts';
import {
  type DoctorContext,
  diagnose,
  diagnoseWithout,
  type Running,
} from '../../../src/service/doctor/doctor.ts';
import {
  cookieCheck,
  diskCheck,
  filesCheck,
  roomCheck,
  serviceCheck,
} from '../../../src/service/doctor/fileChecks.ts';
import {
  contradictionsCheck,
  peersCheck,
  serverChecks,
  sourceCheck,
} from '../../../src/service/doctor/serverChecks.ts';
import { systemdUnit } from '../../../src/service/systemdUnit.ts';
import { FakeLink } from '../../helpers/fakeLink.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');
const UP: ServerView = {
  state: 'up',
  code: null,
  since: '2026-11-25T11:00:00Z',
  asked_at: '2026-11-25T12:00:00Z',
  tip_height: 5_000,
  tip_risen_at: '2026-11-25T11:59:00Z',
  unknown_upgrade_height: null,
  end_of_support_height: null,
  support_warning: null,
  clock_warning: null,
};
const LOST: ServerView = { ...UP, state: 'lost', code: 'NODE_UNREACHABLE' };

const PEERS = { ...examples['system.status'].output.peers, warning: null };

const status = (node: ServerView, compact_server: ServerView): Output<'system.status'> => ({
  network: 'main',
  last_scan_height: null,
  last_scan_time: null,
  clock_warning: null,
  node,
  compact_server,
  peers: PEERS,
});
const states = (
  node: ServerView,
  compact: ServerView,
  least?: number,
  source: 'auto' | 'node' | 'compact' = 'auto',
) => serverChecks(status(node, compact), source, least, NOW).map(({ state }) => state);

test('peers that show no block are a warning, and so are none where they are wanted', (t) => {
  const stateOf = (peers: Partial<PeersStatus>, source: 'auto' | 'peers' = 'auto') =>
    peersCheck({ ...status(UP, UP), peers: { ...PEERS, ...peers } }, source).state;
  t.is(stateOf({}), 'ok');
  t.is(stateOf({ state: 'off' }), 'ok');
  t.is(stateOf({}, 'peers'), 'ok');
  for (const state of ['off', 'connecting'] as const) t.is(stateOf({ state }, 'peers'), 'fail');
  t.is(stateOf({ state: 'catching_up' }), 'ok');
  t.is(stateOf({ state: 'connecting' }), 'warn');
  t.is(stateOf({ state: 'stale', warning: 'No block.' }), 'warn');
  t.is(stateOf({ state: 'slow', warning: 'Few blocks.' }), 'warn');
  t.deepEqual(states({ ...UP, state: 'other_chain', code: 'CHAIN_OF_LESS_WORK' }, UP), ['fail', 'ok']);
});

test('one server is enough, none is a failure, and one of another network always is', (t) => {
  t.deepEqual(states(UP, UP), ['ok', 'ok']);
  t.deepEqual(states(LOST, UP), ['warn', 'ok']);
  t.deepEqual(states(LOST, LOST), ['fail', 'fail']);
  t.deepEqual(states({ ...UP, state: 'wrong_network' }, UP), ['fail', 'ok']);
  t.deepEqual(states({ ...UP, state: 'refused', code: 'NODE_UNAUTHORIZED' }, UP), ['fail', 'ok']);
  t.deepEqual(states({ ...UP, state: 'behind', code: 'NODE_BEHIND' }, UP), ['warn', 'ok']);
});

test('a server below a birthday that is too high is not to be waited for alone', (t) => {
  const behind: ServerView = { ...UP, state: 'behind', code: 'NODE_BEHIND' };
  const [high, right] = [20_201_102, 4_000].map(
    (birthday) => serverChecks(status(behind, UP), 'auto', undefined, NOW, birthday)[0]!,
  );
  t.like(high, {
    state: 'warn',
    what: "It answers, at height 5000, and the wallet's birthday is block 20201102.",
  });
  t.regex(high!.do!, /wallet rescan --from-height HEIGHT/);
  t.is(right!.what, 'It answers, and is below what was scanned.');
});

test('the extent of the search for accounts is reported for what is open, and what is not complete', (t) => {
  const open = (accounts_searched: number | null, complete: boolean) => ({
    ...examples['sync.status'].output,
    accounts_searched,
    complete,
  });
  t.is(accountsCheck([open(null, false)]).state, 'ok');
  t.like(accountsCheck([open(3, true), open(null, true)]), { state: 'ok', do: null });
  t.like(accountsCheck([open(3, true), open(2, false)]), { state: 'warn' });
  t.regex(accountsCheck([open(3, true), open(2, false)]).what, /3, 2\./);
});

test('phrases that were not confirmed are counted; a locked wallet and one without a phrase are none', (t) => {
  const { output } = examples['wallet.status'];
  const of = (phrase_confirmed: boolean | null) => ({ ...output, phrase_confirmed });
  t.like(phraseCheck([]), { state: 'ok', do: null });
  t.like(phraseCheck([of(true), of(null)]), { state: 'ok', do: null });
  const found = phraseCheck([of(true), of(false), of(false)]);
  t.is(found.state, 'warn');
  t.regex(found.what, /written down: 2\./);
});

test('blocks that full ones contradicted are counted, without their heights or the server', (t) => {
  const { output } = examples['sync.status'];
  const of = (blocks: number) => ({
    ...output,
    contradicted: { start_height: 77, end_height: 78, blocks, compact_server_url: 'http://liar' },
  });
  t.like(contradictionsCheck([{ ...output, contradicted: null }]), { state: 'ok', do: null });
  const found = contradictionsCheck([of(1), output, of(2)]);
  t.is(found.state, 'warn');
  t.regex(found.what, /about 3 blocks than/);
  t.notRegex(JSON.stringify(found), /77|liar/);
});

test('the block source has to answer, and the other server need not', (t) => {
  t.deepEqual(states(LOST, UP, undefined, 'compact'), ['ok', 'ok']);
  t.deepEqual(states(LOST, UP, undefined, 'node'), ['fail', 'ok']);
  t.deepEqual(states(LOST, LOST, undefined, 'compact'), ['ok', 'fail']);
  t.is(sourceCheck('compact').what, 'Blocks come from the compact server.');
});

test('a tip below that of the clock, an old one, and rules of tomorrow are reported', (t) => {
  t.deepEqual(states(UP, UP, 5_000), ['ok', 'ok']);
  t.deepEqual(states(UP, UP, 5_001), ['warn', 'warn']);
  const silent = { ...UP, tip_risen_at: '2026-11-25T10:59:00Z' };
  t.deepEqual(states(silent, UP, 1), ['warn', 'ok']);
  // A devnet makes blocks when it is asked to.
  t.deepEqual(states(silent, UP), ['ok', 'ok']);
  t.deepEqual(states({ ...UP, unknown_upgrade_height: 6_000 }, UP), ['warn', 'ok']);
});

test('a contradiction between servers and the clock is reported once for each', (t) => {
  const clock_warning = 'It is wrong.';
  t.like(clockCheck(status({ ...UP, clock_warning }, UP)), { state: 'warn', what: clock_warning });
  t.like(clockCheck({ ...status(UP, LOST), clock_warning }), { state: 'warn', what: clock_warning });
  t.is(clockCheck(status(UP, LOST)).state, 'ok');
});

test('a node that stops by itself is reported before, and where it does not answer any more', (t) => {
  const support_warning = 'It stops.';
  const [soon, gone] = [
    { ...UP, support_warning },
    { ...LOST, support_warning },
  ].map((node) => serverChecks(status(node, UP), 'node', undefined, NOW)[0]!);
  t.like(soon, { state: 'warn', what: 'It answers, at height 5000. It stops.' });
  t.like(gone, { state: 'fail', what: 'It does not answer (NODE_UNREACHABLE). It stops.' });
});

test('which certificates count, and which variables do not, without their values', (t) => {
  t.regex(certificatesCheck({}, []).what, /^https:\/\/ .* trusts the \d+ authorities of Node\.js\.$/);
  const file = path.resolve('test/fixtures/tls/localhost.crt');
  const extra = { NODE_EXTRA_CA_CERTS: file, NODE_OPTIONS: '--use-system-ca' };
  t.regex(certificatesCheck(extra, []).what, /Node\.js and of the system and 1 of NODE_EXTRA_CA_CERTS\.$/);
  t.is(certificatesCheck(extra, []).state, 'ok');
  for (const [name, value, state] of [
    ['NODE_EXTRA_CA_CERTS', `${file}.none`, 'warn'],
    ['GRPC_DEFAULT_SSL_ROOTS_FILE_PATH', file, 'ok'],
    ['https_proxy', 'http://user:secret@proxy', 'warn'],
  ] as const) {
    const check = certificatesCheck({ [name]: value }, []);
    t.is(check.state, state, name);
    t.true(check.what.includes(name));
    t.false(JSON.stringify(check).includes(value));
  }
});

test.serial('a debugger port is a warning, however it was opened', (t) => {
  t.is(debuggerCheck(isDebuggerOpen()).state, 'ok');
  inspector.open(0, '127.0.0.1');
  t.teardown(() => inspector.close());
  t.like(debuggerCheck(isDebuggerOpen()), { state: 'warn' });
});

class Bed {
  readonly folder: string;
  readonly link = new FakeLink();
  readonly here: DoctorContext;
  readonly dataDir: string;
  constructor(t: ExecutionContext) {
    this.folder = temporaryFolder(t);
    this.dataDir = path.join(this.folder, 'data');
    mkdirSync(this.dataDir, { mode: 0o700 });
    const wallet = path.join(this.dataDir, 'wallet.dat');
    writeFileSync(wallet, '', { mode: 0o600 });
    this.here = {
      version: '1.2.3',
      configFile: path.join(this.folder, 'config.json'),
      dataDir: this.dataDir,
      privateFiles: () =>
        new Map([
          ['the data directory', this.dataDir],
          ['wallet.dat', wallet],
        ]),
      wideFault: async () => undefined,
      unit: path.join(this.folder, 'unit'),
      env: {},
      port: 0,
      now: () => NOW,
      after: systemAfter,
    };
    this.link.answerWith('system.status', () => ok(status(UP, UP)));
  }

  answer(running: Partial<Running> = {}, here = this.here): Promise<Output<'doctor.run'>> {
    return diagnose(
      here,
      {
        link: this.link,
        isServing: true,
        configWarnings: [],
        cookieFile: null,
        outgoing: NO_PROXY,
        prover: async () => 'own',
        provesSapling: async () => false,
        leastHeight: () => 1,
        ...running,
      },
      'request',
    );
  }
}

const NO_PROXY: Running['outgoing'] = {
  proxy: null,
  proxy_isolation: true,
  broadcast: 'source',
  on_event: [],
  price_source: null,
  fault: async () => undefined,
};

const found = ({ checks }: Output<'doctor.run'>, name: string) => checks.find(({ check }) => check === name);

test.serial('what is in order says so, and nothing in the answer is private', async (t) => {
  const bed = new Bed(t);
  bed.link.answerWith('hooks.list', () => ok({ hooks: [] }));
  const answer = await bed.answer();
  const bad = answer.checks.filter(
    ({ check, state }) => state !== 'ok' && !['disk', 'memory'].includes(check),
  );
  t.deepEqual(bad, []);
  // The example's hook fails, and names a host; the example's wallets have names.
  const secrets = JSON.stringify(await new Bed(t).answer({ cookieFile: '/home/alice/.cookie' }));
  for (const { name, target } of examples['hooks.list'].output.hooks)
    for (const text of [`"${name}`, ` ${name} `, target]) t.false(secrets.includes(text), text);
  for (const { name } of examples['wallets.list'].output.wallets.slice(1))
    t.false(secrets.includes(name), name);
  for (const text of ['alice', bed.folder, path.basename(bed.folder)]) t.false(secrets.includes(text), text);
});

test.serial(
  'funds in Orchard are reported without amount or owner, and no locked wallet is asked',
  async (t) => {
    const bed = new Bed(t);
    const [wallet] = examples['wallets.list'].output.wallets;
    const wallets = ['savings', 'shop', 'kept'].map((name) => ({
      ...wallet!,
      name,
      unlocked: name !== 'kept',
    }));
    bed.link.answerWith('wallets.list', () => ok({ ...examples['wallets.list'].output, wallets }));
    const checkWith = async (withdraw_only_zatoshi: number) => {
      const output = { ...examples['balance.get'].output, withdraw_only_zatoshi };
      bed.link.answerWith('balance.get', () => ok(output));
      return found(await bed.answer(), 'orchard')!;
    };
    t.regex((await checkWith(0)).what, /^No funds in Orchard/);
    const some = await checkWith(777);
    t.regex(some.what, /^There are funds in Orchard, a pool that only drains/);
    t.notRegex(some.what, /\d|savings|shop/);
    const asked = bed.link.calls.filter(({ name }) => name === 'balance.get');
    t.deepEqual([...new Set(asked.map(({ context }) => context.wallet))], ['savings', 'shop']);
  },
);

test.serial('a thread that does not answer is waited for a moment, and the other checks stand', async (t) => {
  const bed = new Bed(t);
  bed.link.answerWith('wallets.list', () => new Promise<never>(() => undefined));
  const now = (_ms: number, strike: () => void) => {
    const soon = setImmediate(strike);
    return () => clearImmediate(soon);
  };
  const answer = await bed.answer({}, { ...bed.here, after: now });
  t.like(found(answer, 'wallets'), {
    state: 'fail',
    what: 'Not known: No answer came within a few seconds. (BUSY)',
  });
  t.is(found(answer, 'grants')?.state, 'ok');
});

test.serial(
  'grants that were made while the clock was ahead are reported, and not mended by the check',
  async (t) => {
    const bed = new Bed(t);
    const { output } = examples['grants.list'];
    const grants = output.grants.map((grant) => ({ ...grant, created_at: '2026-12-25T12:00:00Z' }));
    bed.link.answerWith('grants.list', () => ok({ ...output, grants }));
    const { state, what } = found(await bed.answer(), 'grants')!;
    t.is(state, 'warn');
    t.regex(what, /ahead of the present one: 1;/);
    t.true(bed.link.calls.find(({ name }) => name === 'grants.list')?.context.byService);
  },
);

test.serial('files that others can read, keys of no setting and hooks that fail are found', async (t) => {
  const bed = new Bed(t);
  t.is(found(await bed.answer(), 'files')?.state, 'ok');
  t.is(found(await bed.answer(), 'hooks')?.state, 'warn');
  t.regex(found(await bed.answer(), 'hooks')?.what ?? '', /STATUS_500/);
  chmodSync(path.join(bed.dataDir, 'wallet.dat'), 0o644);
  const answer = await bed.answer({ configWarnings: ['config.json, line 1: "thme" is no setting.'] });
  t.is(answer.worst, 'fail');
  t.regex(found(answer, 'files')?.what ?? '', /^wallet\.dat can be read by others/);
  t.deepEqual(found(answer, 'config')?.what, 'config.json, line 1: "thme" is no setting.');
  writeFileSync(bed.here.configFile, '{}');
  chmodSync(bed.here.configFile, 0o666);
  t.is(found(await bed.answer(), 'config')?.state, 'fail');
});

test.serial(
  'hooks that fail or wait for a missing wallet are identified by their owner, without a name',
  async (t) => {
    const bed = new Bed(t);
    const [hook] = examples['hooks.list'].output.hooks;
    const doctorSays = async (...hooks: readonly Partial<typeof hook>[]) => {
      bed.link.answerWith(
        'hooks.list',
        () => ok({ hooks: hooks.map((one) => ({ ...hook!, ...one })) }) as never,
      );
      return found(await bed.answer(), 'hooks');
    };
    t.regex((await doctorSays({}))?.what ?? '', /^1 of 1 .*STATUS_500; for the default wallet/);
    const both = await doctorSays(
      {},
      { wallet: 'savings' },
      { wallet: 'nobody', state: 'no_wallet', failures: 0 },
    );
    t.is(both?.state, 'warn');
    t.regex(both?.what ?? '', /^2 of 3 .*besides the default one: 1\)\. .*not there: 1\.$/);
    t.notRegex(JSON.stringify(both), /savings|nobody/);
    t.regex(
      (await doctorSays({ failures: 0 }, { failures: 0, wallet: 'savings' }))?.what ?? '',
      /^1 configured; /,
    );
  },
);

test.serial('a thread that is down or does not answer hides no other check', async (t) => {
  const bed = new Bed(t);
  bed.link.healthReport = { ...bed.link.healthReport, chain: 'down' };
  bed.link.failWith('system.status', { code: 'THREAD_LOST', detail: 'The thread ended.' });
  const answer = await bed.answer();
  t.is(found(answer, 'companion')?.state, 'fail');
  t.is(found(answer, 'servers')?.what, 'Not known: The thread ended. (THREAD_LOST)');
  t.not(found(answer, 'disk'), undefined);
  bed.link.healthReport = { ...bed.link.healthReport, chain: 'up', restarts: { wallet: 0, chain: 2 } };
  t.regex(found(await bed.answer(), 'companion')?.what ?? '', /2 times/);
});

test.serial(
  'where no companion runs, the port is tried and the reason of a failed start comes first',
  async (t) => {
    const bed = new Bed(t);
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as net.AddressInfo;
    const here = { ...bed.here, port };
    const taken = await diagnoseWithout(here, {
      code: 'INVALID_REQUEST',
      detail: 'config.json, line 3: wrong.',
    });
    await new Promise((resolve) => other.close(resolve));
    t.is(taken.worst, 'fail');
    t.is(taken.checks[0]?.what, 'It cannot start: config.json, line 3: wrong. (INVALID_REQUEST)');
    t.is(found(taken, 'port')?.state, 'warn');
    t.is(found(await bed.answer({ isServing: false }), 'port')?.state, 'ok');
    t.is(found(await bed.answer(), 'port'), undefined);
  },
);

test.serial('it says who makes proofs, and what Sapling needs', async (t) => {
  const bed = new Bed(t);
  const checkOf = async (prover: ProverKind, sapling = false) =>
    found(await bed.answer({ prover: async () => prover, provesSapling: async () => sapling }), 'prover');
  t.is((await checkOf('program'))?.state, 'ok');
  for (const prover of ['own', 'module'] as const) {
    t.like(await checkOf(prover), { state: 'ok', do: null });
    t.regex((await checkOf(prover))?.what ?? '', /Nothing here makes Sapling proofs/);
    t.regex((await checkOf(prover, true))?.what ?? '', /Sapling's parameters are there/);
  }
  t.is((await checkOf('none'))?.state, 'warn');
});

test.serial('a wide kernel that was refused, or missed a canary, is a warning with what to do', async (t) => {
  const bed = new Bed(t);
  const checkOf = async (fault?: string, reason = 'works') => {
    bed.link.healthReport = { ...bed.link.healthReport, kernel: { variant: 'fma', reason } };
    const here = { ...bed.here, wideFault: async () => fault };
    return found(await bed.answer({}, here), 'kernel');
  };
  t.like(await checkOf(), { state: 'ok', do: null });
  const refused = await checkOf('the wide kernel ended the process that tested it');
  t.is(refused?.state, 'warn');
  t.regex(refused?.what ?? '', /is refused here: the wide kernel ended the process that tested it\. /);
  t.regex(refused?.do ?? '', /"scan_kernel": "wide"/);
  for (const missed of [await checkOf(MISSED_CANARY), await checkOf(undefined, MISSED_CANARY)]) {
    t.is(missed?.state, 'warn');
    t.regex(missed?.do ?? '', /wallet rescan --from-height/);
  }
  const without = await diagnoseWithout(
    { ...bed.here, wideFault: async () => MISSED_CANARY },
    { code: 'INVALID_REQUEST', detail: 'wrong.' },
  );
  t.is(found(without, 'kernel')?.state, 'warn');
});

test('a cookie file that is missing, empty or open to all, and a unit whose program has moved', (t) => {
  const folder = temporaryFolder(t);
  const cookie = path.join(folder, 'cookie');
  t.is(cookieCheck(null).state, 'ok');
  t.is(cookieCheck(cookie).state, 'fail');
  writeFileSync(cookie, '', { mode: 0o600 });
  t.is(cookieCheck(cookie).state, 'fail');
  writeFileSync(cookie, '__cookie__:x');
  t.is(cookieCheck(cookie).state, 'ok');
  chmodSync(cookie, 0o644);
  t.is(cookieCheck(cookie).state, 'warn');
  const unit = path.join(folder, 'unit');
  t.is(serviceCheck(unit).state, 'ok');
  const options = { node: process.execPath, main: cookie, configDir: folder, dataDir: folder, args: [] };
  writeFileSync(unit, systemdUnit(options));
  t.is(serviceCheck(unit).state, 'ok');
  writeFileSync(unit, systemdUnit({ ...options, main: path.join(folder, 'gone %i') }));
  t.is(serviceCheck(unit).state, 'fail');
  writeFileSync(path.join(folder, 'gone %i'), '');
  t.is(serviceCheck(unit).state, 'ok');
});

test('little room is a warning and no room a failure; a folder not made yet has the room of the one above', async (t) => {
  const MB = 1024 * 1024;
  const seen = [undefined, 99 * MB, 1_000 * MB, 5_000 * MB].map(roomCheck);
  t.deepEqual(
    seen.map(({ state, what }) => [state, what]),
    [
      ['ok', 'The system does not say how much room there is.'],
      ['fail', 'The disk of the data directory has 0 MB free.'],
      ['warn', 'The disk of the data directory has 1000 MB free.'],
      ['ok', 'The disk of the data directory has 4 GB free.'],
    ],
  );
  const { what } = await diskCheck(path.join(temporaryFolder(t), 'not', 'yet'));
  t.regex(what, /has \d+ [MG]B free\.$/);
});

test('a file that cannot be looked at is named without its path, and a unit of others is left alone', (t) => {
  const folder = temporaryFolder(t);
  const loop = path.join(folder, 'loop');
  symlinkSync(loop, loop);
  t.like(filesCheck(new Map([['the wallet file', loop]])), {
    state: 'fail',
    what: 'the wallet file cannot be read and written: links lead in a circle.',
    do: 'Correct them.',
  });
  const unit = path.join(folder, 'unit');
  writeFileSync(unit, '[Service]\nExecStart=/bin/true\n');
  t.like(serviceCheck(unit), {
    state: 'ok',
    what: 'The unit is edited, or not ours; it was not looked at further.',
  });
});

test.serial('what goes through the proxy, what does not, and a proxy that does not answer', async (t) => {
  const bed = new Bed(t);
  const proxied = { ...NO_PROXY, proxy: 'socks5://127.0.0.1:9050', price_source: { url: 'http://a.onion' } };
  const answer = async (outgoing: Running['outgoing']) => found(await bed.answer({ outgoing }), 'proxy');
  const good = await answer(proxied);
  t.is(good?.state, 'ok');
  const what = good?.what ?? '';
  t.regex(what, /^Through socks5:\/\/127\.0\.0\.1:9050: .*prices, peers, each server with a login/);
  t.regex(what, /On this machine, so directly: node.*Not through it: programs/);
  const away = await answer({ ...proxied, fault: async () => 'the SOCKS proxy does not answer' });
  t.is(away?.state, 'fail');
  t.regex(away?.what ?? '', /does not answer\. Nothing goes around it/);
  t.regex((await answer(NO_PROXY))?.what ?? '', /No proxy is set/);
});
