// The companion on real file systems: power lost while it writes, a disk that is full, one that turns read-only and one that
// goes away under it. Needs root and loop devices; each part that cannot be had is skipped with the reason.

import { setTimeout } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { expectedBalance, readKnownSeed, shownBalance, startKnownSeedNode } from '../helpers/knownSeed.ts';
import { type Service, startService } from '../helpers/service.ts';
import { until } from '../helpers/until.ts';
import { cannotMount, FILE_SYSTEMS, type FileSystem, LoopDisk } from './support/loopDisk.ts';

const PASSWORD = 'correct horse';
const ROUNDS = 8;
/** An address of somebody else. */
const OTHERS = 't1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs';
const seed = readKnownSeed('main');
const first = seed.firstHeight;

async function start(t: ExecutionContext, type: FileSystem) {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const disk = new LoopDisk(t, type);
  const folder = `${disk.folder}/companion`;
  const service = await startService(t, { folder, config: { network: 'main', node_url: node.url } });
  const made = { mnemonic: seed.mnemonic, password: PASSWORD, birthday_height: first };
  t.is((await service.post('/api/wallet/restore', made)).status, 200);
  return { disk, folder, service };
}

async function again(t: ExecutionContext, folder: string, password = PASSWORD): Promise<Service> {
  const service = await startService(t, { folder });
  t.like(await service.post('/api/wallet/unlock', { password }), { status: 200 });
  return service;
}

/** It comes to the tip, and everything is as the chain has it. */
async function requireComplete(t: ExecutionContext, service: Service): Promise<void> {
  t.like(await service.post('/api/sync', {}), { status: 200, body: { caught_up: true } });
  const { body } = await service.get<Output<'balance.get'>>('/api/balance');
  t.true(body.complete);
  t.deepEqual(shownBalance(body), expectedBalance(seed.main, seed.main.tip.height, [0, 1]));
}

type Invoice = Output<'invoices.create'>;

/** Everything that was answered. */
interface Answered {
  readonly invoices: Map<string, string>;
  /** The last note of the contact: they count up. */
  note: number;
}

const copyOf = ({ invoices, note }: Answered): Answered => ({
  invoices: new Map(invoices),
  note,
});

/** Writes of every kind until the service ends. */
async function write(service: Service, answered: Answered, round: number): Promise<void> {
  const invoices = async (): Promise<never> => {
    for (let i = 0; ; i++) {
      const reference = `${round}:${i}`;
      const { status, body } = await service.post<Invoice>('/api/invoices', { amount_zatoshi: 1, reference });
      if (status === 200) answered.invoices.set(body.invoice_id, body.address);
    }
  };
  const contacts = async (): Promise<never> => {
    for (let note = answered.note + 1; ; note++) {
      const contact = { name: 'Ann', address: OTHERS, note: String(note) };
      const { status } = await service.post('/api/contacts', contact);
      if (status === 200) answered.note = note;
    }
  };
  const scans = async (): Promise<never> => {
    for (;;) {
      await service.post('/api/sync', {});
      await service.post('/api/wallet/rescan', {});
    }
  };
  await Promise.allSettled([invoices(), contacts(), scans()]);
}

async function requireAnswered(t: ExecutionContext, service: Service, answered: Answered): Promise<void> {
  for (const [id, address] of answered.invoices)
    t.like(await service.get(`/api/invoices/${id}`), { status: 200, body: { address } }, id);
  const { body } = await service.get<Output<'contacts.list'>>('/api/contacts');
  const note = Number(body.contacts[0]?.note ?? 0);
  t.true(note >= answered.note, `contact ${note}, and ${answered.note} was answered`);
}

const onDisk = (type: FileSystem, what: string, body: (t: ExecutionContext) => Promise<void>): void => {
  const reason = cannotMount(type);
  if (reason === undefined) test.serial(`${type}: ${what}`, body);
  else test.skip(`${type}: ${what} (skipped: ${reason.slice(0, 200)})`, () => undefined);
};

for (const type of FILE_SYSTEMS.filter((one) => one !== 'tmpfs' && one !== 'fuse')) {
  onDisk(type, 'what was answered is there after the power was lost', async (t) => {
    const { disk, folder, service: begun } = await start(t, type);
    const answered: Answered = { invoices: new Map(), note: 0 };
    let service: Service = begun;
    for (let round = 0; round < ROUNDS; round++) {
      const writing = write(service, answered, round);
      const { invoices, note } = copyOf(answered);
      await until(() => answered.invoices.size > invoices.size + 2 && answered.note > note);
      await setTimeout(211 * round);
      process.kill(service.pid!, 'SIGSTOP');
      // An answer that came until here was given before the copy.
      await setTimeout(20);
      const before = copyOf(answered);
      const copy = disk.copyDevice();
      await service.kill();
      await writing;
      disk.replaceDevice(copy);
      service = await again(t, folder);
      await requireAnswered(t, service, before);
    }
    t.log(`${answered.invoices.size} invoices and ${answered.note} contacts were answered`);
    await requireComplete(t, service);
    t.is(await service.stop(), 0);
  });
}

for (const type of FILE_SYSTEMS) {
  onDisk(type, 'scans, is killed, changes its password, and says when the disk is full', async (t) => {
    const { disk, folder, service } = await start(t, type);
    await service.post('/api/sync', { end_height: first + 29 });
    const { body: balance } = await service.get('/api/balance');
    await service.kill();
    const killed = await again(t, folder);
    t.deepEqual((await killed.get<unknown>('/api/balance')).body, balance);
    const makeRoom = disk.fill();
    t.like(await killed.post('/api/sync', {}), { status: 500, body: { code: 'STORAGE_FAILED' } });
    t.deepEqual((await killed.get<unknown>('/api/balance')).body, balance);
    makeRoom();
    await requireComplete(t, killed);
    const change = { password: PASSWORD, new_password: 'another' };
    t.like(await killed.post('/api/wallet/change-password', change), { status: 200 });
    t.is(await killed.stop(), 0);
    const changed = await again(t, folder, 'another');
    await requireComplete(t, changed);
    t.is(await changed.stop(), 0);
  });
}

onDisk(
  'ext4',
  'a disk that turns read-only is shown as long as it is, and goes on when it is mended',
  async (t) => {
    const { disk, folder, service } = await start(t, 'ext4');
    await service.post('/api/sync', { end_height: first + 29 });
    const { body: balance } = await service.get('/api/balance');
    disk.turnReadOnly();
    t.like(await service.post('/api/sync', {}), { status: 500, body: { code: 'STORAGE_FAILED' } });
    t.deepEqual((await service.get<unknown>('/api/balance')).body, balance);
    await service.kill();
    const shown = await again(t, folder);
    t.deepEqual((await shown.get<unknown>('/api/balance')).body, balance);
    t.like(await shown.post('/api/sync', {}), { status: 500, body: { code: 'STORAGE_FAILED' } });
    await shown.stop();
    disk.repair();
    const mended = await again(t, folder);
    await requireComplete(t, mended);
    t.is(await mended.stop(), 0);
  },
);

for (const type of ['ext4', 'xfs'] as const) {
  onDisk(type, 'a disk that goes away takes nothing with it that was answered', async (t) => {
    const { disk, folder, service } = await start(t, type);
    const answered: Answered = { invoices: new Map(), note: 0 };
    const writing = write(service, answered, 0);
    await until(() => answered.invoices.size > 2 && answered.note > 0);
    const before = copyOf(answered);
    disk.shutDown();
    t.like(await service.post('/api/sync', { end_height: first + 5 }), { status: 500 });
    await service.kill();
    await writing;
    disk.unmount();
    disk.mount();
    const back = await again(t, folder);
    await requireAnswered(t, back, before);
    await requireComplete(t, back);
    t.is(await back.stop(), 0);
  });
}
