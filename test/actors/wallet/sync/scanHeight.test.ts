import { asBlockHash } from '@wallet-companion/shielded/identifiers';
import test from 'ava';
import { NoteStore } from '../../../../src/actors/wallet/notes/noteStore.ts';
import { ScanHeight } from '../../../../src/actors/wallet/sync/scanHeight.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';

const BIRTHDAY = 100;
const ACCOUNTS = [{ index: 0, birthdayHeight: BIRTHDAY }];
const header = { createdAt: 'then', birthdayHeight: BIRTHDAY };

const blockAt = (height: number) => ({
  height,
  hash: asBlockHash(new Uint8Array(32).fill(height)),
  prevHash: asBlockHash(new Uint8Array(32).fill(height - 1)),
  time: 0,
  treeSizes: { sapling: 0, orchard: 0, ironwood: 0 },
  outputCount: 0,
  notes: [],
  nullifiers: [],
});

/** A process that ended when config.json knew of the last commit, and the note store not that it does. */
async function endedBetween() {
  let config: object = { last_scan_height: null, last_scan_wallet: null, last_scan_writes: null };
  const configFile = {
    get: () => config,
    update: async (changes: object) => {
      config = { ...config, ...changes };
    },
  };
  const scanHeight = new ScanHeight({ configFile, walletFile: { exists: () => true } } as never);
  const store = new MemoryNoteDatabase();
  const open = () => new NoteStore(store, ACCOUNTS, BIRTHDAY);
  const noteStore = open();
  for (const height of [BIRTHDAY, BIRTHDAY + 1, BIRTHDAY + 2]) {
    noteStore.apply([blockAt(height)]);
    await scanHeight.export({ noteStore, header } as never, 'later');
  }
  const reopened = open();
  const match = () => scanHeight.match({ noteStore: reopened, header } as never);
  return { config: () => config, edit: configFile.update, reopened, match };
}

test('a process that ends before the note store knows what config.json says is no edit', async (t) => {
  const { config, reopened, match } = await endedBetween();
  t.deepEqual([reopened.exportedScanHeight, reopened.exportCount], [BIRTHDAY + 1, 2]);
  t.like(config(), { last_scan_height: BIRTHDAY + 2, last_scan_writes: 3 });
  await match();
  t.is(reopened.lastScanHeight, BIRTHDAY + 2);
  t.deepEqual([reopened.exportedScanHeight, reopened.exportCount], [BIRTHDAY + 2, 3]);
  t.deepEqual(reopened.missing(), []);
});

test('what a person writes after that is followed where it scans again, and never skips', async (t) => {
  for (const [written, expected] of [
    [BIRTHDAY, BIRTHDAY],
    [BIRTHDAY + 9, BIRTHDAY + 2],
  ] as const) {
    const { edit, reopened, match } = await endedBetween();
    await edit({ last_scan_height: written });
    await match();
    t.is(reopened.lastScanHeight, expected);
    t.deepEqual(reopened.missing(), []);
  }
});
