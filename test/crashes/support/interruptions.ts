// Every way in which the files of one operation can fail it, at every call or at one in so many.

import fs from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import type { ErrorRecord } from '../../../src/protocol/errors.ts';
import { copyFolder } from '../../helpers/copyFolder.ts';
import { Blocks, World } from '../../truth/support/world.ts';
import { CALLS, type Call, CHANGES, type FaultyFiles, type TracedCall } from './faultyFiles.ts';
import { type MadeUpCompanion, type Outside, startMadeUpCompanion } from './madeUpCompanion.ts';
import { NEW_PASSWORD, PASSWORD, type Scenario } from './scenario.ts';
import { require, requireWallet, requireWhole, settle, unlockWithEither } from './truth.ts';

interface Kind {
  readonly name: string;
  readonly calls: readonly Call[];
  readonly errno: number;
  /** From the call on, until somebody makes room or mends it; else that call alone. */
  readonly lasts: boolean;
  /** The call is a write of half its bytes, the failure comes with the next call. */
  readonly half?: boolean;
}

const { EIO, ENOSPC, EDQUOT } = constants.errno;
/** What needs room. */
/** Databases of which a read that fails is told as damage. */
const UNREADABLE: ReadonlySet<string> = new Set(['data/ledger.db', 'data/invoices.db']);
const GROWTH: readonly Call[] = ['create', 'write', 'link', 'mkdir'];

export const KINDS: readonly Kind[] = [
  { name: 'EIO once', calls: CALLS, errno: EIO, lasts: false },
  { name: 'EIO from there on', calls: CALLS, errno: EIO, lasts: true },
  { name: 'ENOSPC from there on', calls: GROWTH, errno: ENOSPC, lasts: true },
  { name: 'EDQUOT once', calls: GROWTH, errno: EDQUOT, lasts: false },
  { name: 'half a write, no more', calls: ['write'], errno: 0, lasts: false, half: true },
  { name: 'half a write, then EIO once', calls: CHANGES, errno: EIO, lasts: false, half: true },
  { name: 'half a write, then ENOSPC', calls: GROWTH, errno: ENOSPC, lasts: true, half: true },
];

export interface Report {
  /** Calls of one undisturbed run, by kind of call. */
  readonly calls: Readonly<Record<string, number>>;
  readonly files: readonly string[];
  /** Runs by kind. */
  readonly runs: Readonly<Record<string, number>>;
  /** In how many of them the operation failed, which it must be able to. */
  readonly failed: number;
  readonly faults: readonly string[];
}

const NOT_ALIVE = 2 ** 30;

export class Interruptions {
  readonly #files: FaultyFiles;
  readonly #scenario: Scenario;
  readonly #room: string;
  readonly #outside: Outside;
  readonly #most: number;
  readonly #kinds: readonly Kind[];
  readonly #runs: Record<string, number> = {};
  readonly #faults: string[] = [];
  #failed = 0;
  #folders = 0;

  /** `room`: an empty folder. `most`: so many runs of a kind, evenly spread. `kinds`: those that are tried. */
  constructor(files: FaultyFiles, scenario: Scenario, room: string, most: number, kinds: readonly string[]) {
    this.#files = files;
    this.#scenario = scenario;
    this.#room = room;
    this.#most = most;
    this.#kinds = KINDS.filter(({ name }) => kinds.includes(name));
    const blocks = new Blocks();
    this.#outside = { blocks, world: new World(blocks) };
  }

  async run(): Promise<Report> {
    fs.mkdirSync(this.#template);
    await this.#scenario.prepare(this.#template, this.#outside);
    const trace = await this.#undisturbed();
    for (const kind of this.#kinds) await this.#failEach(kind, trace);
    await this.#killEach(trace);
    const calls: Record<string, number> = {};
    for (const { call } of trace) calls[call] = (calls[call] ?? 0) + 1;
    const files = [...new Set(trace.map(({ name }) => name.replace(/\.\d+\.[0-9a-f]{12}\./, '.')))];
    return { calls, files, runs: this.#runs, failed: this.#failed, faults: this.#faults };
  }

  get #template(): string {
    return path.join(this.#room, 'template');
  }

  async #undisturbed(): Promise<TracedCall[]> {
    const folder = this.#copy();
    const companion = await this.#started(folder);
    this.#files.count();
    const answer = await this.#scenario.run(companion, this.#outside);
    const trace = this.#files.off();
    require(answer.ok, `undisturbed: ${JSON.stringify(answer)}`);
    await companion.stop();
    await requireWhole(this.#scenario, folder, this.#outside, { answer: answer.value });
    fs.rmSync(folder, { recursive: true });
    return trace;
  }

  async #failEach(kind: Kind, trace: readonly TracedCall[]): Promise<void> {
    const counted = trace.filter(({ call }) => kind.calls.includes(call));
    const numbers = counted
      .map((_, i) => i + 1)
      .filter((number) => kind.half !== true || counted[number - 1]?.call === 'write');
    const stride = Math.ceil(numbers.length / this.#most);
    for (const number of numbers.filter((_, i) => i % stride === Math.floor(stride / 2))) {
      await this.#report(`${kind.name}, call ${number} of ${counted.length}`, () => this.#fail(kind, number));
      this.#runs[kind.name] = (this.#runs[kind.name] ?? 0) + 1;
    }
  }

  async #fail({ calls, errno, lasts, half = false }: Kind, number: number): Promise<void> {
    const folder = this.#copy();
    const companion = await this.#started(folder);
    const from = half ? number + 1 : number;
    const to = lasts ? 2 ** 31 - 1 : errno === 0 ? 0 : from;
    this.#files.fail({ calls, errno, from, to, half });
    const answer = await this.#scenario.run(companion, this.#outside);
    const seen = this.#files.off();
    try {
      if (answer.ok) require(lasts || seen.length >= number, 'the call was not reached');
      else {
        this.#failed++;
        require(errno !== 0, `a short write is no failure: ${JSON.stringify(answer.error)}`);
        this.#requireFailure(answer.error, seen.slice(number - 1));
      }
      await this.#goOn(companion, answer.ok || saysDone(answer.error));
      await companion.stop();
      await requireWhole(this.#scenario, folder, this.#outside);
    } catch (error) {
      const [at, next] = [seen[number - 1], seen[number]].map((call) => `${call?.call} ${call?.name}`);
      throw new Error(`${at} / ${next}: ${answer.ok ? 'ok' : JSON.stringify(answer.error)}: ${error}`);
    }
    fs.rmSync(folder, { recursive: true });
  }

  /** The same process, once its disk is well again. */
  async #goOn(companion: MadeUpCompanion, wasDone: boolean): Promise<void> {
    const { operation, already = [] } = this.#scenario;
    const again = await this.#scenario.run(companion, this.#outside);
    const isFine = again.ok || already.includes(again.error.code);
    require(isFine, `again: ${JSON.stringify(again)}`);
    await companion.get('wallet.lock');
    await requireWallet(this.#scenario, companion, this.#outside);
    const password = await unlockWithEither(companion);
    if (operation === 'wallet.change_password')
      require(password === NEW_PASSWORD, 'the change of password was not made');
    else require(password === PASSWORD, 'the password is another one');
    // Only a wallet that was made and then could not be opened is there all the same: it must not be made twice.
    if (operation === 'wallet.change_password' && wasDone)
      require(!again.ok, 'said to be done, and the old password was still right');
    // So is a payment that could be written, and neither counted nor taken back.
    const mayStay = this.#scenario.makesWallet === true || this.#scenario.preparesPayment === true;
    if (!wasDone) require(again.ok || mayStay, 'said to have failed, and done');
    await settle(companion, this.#outside);
  }

  #requireFailure({ code, detail }: ErrorRecord, after: readonly TracedCall[]): void {
    // What cannot be read back (EIO) is damage to SQLite; a database of ours says that it may be the disk.
    const isUnreadable = code === 'WALLET_CORRUPT' && /or (?:its|their) disk fails/.test(detail);
    const isExpected =
      isUnreadable && after.some(({ call, name }) => call === 'read' && UNREADABLE.has(name));
    require(code === 'STORAGE_FAILED' || isExpected, `answered ${code}: ${detail}`);
    require(!detail.includes(path.sep) &&
      !/\bat \S+:\d+/.test(detail), `the answer says too much: ${detail}`);
  }

  /** One run is all kills: what lies on the disk before each change is what one there would leave. */
  async #killEach(trace: readonly TracedCall[]): Promise<void> {
    const changes = trace.filter(({ call }) => CHANGES.includes(call)).length;
    const stride = Math.ceil(changes / this.#most);
    const album = path.join(this.#room, 'album');
    fs.mkdirSync(album);
    const folder = this.#copy();
    const companion = await this.#started(folder);
    this.#files.photograph(album, stride, 1);
    await this.#scenario.run(companion, this.#outside);
    const seen = this.#files.off();
    await companion.stop();
    fs.rmSync(folder, { recursive: true });
    for (const photo of fs.readdirSync(album)) {
      const kind = photo.endsWith('.torn') ? 'half a write, then a kill' : 'a kill';
      const { call, name } = seen[Number.parseInt(photo, 10) - 1]!;
      await this.#report(`${kind} at ${photo} of ${changes}, ${call} ${name}`, async () => {
        const left = path.join(album, photo);
        forgetMaker(left);
        await requireWhole(this.#scenario, left, this.#outside);
      });
      this.#runs[kind] = (this.#runs[kind] ?? 0) + 1;
    }
    fs.rmSync(album, { recursive: true });
  }

  async #report(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#files.off();
    }
  }

  async #started(folder: string): Promise<MadeUpCompanion> {
    this.#files.watch(folder);
    const companion = await startMadeUpCompanion(folder, this.#outside);
    await this.#scenario.before?.(companion);
    return companion;
  }

  #copy(): string {
    const folder = path.join(this.#room, `run-${++this.#folders}`);
    copyFolder(this.#template, folder);
    return folder;
  }
}

/** The one failure after the deed: the note store of the changed password could not be put in place, which the unlock does. */
const saysDone = ({ code, detail }: ErrorRecord): boolean =>
  code === 'STORAGE_FAILED' && detail.startsWith('The password has been changed, but ');

/** Temporary files say which process made them; a killed one is none any more, this one is. */
export function forgetMaker(folder: string): void {
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const renamed = name.replace(`.${process.pid}.`, `.${NOT_ALIVE}.`);
    if (renamed !== name) fs.renameSync(path.join(folder, name), path.join(folder, renamed));
  }
}
