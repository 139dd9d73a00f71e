// What a disk may hold once its power was lost, made from a record of every change to the files of a folder (faultyFiles.c).
//
// Certain is only what was synced: the bytes of a file by a sync of the file, its name by a sync of its folder (fsync(2)).
// Everything later may be there or not, in any order, a write also in part: by sectors, each of which is old or new. A file
// may have its new size before its new bytes: then it has zeros. A call that had not returned is one that was not synced.

import fs from 'node:fs';
import path from 'node:path';
import { CALLS, type Call } from './faultyFiles.ts';

/** One change, or one sync, as faultyFiles.c recorded it. */
export interface Recorded {
  readonly call: Call;
  /** Below the folder. */
  readonly name: string;
  readonly inode: number;
  /** Where a write begins; the size that a truncation leaves. */
  readonly at: number;
  /** What was written; of a rename or link, the new name. */
  readonly data: Buffer;
}

const HEAD_SIZE = 32;

/** The calls in their order. */
export function readRecord(file: string): Recorded[] {
  const bytes = fs.readFileSync(file);
  const calls: Recorded[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const nameAt = offset + HEAD_SIZE;
    const dataAt = nameAt + bytes.readUInt32LE(offset + 4);
    const end = dataAt + Number(bytes.readBigUInt64LE(offset + 8));
    calls.push({
      call: CALLS[bytes.readUInt32LE(offset)]!,
      inode: Number(bytes.readBigUInt64LE(offset + 16)),
      at: Number(bytes.readBigInt64LE(offset + 24)),
      name: bytes.toString('utf8', nameAt, dataAt),
      data: bytes.subarray(dataAt, end),
    });
    offset = end;
  }
  return calls;
}

/** Numbers from 0 up to 1. */
export type Chance = () => number;

/** How much of what is not certain one disk has. */
export interface Mood {
  /** Renames, new names and removals as far as the first that is missing, which journals of file systems do; else any. */
  readonly namesInOrder: boolean;
  /** The share of them that is there. */
  readonly names: number;
  /** The share of writes and truncations that is there. */
  readonly data: number;
  /** The share of writes that is there in part. */
  readonly torn: number;
  readonly sector: 512 | 4096;
  /** The share of files that have their last size, whatever they have of their bytes. */
  readonly sizes: number;
}

const oneOf = <T>(chance: Chance, all: readonly T[]): T => all[Math.floor(chance() * all.length)]!;

/** All and nothing come often: between them lies what programs forget to sync. */
export const moodFrom = (chance: Chance): Mood => ({
  namesInOrder: chance() < 0.5,
  names: oneOf(chance, [0, 0.5, 0.9, 1]),
  data: oneOf(chance, [0, 0.1, 0.5, 0.9, 1]),
  torn: oneOf(chance, [0, 0.3]),
  sector: oneOf(chance, [512, 4096]),
  sizes: oneOf(chance, [0, 0.5, 1]),
});

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly size: number };

/** The bytes of a file, whatever names it has. */
class FileOnDisk {
  #synced: Buffer;
  #now: Buffer;
  /** Since the last sync. */
  #changes: Change[] = [];

  constructor(bytes: Buffer) {
    this.#synced = bytes;
    this.#now = bytes;
  }

  get now(): Buffer {
    return this.#now;
  }

  change(change: Change): void {
    this.#changes.push(change);
    this.#now = changed(this.#now, change);
  }

  sync(): void {
    this.#synced = this.#now;
    this.#changes = [];
  }

  draw(mood: Mood, chance: Chance): Buffer {
    let bytes = this.#synced;
    for (const change of this.#changes) {
      if ('bytes' in change && chance() < mood.torn) {
        for (const piece of sectors(change.at, change.bytes, mood.sector))
          if (chance() < 0.5) bytes = changed(bytes, piece);
      } else if (chance() < mood.data) bytes = changed(bytes, change);
    }
    const isShort = bytes.length < this.#now.length;
    return isShort && chance() < mood.sizes ? changed(bytes, { size: this.#now.length }) : bytes;
  }
}

function changed(before: Buffer, change: Change): Buffer {
  const end = 'size' in change ? change.size : Math.max(before.length, change.at + change.bytes.length);
  const after = Buffer.alloc(end);
  before.copy(after, 0, 0, end);
  if ('bytes' in change) change.bytes.copy(after, change.at);
  return after;
}

/** The write in pieces, none of which is in two sectors of the file. */
function* sectors(at: number, bytes: Buffer, size: number): IterableIterator<{ at: number; bytes: Buffer }> {
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, (Math.floor((at + start) / size) + 1) * size - at);
    yield { at: at + start, bytes: bytes.subarray(start, end) };
    start = end;
  }
}

type Entry = FileOnDisk | Folder;

class Folder {
  readonly synced = new Map<string, Entry>();
  readonly now = new Map<string, Entry>();
}

/** A name of a folder, and what it is given to. */
interface Naming {
  readonly folder: Folder;
  readonly name: string;
  readonly entry: Entry | undefined;
}

const give = (names: Map<string, Entry>, { name, entry }: Naming): void => {
  if (entry === undefined) names.delete(name);
  else names.set(name, entry);
};

/** SQLite maps it into memory, and makes it anew after a crash. */
const isShared = (name: string): boolean => name.endsWith('-shm');

/** A folder, or a file with its bytes, that is left; folders before what is in them. */
export interface Drawn {
  readonly name: string;
  readonly bytes?: Buffer;
}

/** Into an empty folder. */
export function writeDrawn(entries: readonly Drawn[], folder: string): void {
  for (const { name, bytes } of entries) {
    if (bytes === undefined) fs.mkdirSync(path.join(folder, name), { mode: 0o700 });
    else fs.writeFileSync(path.join(folder, name), bytes, { mode: 0o600 });
  }
}

/** A folder and what is certain of it. */
export class Disk {
  readonly #root = new Folder();
  readonly #byInode = new Map<number, FileOnDisk>();
  /** Changes of names that are not synced, in their order: each all at once. */
  #namings: Naming[][] = [];

  /** Everything that is in the folder now is certain. */
  constructor(folder: string) {
    this.#read(folder, this.#root);
  }

  apply({ call, name, inode, at, data }: Recorded): void {
    if (call === 'create') this.#create(name, inode);
    else if (call === 'write') this.#file(inode).change({ at, bytes: data });
    else if (call === 'truncate') this.#file(inode).change({ size: at });
    else if (call === 'sync') this.#sync(name, inode);
    else if (call === 'rename') this.#rename(name, data.toString('utf8'));
    else if (call === 'link')
      this.#name([{ ...this.#place(data.toString('utf8')), entry: this.#find(name) }]);
    else if (call === 'mkdir') this.#name([{ ...this.#place(name), entry: new Folder() }]);
    else this.#name([{ ...this.#place(name), entry: undefined }]);
  }

  /** A disk that may be left. */
  draw(mood: Mood, chance: Chance): Drawn[] {
    const names = new Map<Folder, Map<string, Entry>>();
    const namesOf = (folder: Folder): Map<string, Entry> => {
      const known = names.get(folder) ?? new Map(folder.synced);
      names.set(folder, known);
      return known;
    };
    for (const naming of this.#namings) {
      const isThere = chance() < mood.names;
      if (isThere) for (const one of naming) give(namesOf(one.folder), one);
      else if (mood.namesInOrder) break;
    }
    const bytesOf = new Map<FileOnDisk, Buffer>();
    const entries: Drawn[] = [];
    const add = (folder: Folder, above: string): void => {
      for (const [base, entry] of namesOf(folder)) {
        const name = path.join(above, base);
        if (entry instanceof Folder) {
          entries.push({ name });
          add(entry, name);
          continue;
        }
        const bytes = bytesOf.get(entry) ?? entry.draw(mood, chance);
        bytesOf.set(entry, bytes);
        entries.push({ name, bytes });
      }
    };
    add(this.#root, '');
    return entries;
  }

  /** Where the folder differs from what was recorded: a call went past the record. */
  differences(folder: string): string[] {
    const found: string[] = [];
    const compare = (known: Folder, at: string): void => {
      const there = fs.readdirSync(at);
      for (const name of new Set([...there, ...known.now.keys()])) {
        const entry = known.now.get(name);
        const file = path.join(at, name);
        if (entry === undefined || !there.includes(name)) found.push(file);
        else if (entry instanceof Folder) compare(entry, file);
        else if (!isShared(name) && !entry.now.equals(fs.readFileSync(file))) found.push(file);
      }
    };
    compare(this.#root, folder);
    return found;
  }

  #read(folder: string, into: Folder): void {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      const found = entry.isDirectory() ? new Folder() : new FileOnDisk(fs.readFileSync(file));
      if (found instanceof Folder) this.#read(file, found);
      else this.#byInode.set(fs.statSync(file).ino, found);
      into.synced.set(entry.name, found);
      into.now.set(entry.name, found);
    }
  }

  #create(name: string, inode: number): void {
    const file = new FileOnDisk(Buffer.alloc(0));
    this.#byInode.set(inode, file);
    this.#name([{ ...this.#place(name), entry: file }]);
  }

  #rename(from: string, to: string): void {
    const entry = this.#find(from);
    this.#name([
      { ...this.#place(from), entry: undefined },
      { ...this.#place(to), entry },
    ]);
  }

  #name(naming: Naming[]): void {
    for (const one of naming) give(one.folder.now, one);
    this.#namings.push(naming);
  }

  #sync(name: string, inode: number): void {
    const folder = name === '' ? this.#root : this.#find(name, false);
    if (!(folder instanceof Folder)) {
      this.#file(inode).sync();
      return;
    }
    for (const naming of this.#namings)
      for (const one of naming) if (one.folder === folder) give(folder.synced, one);
    this.#namings = this.#namings
      .map((naming) => naming.filter((one) => one.folder !== folder))
      .filter(({ length }) => length > 0);
  }

  #file(inode: number): FileOnDisk {
    const file = this.#byInode.get(inode);
    if (file === undefined) throw new Error(`a file that nobody made: ${inode}`);
    return file;
  }

  #find(name: string): Entry;
  #find(name: string, must: boolean): Entry | undefined;
  #find(name: string, must = true): Entry | undefined {
    const { folder, name: base } = this.#place(name);
    const entry = folder.now.get(base);
    if (entry === undefined && must) throw new Error(`a name that nobody gave: ${name}`);
    return entry;
  }

  #place(name: string): { readonly folder: Folder; readonly name: string } {
    const steps = name.split('/');
    const base = steps.pop()!;
    let folder = this.#root;
    for (const step of steps) {
      const next = folder.now.get(step);
      if (!(next instanceof Folder)) throw new Error(`a folder that nobody made: ${name}`);
      folder = next;
    }
    return { folder, name: base };
  }
}
