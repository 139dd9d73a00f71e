// Policy and journal of an allowance signer, each a file that is sealed under the signer's key, and a counter of their changes: an
// older copy of either is noticed by it. Only a copy of all three, put back together, is not.

import fs from 'node:fs';
import path from 'node:path';
import { errnoOf, replaceFile, storageFailed } from '@wallet-companion/disk/files';
import { deriveSubkey, type RandomBytes, seal, unseal } from '@wallet-companion/disk/sealing';
import * as z from 'zod';
import { CompanionError } from '../protocol/errors.ts';
import * as field from '../protocol/fields.ts';
import { EMPTY_JOURNAL, type JournalState, journalSchema } from './journal.ts';
import { FIRST_POLICY, type Policy, policySchema } from './policy.ts';

const policyFile = z.strictObject({ version: field.count, policy: policySchema });
const counterFile = z.strictObject({ policy: field.count, journal: field.count });
type Counter = z.output<typeof counterFile>;

/** Bytes, more than a full journal takes. */
export const MAX_SIZE = 64 * 1024 * 1024;

export class SignerStore {
  readonly #policy: SealedFile<z.output<typeof policyFile>>;
  readonly #journal: SealedFile<JournalState>;
  readonly #counter: SealedFile<Counter>;
  #count: Counter = { policy: 0, journal: 0 };

  /** The caller wipes the master key; `close` wipes those that were derived from it. */
  constructor(folder: string, masterKey: Uint8Array, randomBytes: RandomBytes) {
    const sealed = <T>(name: string, schema: z.ZodType<T>) =>
      new SealedFile(folder, name, schema, masterKey, randomBytes);
    this.#policy = sealed('policy', policyFile);
    this.#journal = sealed('journal', journalSchema);
    this.#counter = sealed('counter', counterFile);
  }

  /** For a new signer. */
  async create(): Promise<void> {
    await this.#journal.write(EMPTY_JOURNAL);
    await this.storePolicy(FIRST_POLICY);
  }

  /** Throws `WALLET_CORRUPT` where a file is missing, damaged, or older than the counter; `STORAGE_FAILED`. */
  read(): { readonly policy: Policy; readonly journal: JournalState } {
    const [{ version, policy }, journal, count] = [
      this.#policy.read(),
      this.#journal.read(),
      this.#counter.read(),
    ];
    // They may be ahead of it: a kill may come between the file and the counter.
    if (version < count.policy) throw putBack('policy');
    if (journal.sequence < count.journal) throw putBack('journal');
    this.#count = { policy: version, journal: journal.sequence };
    return { policy, journal };
  }

  /**
   * Brings the counter up to what was read, before anything is signed from it: after a kill between the two a payment that was
   * written down is signed without another write, and an older journal would still fit. For the holder of the folder's lock.
   */
  catchUp(): Promise<void> {
    return this.#counted(this.#count);
  }

  /** For the holder of the folder's lock, who has read or created it. */
  async storePolicy(policy: Policy): Promise<void> {
    const version = this.#count.policy + 1;
    await this.#policy.write({ version, policy });
    await this.#counted({ ...this.#count, policy: version });
  }

  async storeJournal(state: JournalState): Promise<void> {
    await this.#journal.write(state);
    await this.#counted({ ...this.#count, journal: state.sequence });
  }

  close(): void {
    for (const file of [this.#policy, this.#journal, this.#counter]) file.wipe();
  }

  async #counted(count: Counter): Promise<void> {
    await this.#counter.write(count);
    this.#count = count;
  }
}

class SealedFile<T> {
  readonly #file: string;
  readonly #name: string;
  readonly #schema: z.ZodType<T>;
  readonly #key: Uint8Array;
  readonly #randomBytes: RandomBytes;

  constructor(
    folder: string,
    name: string,
    schema: z.ZodType<T>,
    masterKey: Uint8Array,
    randomBytes: RandomBytes,
  ) {
    this.#file = path.join(folder, `${name}.sealed`);
    this.#name = name;
    this.#schema = schema;
    this.#key = deriveSubkey(masterKey, `allowance/${name}/1`);
    this.#randomBytes = randomBytes;
  }

  read(): T {
    const plain = unseal(this.#key, this.#bytes(), this.#context);
    if (plain === undefined) throw unreadable(this.#name, 'is damaged, or of another signer');
    try {
      return this.#schema.parse(JSON.parse(new TextDecoder().decode(plain)));
    } catch (cause) {
      throw unreadable(this.#name, 'cannot be read by this version', cause);
    }
  }

  async write(value: T): Promise<void> {
    const plain = new TextEncoder().encode(JSON.stringify(value));
    try {
      await replaceFile(this.#file, seal(this.#key, plain, this.#context, this.#randomBytes));
    } catch (cause) {
      throw storageFailed('written', this.#file, cause);
    }
  }

  wipe(): void {
    this.#key.fill(0);
  }

  get #context(): Uint8Array {
    return new TextEncoder().encode(this.#name);
  }

  #bytes(): Uint8Array {
    try {
      const stats = fs.lstatSync(this.#file);
      if (!stats.isFile() || stats.size > MAX_SIZE) throw unreadable(this.#name, 'is not one of the signer');
      return fs.readFileSync(this.#file);
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT') throw unreadable(this.#name, 'is not there', cause);
      throw storageFailed('read', this.#file, cause);
    }
  }
}

const START_ANEW =
  'Nothing is signed. If the newest files are lost, make the signer anew in another folder, with its phrase.';

const unreadable = (name: string, why: string, cause?: unknown): CompanionError =>
  new CompanionError('WALLET_CORRUPT', `The ${name} of the signer ${why}. ${START_ANEW}`, { cause });

const putBack = (name: string): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The ${name} of the signer is not the newest one: it was put back from a copy. ${START_ANEW}`,
  );
