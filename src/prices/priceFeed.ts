// Prices of ZEC from the source that the owner names in config.json: a file, a program's output, or a URL. A program or server
// is asked at fixed times for everything that it has, never for an invoice: so it learns neither when somebody pays nor what.
// Rates of past days are read from a file alone.

import fs from 'node:fs';
import type { After } from '@wallet-companion/base/async';
import { DIRECT, ProxyError, type WayTo } from '@wallet-companion/base/proxy';
import { requestBy } from '../http/calls/statusFailure.ts';
import { type ProgramContext, runProgram } from '../programs/programRun.ts';
import { trustedFile } from '../programs/trustedFile.ts';
import {
  type DayRatesState,
  isOfFuture,
  type PriceFeed,
  type PriceSource,
  type PriceState,
  type Quote,
  readDayRates,
  readQuote,
} from '../protocol/prices.ts';

export interface PriceFeedOptions {
  readonly source: PriceSource | null;
  readonly maxAgeMinutes: number;
  /** Has the rates of past days; default: there are none. */
  readonly ratesFile?: string | null;
  readonly now: () => number;
  readonly after: After;
  /** Default: directly. */
  readonly wayTo?: WayTo;
  readonly program: Omit<ProgramContext, 'after'>;
  /** It names the program that is run, so no other user may write it. */
  readonly settingsFile: string;
  readonly warn: (problem: string) => void;
}

/** A quote is asked for so often before it would be too old. */
const TIMES_PER_AGE = 5;
/** Until there is a quote: the line may not be up yet when the companion starts. */
const FIRST_MS = 60_000;
const LIMIT_SECONDS = 15;
const MAX_MEMORY_MB = 512;
const MAX_BYTES = 256 * 1024;
const MAX_RATES_BYTES = 4 * 1024 * 1024;

export class ScheduledPrices implements PriceFeed {
  readonly #options: PriceFeedOptions;
  #source: PriceSource | null;
  #maxAgeMinutes: number;
  #ratesFile: string | null;
  #quote: Quote | undefined;
  #problem: string | undefined;
  #first: Promise<void> | undefined;
  #run = new AbortController();
  #cancel = (): void => undefined;

  constructor(options: PriceFeedOptions) {
    this.#options = options;
    this.#source = options.source;
    this.#maxAgeMinutes = options.maxAgeMinutes;
    this.#ratesFile = options.ratesFile ?? null;
  }

  /** From now on the source is asked at fixed times. A feed that is not started asks once, when prices are needed. */
  start(): void {
    if (this.#source === null || 'file' in this.#source) return;
    const { after } = this.#options;
    this.#first = this.#ask(this.#source, this.#run.signal);
    const usual = (this.#maxAgeMinutes * 60_000) / TIMES_PER_AGE;
    this.#cancel = after(this.#quote === undefined ? Math.min(usual, FIRST_MS) : usual, () => this.start());
  }

  stop(): void {
    this.#cancel();
    this.#run.abort();
  }

  /** Another source; what an earlier one quoted counts no more. A new age is the pace from the next question on. */
  configure(source: PriceSource | null, maxAgeMinutes: number, ratesFile: string | null): void {
    this.#maxAgeMinutes = maxAgeMinutes;
    this.#ratesFile = ratesFile;
    if (JSON.stringify(source) === JSON.stringify(this.#source)) return;
    this.stop();
    this.#run = new AbortController();
    this.#source = source;
    this.#quote = undefined;
    this.#problem = undefined;
    this.#first = undefined;
    this.start();
  }

  async state(): Promise<PriceState> {
    const source = this.#source;
    if (source === null) return {};
    // No other party learns that a file is read.
    if ('file' in source) await this.#ask(source, this.#run.signal);
    else if (this.#quote === undefined) {
      this.#first ??= this.#ask(source, this.#run.signal);
      await this.#first;
    }
    return { quote: this.#quote, problem: this.#problem };
  }

  async dayRates(): Promise<DayRatesState> {
    if (this.#ratesFile === null) return {};
    const read = readFile(this.#ratesFile, MAX_RATES_BYTES);
    return 'problem' in read ? read : readDayRates(read.text);
  }

  async #ask(source: PriceSource, stop: AbortSignal): Promise<void> {
    const { now, warn } = this.#options;
    const text = await this.#read(source, stop);
    if (stop.aborted) return;
    const { quote, problem } =
      'problem' in text ? { ...text, quote: undefined } : readQuote(text.text, now());
    if (problem !== undefined && problem !== this.#problem) warn(problem);
    this.#problem = problem;
    // A source that goes back in time is of no use; the newest quote stays. One of a clock that was ahead does not.
    const { time = 0 } = this.#quote ?? {};
    if (quote !== undefined && (quote.time >= time || isOfFuture(time, now()))) this.#quote = quote;
  }

  async #read(source: PriceSource, stop: AbortSignal): Promise<Read> {
    if ('file' in source) return readFile(source.file);
    const { wayTo = DIRECT } = this.#options;
    if ('url' in source) return readUrl(new URL(source.url), wayTo, this.#options.after, stop);
    const { after, program, settingsFile } = this.#options;
    if ('problem' in trustedFile(settingsFile)) return { problem: 'others may write config.json' };
    const setting = {
      command: source.command,
      timeout_seconds: LIMIT_SECONDS,
      max_memory_mb: MAX_MEMORY_MB,
    };
    const { answer, failure } = await runProgram(setting, new Uint8Array(), stop, { ...program, after });
    return answer === undefined
      ? { problem: `the program failed (${failure})` }
      : { text: new TextDecoder().decode(answer) };
  }
}

function readFile(file: string, most = MAX_BYTES): Read {
  try {
    const stats = fs.statSync(file);
    if (!stats.isFile() || stats.size > most) return { problem: 'the file is no file, or too large' };
    return { text: fs.readFileSync(file, 'utf8') };
  } catch {
    return { problem: 'the file cannot be read' };
  }
}

type Read = { readonly text: string } | { readonly problem: string };

function readUrl(url: URL, wayTo: WayTo, after: After, stop: AbortSignal): Promise<Read> {
  const way = wayTo(url.hostname);
  if (way.kind === 'none')
    return Promise.resolve({ problem: 'a .onion address needs "proxy" in config.json' });
  return new Promise((resolve) => {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    const request = requestBy(way, url, { method: 'GET', headers });
    const end = (read: Read): void => {
      cancel();
      stop.removeEventListener('abort', stopped);
      resolve(read);
      request.destroy();
    };
    const cancel = after(LIMIT_SECONDS * 1000, () => end({ problem: 'the server does not answer in time' }));
    const stopped = (): void => end(AWAY);
    stop.addEventListener('abort', stopped);
    if (stop.aborted) stopped();
    request.on('error', (error) => end(awayBy(error)));
    request.on('close', () => end(AWAY));
    request.once('response', (response) => {
      const { statusCode: status = 0 } = response;
      if (status >= 300 && status < 400) return end(AWAY);
      if (status < 200 || status > 299) return end({ problem: `the server answers with status ${status}` });
      const pieces: Uint8Array[] = [];
      let length = 0;
      response.on('data', (piece: Uint8Array) => {
        length += piece.length;
        if (length > MAX_BYTES) return end({ problem: 'the answer is too large' });
        pieces.push(piece);
      });
      response.on('error', () => end(AWAY));
      response.on('end', () => end({ text: Buffer.concat(pieces).toString('utf8') }));
    });
    request.end();
  });
}

const AWAY = { problem: 'the server cannot be reached' };

const awayBy = (error: Error): Read =>
  error instanceof ProxyError ? { problem: `the server cannot be reached (${error.message})` } : AWAY;
