// config.json, read once at start. A file that is unreadable or holds a wrong value stops the start and is left as it
// is: replacing it by defaults would lose a person's settings over a typo. Writing touches only keys that changed; the
// rest of the text, unknown keys and layout included, stays.

import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SerialQueue } from '@wallet-companion/base/async';
import { MOST_SLIPS, slipsBetween } from '@wallet-companion/base/values';
import type { Source } from '@wallet-companion/chain/ports';
import {
  isKnownVersion,
  latestVersion,
  makeFolder,
  pendingSteps,
  replaceFileIf,
  storageFailed,
} from '@wallet-companion/disk/files';
import { JsonDocument, JsonDocumentError, type JsonMember } from '@wallet-companion/disk/json';
import type * as z from 'zod';
import type { Config, ConfigFile } from '../../actors/wallet/ports/configFile.ts';
import { CompanionError, type FieldError } from '../../protocol/errors.ts';
import { issueMessage } from '../../protocol/issueMessage.ts';
import { CONFIG_FILE } from '../files/dataFiles.ts';
import { CONFIG_KEYS, CONFIG_SCHEMAS, configDefaults, isOwnKey, RELOADED_KEYS } from './configValues.ts';
import { CONFIG_STEPS, type ConfigStep } from './migrations/steps.ts';

const MAX_CONFIG_SIZE = 1024 * 1024;
/** An edit that has mistakes, or a newer program's file, where this process has to write. */
const REJECTED_FILE = 'config.rejected.json';
const MOST_TRIES = 5;

export interface ConfigFileOptions {
  /** May not exist before the first change. */
  readonly configDir: string;
  /** From the command line: valid for this process and never written. */
  readonly overrides?: Partial<Config>;
  readonly migrations?: readonly ConfigStep[];
  /** The keys that this file may hold; it treats others as unknown. */
  readonly keys?: readonly (keyof Config)[];
}

/** Reads config.json. `INVALID_REQUEST` names file, line and key of what is wrong; `STORAGE_FAILED` when unreadable. */
export function openConfigFile({
  configDir,
  overrides = {},
  migrations = CONFIG_STEPS,
  keys = CONFIG_KEYS,
}: ConfigFileOptions): OpenedConfigFile {
  const file = path.join(configDir, CONFIG_FILE);
  const text = readText(file);
  const document =
    text === undefined
      ? withVersion(JsonDocument.parse('{}\n'), latestVersion(migrations))
      : migrated(parseDocument(text), migrations);
  const flags = checkedOverrides(overrides);
  const { values, problems } = checkedMembers(document, keys);
  if (problems.length > 0) throw invalidFile(problems);
  return new JsonConfigFile(file, document, values, flags, migrations, keys);
}

export interface OpenedConfigFile extends ConfigFile {
  /** Sentences about keys in the file that have no effect. */
  warnings(): string[];
  /**
   * Reads the values that may change at run time from the file again. An error in the file is thrown, as at start, and changes
   * nothing.
   */
  reload(): Promise<Config>;
}

class JsonConfigFile implements OpenedConfigFile {
  readonly #file: string;
  readonly #migrations: readonly ConfigStep[];
  readonly #keys: readonly (keyof Config)[];
  readonly #writes = new SerialQueue();
  #document: JsonDocument;
  readonly #nodeFlag: string | undefined;
  #values: Partial<Config>;
  #overrides: Partial<Config>;

  constructor(
    file: string,
    document: JsonDocument,
    values: Partial<Config>,
    overrides: Partial<Config>,
    migrations: readonly ConfigStep[],
    keys: readonly (keyof Config)[],
  ) {
    this.#migrations = migrations;
    this.#keys = keys;
    this.#file = file;
    this.#document = document;
    this.#values = values;
    this.#overrides = overrides;
    this.#nodeFlag = overrides.node_url;
  }

  warnings(): string[] {
    return unknownKeys(this.#document.members, [...this.#keys, VERSION_KEY, EARLIER_SOURCE_KEY]);
  }

  get(): Config {
    const network = this.#overrides.network ?? this.#values.network ?? 'main';
    return { ...configDefaults(network), ...this.#values, ...this.#overrides };
  }

  isSet(key: keyof Config): boolean {
    return this.#overrides[key] !== undefined || this.#values[key] !== undefined;
  }

  namedNodes(): string[] {
    return [this.#namedNode(), ...(this.#nodeFlag === undefined ? [] : [this.#nodeFlag])];
  }

  update(wanted: Partial<Config>, byOwner = false): Promise<Config> {
    return this.#writes.run(() => this.#change(wanted, byOwner));
  }

  chooseSource(source: Source): Promise<Source> {
    return this.#writes.run(async () => {
      const { block_source: known } = this.get();
      if (known !== 'auto') return known;
      await this.#change({ block_source: source });
      return source;
    });
  }

  reload(): Promise<Config> {
    return this.#writes.run(async () => {
      const text = readText(this.#file);
      const edited = text === undefined ? JsonDocument.parse('{}\n') : parseDocument(text);
      const document = migrated(edited, this.#migrations);
      const { values, problems } = checkedMembers(document, this.#keys);
      if (problems.length > 0) throw invalidFile(problems);
      this.#document = document;
      // An override of the command line stays where the file has the same value as before.
      const changed = RELOADED_KEYS.filter((key) => !isDeepStrictEqual(values[key], this.#values[key]));
      const defaults = configDefaults(this.get().network);
      const fresh = Object.fromEntries(changed.map((key) => [key, values[key] ?? defaults[key]]));
      this.#values = { ...this.#values, ...fresh };
      this.#overrides = without(this.#overrides, changed);
      return this.get();
    });
  }

  async #change(wanted: Partial<Config>, byOwner = false): Promise<Config> {
    const changes = { ...wanted, ...this.#nodeOrigin(wanted.node_url, byOwner) };
    const changed = this.#keys.filter((key) => changes[key] !== undefined);
    const edits = changed.map((key): [string, unknown] => [key, toJson(changes[key])]);
    // A command may write the file at the same moment: then its change is read first.
    for (let tries = 1; ; tries++) {
      const { text, document: latest, isRejected } = this.#latest();
      const document = latest.with(new Map(edits));
      const { values, problems } = checkedMembers(document, this.#keys);
      if (problems.length > 0) throw invalidValues(problems);
      if (isRejected) await this.#write(text!, path.join(path.dirname(this.#file), REJECTED_FILE));
      const isSame = () => tries === MOST_TRIES || this.#textNow() === text;
      if (!(await this.#write(document.text, this.#file, isSame))) continue;
      this.#document = document;
      this.#values = { ...this.#values, ...only(values, changed) };
      // A value set while running replaces the one from the command line; otherwise the change would have no effect.
      this.#overrides = without(this.#overrides, changed);
      return this.get();
    }
  }

  /** Undefined also where something else has its name, which the write then reports. */
  #textNow(): string | undefined {
    try {
      return readText(this.#file);
    } catch (error) {
      if (error instanceof CompanionError) return undefined;
      throw error;
    }
  }

  /** What a person wrote into the file meanwhile stays there for the next start; what has mistakes is put aside. */
  #latest(): { text: string | undefined; document: JsonDocument; isRejected: boolean } {
    const text = this.#textNow();
    if (text === undefined) return { text, document: this.#document, isRejected: false };
    try {
      const edited = migrated(parseDocument(text), this.#migrations);
      const own = this.#keys.filter((key) => isOwnKey(key) && this.#values[key] !== undefined);
      const document = edited.with(new Map(own.map((key) => [key, toJson(this.#values[key])])));
      if (checkedMembers(document, this.#keys).problems.length === 0)
        return { text, document, isRejected: false };
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error;
    }
    return { text, document: this.#document, isRejected: true };
  }

  /** The address in the file; if a caller set it, the one that the user named before. */
  #namedNode(): string {
    const { node_url: url = configDefaults(this.get().network).node_url, node_url_over_http: set } =
      this.#values;
    return set?.node_url === url ? set.instead_of : url;
  }

  /** A caller that sets the named address again undoes the changes of callers. */
  #nodeOrigin(url: string | undefined, byOwner: boolean): Partial<Config> {
    if (url === undefined) return {};
    const named = this.#namedNode();
    if (!byOwner && url !== named) return { node_url_over_http: { node_url: url, instead_of: named } };
    return (this.#values.node_url_over_http ?? null) === null ? {} : { node_url_over_http: null };
  }

  async #write(text: string, file: string, mayReplace = () => true): Promise<boolean> {
    try {
      makeFolder(path.dirname(file));
      return await replaceFileIf(await linkTarget(file), new TextEncoder().encode(text), mayReplace);
    } catch (error) {
      throw storageFailed('written', file, error);
    }
  }
}

/** People keep their configuration elsewhere and link to it; the link must stay. */
async function linkTarget(file: string): Promise<string> {
  return fs.existsSync(file) ? fs.promises.realpath(file) : file;
}

function readText(file: string): string | undefined {
  try {
    const stats = fs.statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isFile() || stats.size > MAX_CONFIG_SIZE) {
      throw startError(`${CONFIG_FILE} is not a text file of at most 1 MiB`, []);
    }
    // It names the servers that get the requests and the node's cookie, and the extensions that may call.
    if (process.getuid !== undefined && ![process.getuid(), 0].includes(stats.uid)) {
      throw startError(`${CONFIG_FILE} belongs to another user`, []);
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw startError(`${CONFIG_FILE} is not UTF-8 text`, []);
    throw storageFailed('read', file, error);
  }
}

function parseDocument(text: string): JsonDocument {
  try {
    return JsonDocument.parse(text);
  } catch (error) {
    if (!(error instanceof JsonDocumentError)) throw error;
    throw startError(`${CONFIG_FILE}, line ${error.line}: ${error.message}`, []);
  }
}

/** Absent in version 1. */
const VERSION_KEY = 'config_version';

/**
 * The source of follow mode in earlier versions, and today's block source where that is not in the file. Beside a configured node,
 * which all other calls asked, `compact` does not count.
 */
const EARLIER_SOURCE_KEY = 'follow_source';

const withVersion = (document: JsonDocument, version: number): JsonDocument =>
  version === 1 ? document : document.with(new Map([[VERSION_KEY, version]]));

/**
 * In memory only: several processes may read the file, but only the holder of the directory lock writes it. A file of
 * an earlier version stays as it is until the first change is written in today's version.
 */
function migrated(document: JsonDocument, steps: readonly ConfigStep[]): JsonDocument {
  const { value: version, line } = document.members.get(VERSION_KEY) ?? { value: 1, line: 1 };
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    const problem = { path: VERSION_KEY, message: 'must be a whole number from 1', line };
    throw invalidFile([problem]);
  }
  if (!isKnownVersion(version, steps)) {
    throw new CompanionError(
      'INVALID_REQUEST',
      `${CONFIG_FILE}, line ${line}: the file has format ${version}, which this program does not know; it was left as it is. Use the newer program that wrote it.`,
    );
  }
  const pending = pendingSteps(steps, version);
  if (pending.length === 0) return document;
  const latest = pending.reduce((changed, step) => step.migrate(changed), document);
  return withVersion(latest, latestVersion(steps));
}

interface Problem extends FieldError {
  readonly line: number;
}

/** The known keys of the document, checked. */
function checkedMembers(
  document: JsonDocument,
  keys: readonly (keyof Config)[],
): { values: Partial<Config>; problems: Problem[] } {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const key of keys) {
    const member = document.members.get(key);
    if (member === undefined) continue;
    const checked = check(key, member.value);
    if (checked.success) values[key] = checked.data;
    else {
      for (const problem of fieldErrors(key, checked.error)) problems.push({ ...problem, line: member.line });
    }
  }
  const earlier = document.members.get(EARLIER_SOURCE_KEY)?.value;
  const isUsed = earlier === 'node' || (earlier === 'compact' && !document.members.has('node_url'));
  if (isUsed && keys.includes('block_source')) values['block_source'] ??= earlier;
  return { values, problems };
}

function checkedOverrides(overrides: Partial<Config>): Partial<Config> {
  const given = CONFIG_KEYS.filter((key) => overrides[key] !== undefined);
  const problems = given.flatMap((key) => {
    const checked = check(key, toJson(overrides[key]));
    return checked.success ? [] : fieldErrors(key, checked.error);
  });
  if (problems.length > 0) {
    throw invalidValues(problems);
  }
  return without(
    overrides,
    CONFIG_KEYS.filter((key) => !given.includes(key)),
  );
}

function check(key: keyof Config, value: unknown): z.ZodSafeParseResult<unknown> {
  return CONFIG_SCHEMAS[key].safeParse(value);
}

/** Messages only, never the value: a URL may hold credentials. */
function fieldErrors(key: string, error: z.ZodError): FieldError[] {
  return error.issues.map((issue) => ({
    path: [key, ...issue.path].join('.'),
    message: issueMessage(issue),
  }));
}

function invalidFile(problems: readonly Problem[]): CompanionError {
  const sentences = problems.map(({ line, path, message }) => `line ${line}: "${path}": ${message}`);
  return startError(`${CONFIG_FILE}, ${sentences.join('; ')}`, problems);
}

function invalidValues(problems: readonly FieldError[]): CompanionError {
  const sentences = problems.map(({ path, message }) => `"${path}": ${message}`);
  return new CompanionError('INVALID_REQUEST', `${sentences.join('; ')}.`, { errors: problems });
}

function startError(problem: string, problems: readonly FieldError[]): CompanionError {
  const errors = problems.map(({ path, message }) => ({ path, message }));
  return new CompanionError(
    'INVALID_REQUEST',
    `${problem}. Correct the file and start again; it was left as it is.`,
    { errors },
  );
}

/** `undefined` (an upgrade that never comes) is null in JSON. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, member: unknown) => (member === undefined ? null : member)));
}

const only = (values: Partial<Config>, keys: readonly (keyof Config)[]): Partial<Config> =>
  Object.fromEntries(keys.map((key) => [key, values[key]]));

function without(values: Partial<Config>, keys: readonly (keyof Config)[]): Partial<Config> {
  return Object.fromEntries(
    Object.entries(values).filter(([key]) => !keys.some((dropped) => dropped === key)),
  );
}

// Keys of config.json that change nothing. They are kept, because another version of the program may know them; but a
// user who misspelt a known key believes that the setting is in force.

/** A key longer than this is no misspelling. */
const LONGEST = 64;

/** One sentence per key. */
function unknownKeys(members: ReadonlyMap<string, JsonMember>, known: readonly string[]): string[] {
  return [...members].flatMap(([key, { line }]) => {
    if (known.includes(key)) return [];
    const meant = meantBy(key, known);
    const end = meant === undefined ? '.' : `; did you mean "${meant}"?`;
    return [
      `${CONFIG_FILE}, line ${line}: "${key.slice(0, LONGEST)}" is no setting and changes nothing${end}`,
    ];
  });
}

function meantBy(key: string, known: readonly string[]): string | undefined {
  if (key.length > LONGEST) return undefined;
  const plain = plainly(key);
  const [nearest] = known
    .map((word) => ({ word, slips: slipsBetween(plain, plainly(word)) }))
    .filter(({ word, slips }) => slips <= Math.min(MOST_SLIPS, Math.floor(word.length / 3)))
    .sort((a, b) => a.slips - b.slips);
  return nearest?.word;
}

/** `minConfirmations` and `min-confirmations` are meant for `min_confirmations`. */
const plainly = (key: string): string => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
