// One wallet is led through everything that handles a secret and locked; then all memory of the process is read. What
// the lock leaves behind could be dumped, swapped or read weeks later.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { AT_LENGTH } from '@wallet-companion/base/test/atLength';
import { requestTo } from '@wallet-companion/client/contract';
import { Devnet } from '@wallet-companion/devnet';
import { deriveSubkey } from '@wallet-companion/disk/sealing';
import { canReadMemory, findInMemory, type Needles } from '@wallet-companion/disk/test/memoryScan';
import { decodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { encodeInteger32 } from '@wallet-companion/zcash/curves';
import {
  deriveOrchardAccountKey,
  deriveSaplingAccountKey,
  deriveViewingKeys,
  incomingKeys,
  mnemonicToSeed,
  outgoingKeys,
  type ViewingKeys,
} from '@wallet-companion/zcash/keys';
import { networkParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { type OperationName, type Output, operations } from '../../src/protocol/operations.ts';
import { createWalletFile } from '../../src/storage/wallet/walletFile.ts';
import { EventReader } from '../helpers/eventStream.ts';
import { type Service, startService } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

/** Longer than what the engine normalises without memory of its own. */
const PASSWORD = 'lime-harbour-Zvoneček-8841-and-the-old-lighthouse';
const NEW_PASSWORD = 'copper-meadow-Žluť-5107-beside-the-winding-brook';
const WRONG = 'mistyped-harbour-3390';
const MEMO = 'for the seven winter tyres, thank you (4417)';
const PAID_MEMO = 'the second half of the piano, as agreed (2093)';
const INVOICE = {
  memo: 'thirty-one hand-bound notebooks, linen, no lines (7741)',
  reference: 'order of the bookshop by the river, number 88-5150-c',
  metadata: { customer: 'lives above the bakery, rings twice, back door (6502)' },
};
/** A run of words is as good as the phrase. */
const RUN = 4;
const SEALING_KEYS = [
  'ledger/seal/1',
  'ledger/name/1',
  'ledger/blocks/1',
  'wallet/secrets/1',
  'wallet/view/1',
];
const params = networkParameters('regtest');

/** So much of a text is as good as the whole: memory that was freed has been overwritten at its beginning. */
const PIECE = 40;

/** As a string of either width, and as JSON; of a long one each piece. */
const text = (value: string): Buffer[] => {
  const normal = [...new Set([value, value.normalize('NFKC'), value.normalize('NFD')])];
  return distinct(
    normal
      .flatMap((form) => [form, ...piecesOf(form)])
      .flatMap((form) => [Buffer.from(form), Buffer.from(form, 'latin1'), Buffer.from(form, 'utf16le')]),
  );
};

const piecesOf = (value: string): string[] =>
  Array.from({ length: Math.floor(value.length / PIECE) }, (_, i) =>
    value.slice(value.length - (i + 1) * PIECE, value.length - i * PIECE),
  );

function phraseNeedles(mnemonic: string): Buffer[] {
  const words = mnemonic.split(' ');
  const runs = words.slice(RUN - 1).map((_, first) => words.slice(first, first + RUN).join(' '));
  return runs.flatMap(text);
}

/**
 * Every part of a key that something can be seen with, of both scopes. The latter half of each: the C library writes its
 * own notes over the beginning of what is given back.
 */
function viewingKeyBytes(keys: ViewingKeys): Buffer[] {
  const parts = [keys.sapling, keys.orchard].flatMap((key) =>
    key === undefined
      ? []
      : [0, 32, 64, 96].map((at) => key.slice(at, at + 32)).filter(({ length }) => length > 0),
  );
  const incoming = incomingKeys(keys, 0).flatMap(({ ivk, dk, nk }) => (nk ? [ivk, dk, nk] : [ivk, dk]));
  const outgoing = outgoingKeys(keys, 0).map(({ ovk }) => ovk);
  return distinct([...parts, ...incoming, ...outgoing].map((part) => Buffer.from(part).subarray(16)));
}

const distinct = (needles: readonly Buffer[]): Buffer[] => [
  ...new Map(needles.map((needle) => [needle.toString('hex'), needle])).values(),
];

/** As it is, and as it lies in the note store and in JSON. */
const memoForms = (memo: string): Buffer[] => [...text(memo), ...text(Buffer.from(memo).toString('hex'))];

async function secretsOf(mnemonic: string, dataDir: string): Promise<Needles> {
  const seed = mnemonicToSeed(mnemonic, '');
  const keys = deriveViewingKeys(seed, params, 0);
  const sapling = deriveSaplingAccountKey(seed, params.coinType, 0);
  const walletFile = createWalletFile({ dataDir, randomBytes });
  const { masterKey } = await walletFile.open(Buffer.from(NEW_PASSWORD.normalize('NFKC')));
  return new Map<string, readonly Buffer[]>([
    ['phrase', phraseNeedles(mnemonic)],
    ['password', [PASSWORD, NEW_PASSWORD].flatMap(text)],
    ['wrong password', text(WRONG)],
    ['seed', [Buffer.from(seed)]],
    [
      'spending key',
      [
        deriveOrchardAccountKey(seed, params.coinType, 0),
        encodeInteger32(sapling.ask),
        encodeInteger32(sapling.nsk),
      ].map((key) => Buffer.from(key)),
    ],
    ['viewing key', [...text(encodeUnifiedViewingKey(keys, params)), ...viewingKeyBytes(keys)]],
    ['master key', [Buffer.from(masterKey)]],
    ['sealing key', SEALING_KEYS.map((label) => Buffer.from(deriveSubkey(masterKey, label)))],
    ['memo', memoForms(MEMO)],
  ]);
}

/** One call over one of the surfaces; fails the test unless it ends with that status of HTTP. */
type Ask = (name: OperationName, input?: object, status?: number) => Promise<unknown>;

interface Used {
  readonly pid: number;
  readonly ask: Ask;
  readonly secrets: Needles;
}

interface Caller {
  readonly ask: Ask;
  /** Hears events from now on; resolves with the first that has the memo. */
  hear(): Promise<() => Promise<unknown>>;
}

type Surface = (t: ExecutionContext, service: Service) => Caller;

/** Comments have no data. */
const hasMemo = (data: unknown): boolean => JSON.stringify(data ?? null).includes(MEMO);

const overHttp: Surface = (t, service) => ({
  ask: async (name, input, status = 200) => {
    const { method, path } = operations[name].http;
    const { target, body } = requestTo(method, path, input ?? {});
    const given = await (body === undefined ? service.get(target) : service.post(target, JSON.parse(body)));
    t.is(given.status, status, JSON.stringify(given.body));
    return given.body;
  },
  hear: async () => {
    const events = await EventReader.open(`${service.url}/api/events`);
    t.teardown(() => events.close());
    return async () => {
      for (;;) {
        const reported = await events.next();
        if (reported === undefined) throw new Error('the stream ended');
        if (hasMemo(reported.data)) return reported.data;
      }
    };
  },
});

const overSocket: Surface = (t, service) => {
  const link = createSocketLink(socketPath(service.dataDir));
  t.teardown(() => link.close());
  return {
    ask: async (name, input = {}, status = 200) => {
      const given = await link.dispatch(name, input, { requestId: 'memory' });
      t.is(given.ok ? 200 : ERRORS[given.error.code].status, status, JSON.stringify(given));
      return given.ok ? given.value : given.error;
    },
    hear: async () => {
      const reported = new Promise((resolve) => link.subscribe(({ data }) => hasMemo(data) && resolve(data)));
      await link.health();
      return () => reported;
    },
  };
};

/** A program, and addresses of which one takes what is delivered and the other never does. */
async function listenForHooks(t: ExecutionContext) {
  const heard = new Set<string>();
  let stir = () => {};
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.writeHead(request.url === '/refused' && body.includes(MEMO) ? 500 : 204).end();
    for (const part of [MEMO, INVOICE.reference])
      if (body.includes(part)) heard.add(`${request.url} ${part}`);
    stir();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.teardown(() => receiver.close());
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const secret_file = path.join(temporaryFolder(t), 'key');
  writeFileSync(secret_file, 'a key of some thirty characters', { mode: 0o600 });
  const events = ['change', 'invoice.changed'];
  return {
    settings: [
      { name: 'program', events, command: ['/bin/cat'] },
      ...['taken', 'refused'].map((name) => ({ name, events, url: `${address}/${name}`, secret_file })),
    ],
    /** All of the one, and of the other what comes first. */
    reported: async () => {
      while (heard.size < 3) await new Promise<void>((resolve) => (stir = resolve));
    },
  };
}

/** What happens between an unlock and the sync after it. */
type Meanwhile = (t: ExecutionContext, service: Service, devnet: Devnet, ask: Ask) => Promise<void>;

/** Everything that a wallet's life has, from making it to an open and synced session. */
async function use(t: ExecutionContext, surface: Surface, meanwhile?: Meanwhile): Promise<Used> {
  const devnet = new Devnet({ seed: 'memory' });
  const hooks = await listenForHooks(t);
  const node_url = await devnet.node.listen();
  const service = await startService(t, {
    config: { network: 'regtest', node_url, auto_lock_seconds: 0, on_event: hooks.settings },
  });
  t.teardown(async () => {
    await service.stop();
    service.remove();
    await devnet.close();
  });
  const { pid } = service;
  if (pid === undefined) throw new Error('the companion has a process');
  const { ask, hear } = surface(t, service);
  const made = await ask('wallet.create', { password: PASSWORD, birthday_height: 1 });
  const { mnemonic, unified_address: address } = made as Record<string, string>;
  if (mnemonic === undefined || address === undefined) throw new Error('phrase and address are told');
  devnet.payTo(address, { pool: 'orchard', zatoshi: 1_000_000n, memo: MEMO });
  devnet.payTo(address, { pool: 'sapling', zatoshi: 250_000n, memo: MEMO });
  devnet.mineEmpty(10);
  await ask('wallet.backup', { password: PASSWORD });
  await ask('wallet.viewing_key', { password: PASSWORD });
  await ask('wallet.change_password', { password: PASSWORD, new_password: NEW_PASSWORD });
  await ask('wallet.lock');
  await ask('wallet.unlock', { password: WRONG }, 401);
  await ask('wallet.unlock', { password: NEW_PASSWORD });
  const toldMemo = await hear();
  await meanwhile?.(t, service, devnet, ask);
  await ask('sync.run', { password: NEW_PASSWORD });
  t.like(await toldMemo(), { memo: { text: MEMO } });
  t.true(JSON.stringify(await ask('notes.list')).includes(MEMO));
  await ask('transactions.list');
  await ask('balance.get');
  const paid = await pay(ask, address);
  const asked = await invoice(ask, devnet);
  await hooks.reported();
  const secrets = new Map([...(await secretsOf(mnemonic, service.dataDir)), ...paid, ...asked]);
  return { pid, ask, secrets };
}

/** What a payment leaves with everybody who prepares, shows or completes it: none of it is public before or after. */
async function pay(ask: Ask, address: string): Promise<Needles> {
  // Nothing here may prove its Sapling spend.
  const order = { address, zatoshi: 100_000, memo: PAID_MEMO, try_anyway: true };
  const { payment_id, pczt } = (await ask('payments.prepare', order)) as Output<'payments.prepare'>;
  await ask('pczt.inspect', { pczt });
  await ask('payments.list');
  await ask('payments.combine', { payment_id, pczt });
  await ask('payments.discard', { payment_id });
  return new Map([
    ['paid memo', memoForms(PAID_MEMO)],
    ['PCZT', pcztNeedles(decodePczt(Buffer.from(pczt, 'base64')).pczt)],
    ['PCZT in base64', piecesOf(pczt).map((piece) => Buffer.from(piece))],
  ]);
}

/** What a shop writes into an invoice goes through its answers, its list, its events and its payment request. */
async function invoice(ask: Ask, devnet: Devnet): Promise<Needles> {
  const made = (await ask('invoices.create', {
    ...INVOICE,
    amount_zatoshi: 30_000,
  })) as Output<'invoices.create'>;
  devnet.payTo(made.address, { pool: 'orchard', zatoshi: 30_000n });
  devnet.mineEmpty(1);
  await ask('sync.run');
  await ask('invoices.get', { invoice_id: made.invoice_id });
  await ask('invoices.list');
  const encoded = Buffer.from(INVOICE.memo).toString('base64url');
  return new Map([
    ['memo of an invoice', [...memoForms(INVOICE.memo), ...text(encoded)]],
    ['reference', text(INVOICE.reference)],
    ['metadata', text(INVOICE.metadata.customer)],
  ]);
}

/** The randomness of its notes and keys: with it the notes are open. */
const pcztNeedles = ({ orchard, ironwood }: Pczt): Buffer[] =>
  [orchard, ironwood].flatMap(({ actions }) =>
    actions.flatMap(({ spend, output, rcv }) =>
      [spend.rseed, spend.alpha, output.rseed, rcv].flatMap((part) =>
        part === undefined ? [] : [Buffer.from(part).subarray(16)],
      ),
    ),
  );

/** Another wallet is open and scans with the first one, on the same workers. */
const besideAnother: Meanwhile = async (t, service, devnet, ask) => {
  const link = createSocketLink(socketPath(service.dataDir));
  t.teardown(() => link.close());
  const call = async (name: OperationName, input = {}) => {
    const answer = await link.dispatch(name, input, { requestId: 'memory', wallet: 'savings' });
    if (!answer.ok) throw new Error(`${name}: ${answer.error.code}`);
    return answer.value as Record<string, string>;
  };
  const made = await call('wallet.create', { password: 'of the other one', birthday_height: 1 });
  devnet.payTo(made['unified_address'] ?? '', { pool: 'orchard', zatoshi: 70_000n });
  // Both have workers from here on, so that the next scans are on shared ones.
  await Promise.all([call('sync.run', { end_height: 2 }), ask('sync.run', { end_height: 2 })]);
  await Promise.all([call('sync.run'), ask('sync.run')]);
  t.like(await call('balance.get'), { total_zatoshi: 70_000 });
};

const run = canReadMemory ? test : test.skip;

/** V8 of Node 24 and later keeps pages of an ended thread for minutes; every search takes a second or two. */
const MOST_SEARCHES = 400;

async function leftAfterLock(t: ExecutionContext, { pid, ask, secrets }: Used): Promise<string[]> {
  let found: string[] = [];
  for (let i = 0; i < MOST_SEARCHES; i++) {
    t.like(await ask('wallet.status'), { unlocked: false });
    found = [...findInMemory(pid, secrets)].map(([where, count]) => `${where}: ${count}`);
    if (found.length === 0) break;
  }
  return found;
}

/** What lies there while the wallet is open is found, so it would be found after the lock; memos lie there after an answer. */
async function isFound(t: ExecutionContext, { pid, ask, secrets }: Used): Promise<void> {
  const missing = new Set(['viewing key', 'sealing key', 'memo', 'paid memo']);
  for (let i = 0; i < MOST_SEARCHES && missing.size > 0; i++) {
    if (i > 0) await ask('notes.list');
    for (const where of findInMemory(pid, secrets).keys()) missing.delete(where.replace(/ in .*$/, ''));
  }
  t.deepEqual([...missing], []);
}

// At length: the two wallets below have all that one has, and more.
for (const [name, surface] of AT_LENGTH
  ? ([
      ['the private socket', overSocket],
      ['HTTP', overHttp],
    ] as const)
  : []) {
  run(`over ${name}: after the lock the memory of the process holds no secret`, async (t) => {
    const used = await use(t, surface);
    await isFound(t, used);
    await used.ask('wallet.lock');
    t.deepEqual(await leftAfterLock(t, used), []);
  });
}

run(
  'of two wallets that scan together, one is locked: nothing of it is there, and the other one stays open',
  async (t) => {
    const used = await use(t, overSocket, besideAnother);
    await isFound(t, used);
    await used.ask('wallet.lock');
    t.deepEqual(await leftAfterLock(t, used), []);
    const listed = (await used.ask('wallets.list')) as Output<'wallets.list'>;
    t.like(
      listed.wallets.find(({ name }) => name === 'savings'),
      { unlocked: true },
    );
  },
);
