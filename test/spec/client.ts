// A client as an integrator would write it from the pages: one method for each route, every answer checked to
// the letter before it is handed on. It shares no code with the product.
import { type IncomingHttpHeaders, request } from 'node:http';
import type * as z from 'zod';
import { type EventStream, openEvents } from './events.ts';
import * as shapes from './shapes.ts';

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};
export type Fields = Readonly<Record<string, unknown>>;
type Raw = { readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

/** A failure that has the form the page demands of every failure. */
export class Refused extends Error {
  readonly problem: shapes.Problem;
  readonly headers: IncomingHttpHeaders;

  constructor(problem: shapes.Problem, headers: IncomingHttpHeaders) {
    super(`${problem.code} ${problem.status}: ${problem.detail}`);
    this.problem = problem;
    this.headers = headers;
  }
}

export class Client {
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  /** One exchange with nothing added but the length: for the rules about headers and broken bodies. */
  raw(method: string, path: string, { body, headers = {} }: Raw = {}): Promise<Answer> {
    return new Promise((done, failed) => {
      const sent = request(`${this.base}${path}`, { method, headers, agent: false }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', failed);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          done({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        });
      });
      sent.on('error', failed);
      sent.end(body);
    });
  }

  /** Sends a body and goes away without waiting for the answer, once `when` has come. */
  async abandon(path: string, body: Fields, when: Promise<void>): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${this.base}${path}`, { method: 'POST', headers, agent: false });
    sent.on('error', () => {});
    sent.end(JSON.stringify(body));
    await when;
    sent.destroy();
  }

  /** The stream of events from now on, or from the one after `lastEventId`. */
  events(lastEventId?: string): Promise<EventStream> {
    return openEvents(`${this.base}/api/events`, lastEventId);
  }

  /** Sends JSON and checks what comes back, success or failure, against its shape. */
  async call<Shape extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    shape: Shape,
    body?: Fields,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<z.infer<Shape>> {
    const sent =
      body === undefined
        ? { headers }
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
    const answer = await this.raw(method, path, sent);
    if (answer.status !== 200) throw new Refused(problemOf(answer), answer.headers);
    common(answer);
    if (!/^application\/json\b/.test(answer.headers['content-type'] ?? '')) {
      throw new Error(`${path} answered ${answer.headers['content-type']} instead of JSON`);
    }
    const held = shape.safeParse(JSON.parse(answer.text));
    if (!held.success) throw new Error(`${method} ${path}: ${held.error.message}\n${answer.text}`);
    return held.data;
  }

  exists = () => this.call('GET', '/api/wallet/exists', shapes.exists);
  create = (body: Fields) => this.call('POST', '/api/wallet/create', shapes.created, body);
  restore = (body: Fields) => this.call('POST', '/api/wallet/restore', shapes.restored, body);
  unlock = (body: Fields) => this.call('POST', '/api/wallet/unlock', shapes.unlocked, body);
  config = () => this.call('GET', '/api/config', shapes.config);
  setNodeUrl = (body: Fields) => this.call('POST', '/api/config/node-url', shapes.config, body);
  setTheme = (body: Fields) => this.call('POST', '/api/config/theme', shapes.config, body);
  balance = (query = '') => this.call('GET', `/api/balance${query}`, shapes.balance);
  sync = (body?: Fields) => this.call('POST', '/api/sync', shapes.synced, body);
  serverInfo = (query = '') => this.call('GET', `/api/lwd/info${query}`, shapes.serverInfo);
  serverTip = (query = '') => this.call('GET', `/api/lwd/chain-tip${query}`, shapes.serverTip);
  syncCompact = (body?: Fields) => this.call('POST', '/api/lwd/sync/compact', shapes.compactSynced, body);
  status = () => this.call('GET', '/api/wallet/status', shapes.status);
  lock = (body?: Fields) => this.call('POST', '/api/wallet/lock', shapes.anything, body);
  changePassword = (body: Fields) => this.call('POST', '/api/wallet/change-password', shapes.anything, body);
  backup = (body: Fields) => this.call('POST', '/api/wallet/backup', shapes.backup, body);
  rescan = (body?: Fields) => this.call('POST', '/api/wallet/rescan', shapes.anything, body);
  address = (query = '') => this.call('GET', `/api/address${query}`, shapes.addressed);
  nextAddress = (body?: Fields) => this.call('POST', '/api/address', shapes.addressed, body);
  viewingKey = (body: Fields) => this.call('POST', '/api/viewing-key', shapes.anything, body);
  importViewingKey = (body: Fields) =>
    this.call('POST', '/api/wallet/import-viewing-key', shapes.anything, body);
  accounts = () => this.call('GET', '/api/accounts', shapes.anything);
  addAccount = (body: Fields) => this.call('POST', '/api/accounts', shapes.anything, body);
  notes = (query = '') => this.call('GET', `/api/notes${query}`, shapes.notes);
  transactions = (query = '') => this.call('GET', `/api/transactions${query}`, shapes.transactions);
  syncStatus = () => this.call('GET', '/api/sync/status', shapes.anything);
  cancel = (body?: Fields) => this.call('POST', '/api/sync/cancel', shapes.anything, body);
  setCompactServerUrl = (body: Fields) =>
    this.call('POST', '/api/config/compact-server-url', shapes.config, body);
  version = () => this.call('GET', '/api/version', shapes.version);
  openapi = () => this.call('GET', '/api/openapi.json', shapes.anything);

  /** Every page of a list that has a cursor; a page that repeats an entry or never ends is an error. */
  async everyNote(query = '', from: string | null = null): Promise<shapes.Note[]> {
    return this.#pages(
      async (cursor) => {
        const page = await this.notes(joined(query, cursor));
        return { entries: page.notes, next: page.next_cursor };
      },
      (held) => `${held.pool} ${held.txid} ${held.output_index}`,
      from,
    );
  }

  async everyTransaction(query = ''): Promise<shapes.Transaction[]> {
    return this.#pages(
      async (cursor) => {
        const page = await this.transactions(joined(query, cursor));
        return { entries: page.transactions, next: page.next_cursor };
      },
      (held) => held.txid,
    );
  }

  /** The loop that the page tells every client to write: repeat the call until caught up. */
  async syncUntilCaughtUp(body: Fields = {}): Promise<shapes.Synced[]> {
    const answers: shapes.Synced[] = [];
    for (;;) {
      const answer = await this.sync(body);
      answers.push(answer);
      if (answer.caught_up) return answers;
      if (answer.blocks_scanned === 0)
        throw new Error(`repeating the call never catches up: ${JSON.stringify(answer)}`);
    }
  }

  /** A range walked with next_start_height until range_complete, or until the tip holds it up. */
  async syncRange(start_height: number, end_height: number): Promise<shapes.Synced[]> {
    const answers: shapes.Synced[] = [];
    let from = start_height;
    for (;;) {
      const answer = await this.sync({ start_height: from, end_height });
      answers.push(answer);
      if (answer.range_complete || answer.blocks_scanned === 0) return answers;
      if (answer.next_start_height === null || answer.next_start_height <= from) {
        throw new Error(`the range does not advance: ${JSON.stringify(answer)}`);
      }
      from = answer.next_start_height;
      if (from > end_height) throw new Error(`past the range, never complete: ${JSON.stringify(answer)}`);
    }
  }

  async #pages<Entry>(
    page: (cursor: string | null) => Promise<{ entries: readonly Entry[]; next: string | null }>,
    keyOf: (entry: Entry) => string,
    from: string | null = null,
  ): Promise<Entry[]> {
    const seen = new Map<string, Entry>();
    for (let cursor = from; ; ) {
      const { entries, next } = await page(cursor);
      for (const entry of entries) {
        if (seen.has(keyOf(entry))) throw new Error(`listed twice: ${keyOf(entry)}`);
        seen.set(keyOf(entry), entry);
      }
      if (next === null) return [...seen.values()];
      if (next === cursor || entries.length === 0) throw new Error('the pages never end');
      cursor = next;
    }
  }
}

function joined(query: string, cursor: string | null): string {
  if (cursor === null) return query;
  return `${query}${query === '' ? '?' : '&'}cursor=${encodeURIComponent(cursor)}`;
}

/** What every response carries, and what none may. */
function common(answer: Answer): void {
  if (!answer.headers['x-request-id']) throw new Error('no x-request-id');
}

/** Every failure on every surface has this form. */
export function problemOf(answer: Answer): shapes.Problem {
  common(answer);
  const type = answer.headers['content-type'] ?? '';
  if (!/^application\/problem\+json\b/.test(type)) {
    throw new Error(`${answer.status} as ${type}: ${answer.text}`);
  }
  const held = shapes.problem.safeParse(JSON.parse(answer.text));
  if (!held.success) throw new Error(`${held.error.message}\n${answer.text}`);
  if (held.data.status !== answer.status) throw new Error('the status of the body is not that of the answer');
  if (held.data.request_id !== answer.headers['x-request-id']) throw new Error('two request ids');
  if (held.data.status === 429 && !/^[1-9]\d*$/.test(answer.headers['retry-after'] ?? '')) {
    throw new Error(`429 with Retry-After ${answer.headers['retry-after']}`);
  }
  return held.data;
}

/** The code of the refusal; an answer that was no refusal, or had another form, is an error. */
export async function refusal(pending: Promise<unknown>): Promise<shapes.Problem> {
  try {
    const answer = await pending;
    throw new Error(`answered 200: ${JSON.stringify(answer)}`);
  } catch (error) {
    if (error instanceof Refused) return error.problem;
    throw error;
  }
}
