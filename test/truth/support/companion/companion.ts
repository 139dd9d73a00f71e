// A companion of its own folder that is started, stopped, edited and started again, with all its real parts but the
// threads. Its pool is the kernel in this thread, its password costs little, its disk may be full.

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CompactStores } from '@wallet-companion/chain/ports';
import type { ExecutionContext } from 'ava';
import type { NoteDatabase, NoteDatabases } from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import type { CompanionEvent } from '../../../../src/protocol/events.ts';
import { createCompactStores } from '../../../../src/storage/blocks/compactStores.ts';
import { createInvoiceFiles } from '../../../../src/storage/invoices/invoiceFile.ts';
import { createWalletFile } from '../../../../src/storage/wallet/walletFile.ts';
import { CHEAP_KDF } from '../../../helpers/cheapKdf.ts';
import { copyFolder } from '../../../helpers/copyFolder.ts';
import { inlinePool } from '../../../helpers/inlinePool.ts';
import { openPatientCompact, openPatientNode } from '../../../helpers/waits.ts';
import {
  type ManualClock,
  PASSWORD,
  seededRandom,
  startWallet,
  type WalletHarness,
} from '../../../helpers/walletHarness.ts';
import { invoiceRows } from './invoices.ts';
import { PHRASE, payments } from './payments.ts';

export const BIRTHDAY = 4;
const CONFIG = 'config.json';

/** Commits that fail, and reads after them. */
export class Disk {
  commitsLeft = Infinity;
  failures = 0;
  #opened: NoteDatabase | undefined;

  /** The store that was opened last. */
  get opened(): NoteDatabase {
    if (this.#opened === undefined) throw new Error('no store is open');
    return this.#opened;
  }

  repair(): void {
    this.commitsLeft = Infinity;
    this.failures = 0;
  }

  readonly wrap = (databases: NoteDatabases): NoteDatabases => ({
    open: (masterKey) => this.#guarded(databases.open(masterKey)),
    retire: () => databases.retire(),
    dropResealed: () => databases.dropResealed(),
  });

  #guarded(database: NoteDatabase): NoteDatabase {
    this.#opened = database;
    return {
      load: () => {
        if (this.commitsLeft <= 0 && this.failures-- > 0)
          throw new CompanionError('STORAGE_FAILED', 'The disk does not answer.');
        if (this.commitsLeft <= 0) this.repair();
        return database.load();
      },
      commit: (change) => {
        if (this.commitsLeft <= 0) throw new CompanionError('STORAGE_FAILED', 'The disk is full.');
        this.commitsLeft--;
        database.commit(change);
      },
      readJournal: (after, limit) => database.readJournal(after, limit),
      findReported: (wanted) => database.findReported(wanted),
      findSightings: (wanted) => database.findSightings(wanted),
      witnessPart: (key) => database.witnessPart(key),
      keepWitnessParts: (parts) => database.keepWitnessParts(parts),
      lastingPart: (key) => database.lastingPart(key),
      changeLasting: (change) => database.changeLasting(change),
      payments: () => database.payments(),
      get paymentWrites() {
        return database.paymentWrites;
      },
      putPayment: (...given) => database.putPayment(...given),
      deletePayment: (...given) => database.deletePayment(...given),
      keyedPayment: (key) => database.keyedPayment(key),
      reseal: (masterKey) => database.reseal(masterKey),
      close: () => database.close(),
    };
  }
}

/** A folder with the wallet in it, to be copied: making one costs. */
let template: Promise<string> | undefined;

async function makeTemplate(t: ExecutionContext) {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const wallet = await startWallet(t, { folder, config: { network: 'regtest' } });
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: BIRTHDAY });
  await wallet.stop();
  const keep = { dataDir: folder, randomBytes: seededRandom('invoices'), kdf: CHEAP_KDF };
  const { masterKey } = await createWalletFile(keep).open(new TextEncoder().encode(PASSWORD));
  const invoices = createInvoiceFiles(keep).open(masterKey);
  const rows = invoiceRows((account) => payments().keysOf(account));
  invoices.put(rows, rows.length);
  invoices.close();
  return folder;
}

export class Companion {
  readonly disk = new Disk();
  readonly #t: ExecutionContext;
  readonly #folder: string;
  readonly #clock: ManualClock | undefined;
  readonly #stores: CompactStores;
  #connections: { close(): void }[] = [];
  #running: WalletHarness | undefined;
  #lastEvents: readonly CompanionEvent[] = [];

  private constructor(t: ExecutionContext, folder: string, clock: ManualClock | undefined) {
    this.#t = t;
    this.#folder = folder;
    this.#clock = clock;
    this.#stores = createCompactStores(clock && { after: (ms, strike) => clock.after(ms, strike) });
  }

  /** `clock`: that of all its starts; by default each has its own. */
  static async make(t: ExecutionContext, config: object, clock?: ManualClock): Promise<Companion> {
    template ??= makeTemplate(t);
    const folder = fs.mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
    copyFolder(await template, folder);
    const companion = new Companion(t, folder, clock);
    companion.editConfig({ network: 'regtest', ...config });
    return companion;
  }

  get wallet(): WalletHarness {
    if (this.#running === undefined) throw new Error('not running');
    return this.#running;
  }

  get fileBytes(): number {
    const files = fs.readdirSync(this.#folder, { recursive: true, encoding: 'utf8' });
    return files.reduce((sum, name) => sum + fs.statSync(path.join(this.#folder, name)).size, 0);
  }

  /** As a person sees it. */
  get config(): { readonly last_scan_height?: number | null } {
    return JSON.parse(fs.readFileSync(path.join(this.#folder, CONFIG), 'utf8')) as object;
  }

  editConfig(fields: object): void {
    const file = path.join(this.#folder, CONFIG);
    const before = fs.existsSync(file) ? this.config : {};
    fs.writeFileSync(file, JSON.stringify({ ...before, ...fields }), { mode: 0o600 });
  }

  async start(): Promise<void> {
    const kept = <C extends { close(): void }>(connection: C): C => {
      this.#connections.push(connection);
      return connection;
    };
    this.#running = await startWallet(this.#t, {
      folder: this.#folder,
      stores: this.#stores,
      ...(this.#clock && { clock: this.#clock }),
      noteDatabases: this.disk.wrap,
      pool: () => inlinePool(2),
      openNode: (endpoint, parameters) => kept(openPatientNode(endpoint, parameters)),
      openCompact: (url, parameters) => kept(openPatientCompact(url, parameters)),
    });
  }

  /** What the last run left, at its end. */
  get lastEvents(): readonly CompanionEvent[] {
    return this.#lastEvents;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#lastEvents = this.#running?.events ?? [];
    this.#running = undefined;
    for (const connection of this.#connections) connection.close();
    this.#connections = [];
    this.#stores.close();
  }

  async remove(): Promise<void> {
    await this.stop();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}
