// Any sequence of what is done with grants, against a small model of them that shares nothing with the sources.

import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import type { Credentials, Permit, Scope } from '../../src/protocol/grants.ts';
import { type GrantBed, grantBed } from '../helpers/grantBed.ts';
import { ALL_SCOPES, askedFor, type Holder, isOfAWallet, reachedNames, verdict } from './reached.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const extension = (letter: string): string => `chrome-extension://${letter.repeat(32)}`;
/** The first two ask to be let in, the third is in config.json or not, and the last is nobody's. */
const ASKING = [extension('a'), extension('b')];
const BARE = extension('c');
const ORIGINS = [...ASKING, BARE, extension('d')];
const NAMES = ['shop', 'books', 'till'];
const WALLETS = ['default', 'savings', 'shop', 'spare'];
const PAYEES = ['u1a', 'u1b', 'u1c'];
const AMOUNTS = [0, 10, 20];
/** Each of their tokens takes a whole number of milliseconds. */
const CALLS = [1, 2, 3, 6, 60];

interface Wanted {
  readonly scopes: readonly Scope[];
  readonly wallets: readonly string[];
  readonly days: number | undefined;
}
interface Limits {
  readonly payment_zatoshi: number | undefined;
  readonly day_zatoshi: number | undefined;
  readonly payees: readonly string[] | undefined;
  readonly calls_per_minute: number | undefined;
}

const some = <T>(all: readonly T[]) =>
  fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: 3 });
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 });
const days = fc.integer({ min: 1, max: 3 });
const wanted = {
  scopes: some(ALL_SCOPES),
  wallets: fc.oneof({ weight: 3, arbitrary: some(WALLETS) }, fc.constant(['*'])),
  days: maybe(days),
};
const limits = {
  payment_zatoshi: maybe(fc.constantFrom(...AMOUNTS)),
  day_zatoshi: maybe(fc.constantFrom(...AMOUNTS)),
  payees: maybe(fc.uniqueArray(fc.constantFrom(...PAYEES), { maxLength: 2 })),
  calls_per_minute: fc.option(fc.constantFrom(...CALLS), { nil: undefined, freq: 3 }),
};
const place = fc.nat(30);

/** Who calls: by a token that was given once, as an extension, or as nobody in particular. */
const who = fc.oneof(
  { weight: 5, arbitrary: fc.record({ by: fc.constant('token' as const), place }) },
  { weight: 3, arbitrary: fc.record({ by: fc.constant('origin' as const), place }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('nothing' as const) }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('unknown' as const) }) },
);
const call = {
  who,
  name: fc.constantFrom(...reachedNames),
  wallet: fc.constantFrom(...WALLETS),
};

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('create' as const),
      name: fc.constantFrom(...NAMES),
      ...wanted,
      ...limits,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('ask' as const),
      origin: fc.constantFrom(...ASKING),
      asked: fc.record(wanted),
      // What the person answers: as it was asked, or with changes, which may be too much.
      answer: fc.record({ scopes: maybe(wanted.scopes), wallets: maybe(wanted.wallets), days: maybe(days) }),
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      does: fc.constant('use' as const),
      ...call,
      times: fc.constantFrom(1, 1, 1, 2, 7),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('listen' as const), who, wallet: call.wallet }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('narrow' as const),
      place,
      scopes: maybe(wanted.scopes),
      wallets: maybe(wanted.wallets),
      days: maybe(days),
      ...limits,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      // Long ones often: a grant lasts three days at most, or for ever.
      ms: fc.constantFrom(500, 10_000, 20_000, MINUTE, HOUR, 12 * HOUR, DAY, 3 * DAY, 3 * DAY),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('revoke' as const), place }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('putOut' as const), origin: fc.constantFrom(...ORIGINS) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('rotate' as const), place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('move' as const),
      wallet: fc.constantFrom(...WALLETS),
      to: maybe(fc.constantFrom(...WALLETS)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('settings' as const),
      anonymousAccess: fc.constantFrom('full' as const, 'read' as const, 'none' as const),
      isBare: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('page' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type StepOf<D extends Step['does']> = Extract<Step, { does: D }>;
type Who = StepOf<'use'>['who'];

/** A grant as the model has it. */
interface Known {
  /** As the companion calls it. */
  readonly id: string;
  readonly name: string;
  readonly origin: string | undefined;
  scopes: readonly Scope[];
  wallets: readonly string[];
  until: number;
  limits: Limits;
  /** When calls went through, since the limit is as it is. */
  calls: number[];
}

type Holds =
  | { readonly grant: Known }
  | { readonly page: true }
  | { readonly bare: true }
  | { readonly nobody: true };

const sorted = (all: readonly string[]): readonly string[] => [...new Set(all)].sort();
const within = (few: readonly unknown[], all: readonly unknown[]): boolean =>
  few.every((one) => all.includes(one));
const NO_LIMITS: Limits = {
  payment_zatoshi: undefined,
  day_zatoshi: undefined,
  payees: undefined,
  calls_per_minute: undefined,
};
const limitsOf = ({ payment_zatoshi, day_zatoshi, payees, calls_per_minute }: Limits): Limits => ({
  payment_zatoshi,
  day_zatoshi,
  payees,
  calls_per_minute,
});

class Story {
  bed: GrantBed;
  grants: Known[] = [];
  anonymous: 'full' | 'read' | 'none' = 'read';
  origins: readonly string[] = [];
  /** Each token that was ever given, with the grant that it was given for, or the end of the page that has it. */
  readonly tokens: { readonly token: string; readonly id?: string; pageUntil?: number }[] = [];
  /** The token that holds now, for each grant. */
  readonly current = new Map<string, string>();
  listening: { readonly permit: Permit; readonly token: string | undefined; readonly holds: Holds }[] = [];
  log: string[] = [];
  /** When lines were written, by caller and result. */
  lines = new Map<string, number[]>();

  constructor(bed: GrantBed) {
    this.bed = bed;
  }

  get now(): number {
    return this.bed.now;
  }

  /** `INVALID_REQUEST` and the like, or `ok`. */
  async #codeOf(work: Promise<unknown>): Promise<string> {
    return work.then(
      () => 'ok',
      (error: { readonly code?: string }) => {
        if (error.code === undefined) throw error;
        return error.code;
      },
    );
  }

  #grantAt(at: number): Known | undefined {
    return this.grants[at % Math.max(1, this.grants.length)];
  }

  #credentials(caller: Who): Credentials {
    if (caller.by === 'origin') return { origin: ORIGINS[caller.place % ORIGINS.length] };
    if (caller.by === 'unknown') return { token: 'x'.repeat(43) };
    const known =
      caller.by === 'token' ? this.tokens[caller.place % Math.max(1, this.tokens.length)] : undefined;
    return known === undefined ? {} : { token: known.token };
  }

  /** Who it is, by what the model knows; undefined for a token that holds nowhere. */
  #holds({ token, origin }: Credentials): Holds | undefined {
    if (token !== undefined) {
      const known = this.tokens.find((each) => each.token === token);
      if (known?.pageUntil !== undefined) return this.now < known.pageUntil ? { page: true } : undefined;
      const grant = this.grants.find(({ id }) => id === known?.id && this.current.get(id) === token);
      return grant && { grant };
    }
    const grant = this.grants.find((each) => origin !== undefined && each.origin === origin);
    if (grant !== undefined) return { grant };
    return origin !== undefined && this.origins.includes(origin) ? { bare: true } : { nobody: true };
  }

  #holder(holds: Holds | undefined): Holder {
    if (holds === undefined) return { is: 'nobody', reads: false };
    if ('page' in holds) return { is: 'owner' };
    if ('bare' in holds) return { is: 'grant', scopes: ['admin'], wallets: ['*'] };
    if ('nobody' in holds)
      return this.anonymous === 'full' ? { is: 'owner' } : { is: 'nobody', reads: this.anonymous === 'read' };
    const { until, scopes, wallets } = holds.grant;
    return this.now < until ? { is: 'grant', scopes, wallets } : { is: 'over' };
  }

  /** What a call comes to. */
  #expected(holds: Holds | undefined, name: (typeof reachedNames)[number], wallet: string): string {
    const reached = verdict(this.#holder(holds), name, wallet);
    if (reached !== 'ok' || holds === undefined || !('grant' in holds)) return reached;
    const { limits, until, calls } = holds.grant;
    const most = limits.calls_per_minute;
    if (most === undefined || this.now >= until) return 'ok';
    return calls.filter((at) => this.now - at < MINUTE).length < most ? 'ok' : 'RATE_LIMITED';
  }

  async #use({ who: caller, name, wallet }: Pick<StepOf<'use'>, 'who' | 'name' | 'wallet'>): Promise<void> {
    const { access } = this.bed;
    const credentials = this.#credentials(caller);
    const holds = this.#holds(credentials);
    const expected = this.#expected(holds, name, wallet);
    const holder = this.#holder(holds);
    const asked = askedFor(name, wallet);
    let isDone = false;
    const code = await this.#codeOf(
      access.during(access.permitOf(credentials), asked, async () => {
        isDone = true;
      }),
    );
    same(code, expected, `${name} of ${wallet}`);
    same(isDone, code === 'ok', `${name} was done`);
    const who = holds !== undefined && 'grant' in holds ? holds.grant.id : undefined;
    const used = this.grants.find(({ id }) => id === who);
    if (code === 'ok' && used?.limits.calls_per_minute !== undefined) used.calls.push(this.now);
    const hasNoGrant = holder.is === 'over' || (who === undefined && holder.is === 'nobody');
    if (holder.is === 'owner' || (hasNoGrant && asked.reach === 'anyone')) return;
    const known = who ?? (holds === undefined ? 'unknown' : 'bare' in holds ? BARE : 'anonymous');
    this.#note(known, [known, name, isOfAWallet(name) ? wallet : null, code].join(' '), code === 'ok');
  }

  /** So many lines in a minute: what is refused to one caller, or done by those without a grant, and what one grant does. */
  #note(known: string, line: string, isDone: boolean): void {
    const isStranger = known === 'unknown' || known === 'anonymous';
    const key = `${isStranger ? 'strangers' : known} ${isDone}`;
    const recent = (this.lines.get(key) ?? []).filter((at) => this.now - at < MINUTE);
    if (recent.length >= (isDone && !isStranger ? 300 : 30)) return;
    this.lines.set(key, [...recent, this.now]);
    this.log.push(line);
  }

  async #create({ name, scopes, wallets, days, ...more }: StepOf<'create'>): Promise<void> {
    const isTaken = this.grants.some((grant) => grant.name === name);
    const given = { name, scopes, wallets, days, ...limitsOf(more) };
    if (isTaken) {
      same(
        await this.#codeOf(this.bed.call('grants.create', given)),
        'INVALID_REQUEST',
        'a name that is taken',
      );
      return;
    }
    const { grant, token } = await this.bed.call('grants.create', given);
    this.grants.push({
      ...this.#known(grant.id, name, undefined, { scopes, wallets, days }),
      limits: limitsOf(more),
    });
    this.#give(token, grant.id);
  }

  #known(id: string, name: string, origin: string | undefined, { scopes, wallets, days }: Wanted): Known {
    const until = days === undefined ? Number.POSITIVE_INFINITY : this.now + days * DAY;
    return { id, name, origin, scopes, wallets, until, limits: NO_LIMITS, calls: [] };
  }

  #give(token: string, id: string): void {
    this.tokens.push({ token, id });
    this.current.set(id, token);
  }

  /** Whether the one has no more than the other. */
  #isLess(few: Wanted, all: Wanted): boolean {
    return (
      (all.scopes.includes('admin') || within(few.scopes, all.scopes)) &&
      (all.wallets.includes('*') || within(few.wallets, all.wallets)) &&
      (all.days === undefined || (few.days ?? 0) <= all.days)
    );
  }

  async #ask({ origin, asked, answer }: StepOf<'ask'>): Promise<void> {
    const { bed } = this;
    const has = this.grants.find((grant) => grant.origin === origin);
    const { status, code } = await bed.call('pairing.request', { origin, ...asked });
    const isIn =
      has === undefined ? this.origins.includes(origin) : has.wallets.length > 0 && this.now < has.until;
    same(status, isIn ? 'allowed' : 'waiting', 'what the extension is told');
    if (isIn) return;
    const allowed = {
      scopes: answer.scopes ?? asked.scopes,
      wallets: answer.wallets ?? asked.wallets,
      days: answer.days ?? asked.days,
    };
    const isLess = this.#isLess(allowed, asked);
    const answered = await this.#codeOf(bed.call('pairing.allow', { code, ...answer }));
    same(answered, isLess ? 'ok' : 'INVALID_REQUEST', 'the answer');
    if (!isLess) {
      await bed.call('pairing.refuse', { code });
      // It may ask again in a later step.
      bed.now += 10 * MINUTE;
      return;
    }
    this.grants = this.grants.filter((grant) => grant.origin !== origin);
    const { id } = bed.book.withOrigin(origin)!;
    this.grants.push(this.#known(id, origin, origin, allowed));
  }

  async #narrow({ place: at, scopes, wallets, days, ...more }: StepOf<'narrow'>): Promise<void> {
    const grant = this.#grantAt(at);
    if (grant === undefined) return;
    const had = grant.limits;
    const wants = limitsOf(more);
    const until = days === undefined ? grant.until : this.now + days * DAY;
    const fits = (name: 'payment_zatoshi' | 'day_zatoshi' | 'calls_per_minute'): boolean =>
      (wants[name] ?? 0) <= (had[name] ?? Number.POSITIVE_INFINITY);
    const isLess =
      this.#isLess(
        { scopes: scopes ?? [], wallets: wallets ?? [], days: undefined },
        { scopes: grant.scopes, wallets: grant.wallets, days: undefined },
      ) &&
      until <= grant.until &&
      fits('payment_zatoshi') &&
      fits('day_zatoshi') &&
      fits('calls_per_minute') &&
      (had.payees === undefined || within(wants.payees ?? [], had.payees));
    const code = await this.#codeOf(
      this.bed.call('grants.narrow', { grant: grant.id, scopes, wallets, days, ...wants }),
    );
    same(code, isLess ? 'ok' : 'INVALID_REQUEST', 'narrowing');
    if (!isLess) return;
    grant.scopes = scopes ?? grant.scopes;
    grant.wallets = wallets ?? grant.wallets;
    grant.until = until;
    grant.limits = {
      payment_zatoshi: wants.payment_zatoshi ?? had.payment_zatoshi,
      day_zatoshi: wants.day_zatoshi ?? had.day_zatoshi,
      payees: wants.payees ?? had.payees,
      calls_per_minute: wants.calls_per_minute ?? had.calls_per_minute,
    };
  }

  async #revoke({ place: at }: StepOf<'revoke'>): Promise<void> {
    const grant = this.#grantAt(at);
    if (grant === undefined) return;
    await this.bed.call('grants.revoke', { grant: grant.id });
    this.grants = this.grants.filter((other) => other !== grant);
    this.origins = this.origins.filter((other) => other !== grant.origin);
  }

  async #putOut({ origin }: StepOf<'putOut'>): Promise<void> {
    const isKnown = this.origins.includes(origin) || this.grants.some((grant) => grant.origin === origin);
    const code = await this.#codeOf(this.bed.call('pairing.revoke', { origin }));
    same(code, isKnown ? 'ok' : 'NOT_FOUND', 'putting out');
    this.grants = this.grants.filter((grant) => grant.origin !== origin);
    this.origins = this.origins.filter((other) => other !== origin);
  }

  async #rotate({ place: at }: StepOf<'rotate'>): Promise<void> {
    const grant = this.#grantAt(at);
    if (grant === undefined) return;
    if (grant.origin !== undefined) {
      const code = await this.#codeOf(this.bed.call('grants.rotate', { grant: grant.id }));
      same(code, 'INVALID_REQUEST', 'rotating an extension');
      return;
    }
    const { token } = await this.bed.call('grants.rotate', { grant: grant.id });
    this.#give(token, grant.id);
  }

  async #move({ wallet, to }: StepOf<'move'>): Promise<void> {
    await this.bed.book.walletMoved(wallet, to);
    for (const grant of this.grants)
      grant.wallets = grant.wallets.flatMap((name) => (name === wallet ? (to ?? []) : name));
    // An extension keeps its grant, with nothing in it.
    this.grants = this.grants.filter(({ wallets, origin }) => wallets.length > 0 || origin !== undefined);
  }

  async #page(): Promise<void> {
    const { code } = await this.bed.call('grants.page_code');
    const { token } = await this.bed.call('grants.open_page', { code });
    this.tokens.push({ token, pageUntil: this.now + 12 * HOUR });
  }

  /** As an event stream does: a listener goes on while it may. */
  async #listen({ who: caller, wallet }: StepOf<'listen'>): Promise<void> {
    const credentials = this.#credentials(caller);
    const holds = this.#holds(credentials);
    const { access } = this.bed;
    const permit = access.permitOf(credentials);
    const isOpen = verdict(this.#holder(holds), 'events.stream', wallet) === 'ok';
    await this.#use({ who: caller, name: 'events.stream', wallet });
    if (isOpen && holds !== undefined) this.listening.push({ permit, token: credentials.token, holds });
  }

  /** Everybody who listens has what the model says, or listens no longer. */
  #checkListeners(): void {
    this.listening = this.listening.filter(({ permit, token, holds }) => {
      const { scopes, wallets } = this.bed.access.renewed(permit);
      const isOver = scopes !== 'all' && scopes.length === 0;
      if (permit.scopes === 'all') {
        // The owner's page, or all callers while they are not told apart.
        if ('nobody' in holds) same(isOver, this.anonymous !== 'full', 'a caller without a grant');
        return !isOver;
      }
      if ('nobody' in holds) same(isOver, this.anonymous !== 'read', 'a reader without a grant');
      if ('bare' in holds) same(isOver, !this.origins.includes(BARE), 'an origin of config.json');
      if (!('grant' in holds)) return !isOver;
      const grant = this.grants.find(({ id }) => id === holds.grant.id);
      const holdsOn = grant !== undefined && this.now < grant.until && this.current.get(grant.id) === token;
      same(isOver, !holdsOn, 'a grant that listens');
      if (!holdsOn) return false;
      same(sorted(scopes as readonly Scope[]), sorted(grant.scopes), 'scopes of one that listens');
      same(sorted(wallets), sorted(grant.wallets), 'wallets of one that listens');
      return true;
    });
  }

  /** The list that the owner sees, the file and the log are what the model says. */
  async check(): Promise<void> {
    const { bed } = this;
    const { grants, anonymous_access, allowed_origins } = await bed.call('grants.list');
    same([anonymous_access, allowed_origins], [this.anonymous, this.origins], 'settings');
    same(
      grants.map(({ id, name, origin, scopes, wallets, expires_at, expired, limits }) => ({
        ...{ id, name, origin, expired, limits },
        scopes: sorted(scopes),
        wallets: sorted(wallets),
        until: expires_at === null ? null : Date.parse(expires_at),
      })),
      this.grants.map(({ id, name, origin, scopes, wallets, until, limits: has }) => ({
        ...{ id, name, origin: origin ?? null },
        expired: this.now >= until,
        limits: {
          payment_zatoshi: has.payment_zatoshi ?? null,
          day_zatoshi: has.day_zatoshi ?? null,
          payees: has.payees ?? null,
          calls_per_minute: has.calls_per_minute ?? null,
        },
        scopes: sorted(scopes),
        wallets: sorted(wallets),
        until: Number.isFinite(until) ? until : null,
      })),
      'the list',
    );
    const lines = bed.log
      .lines(Number.MAX_SAFE_INTEGER)
      .toReversed()
      .map(({ grant, operation, wallet, result }) => [grant, operation, wallet, result].join(' '));
    same(lines, this.log, 'the log');
    const kept = JSON.stringify([bed.written(), grants, lines]);
    same(
      this.tokens.filter(({ token }) => kept.includes(token)),
      [],
      'tokens that are kept',
    );
  }

  async #restart(): Promise<void> {
    await this.check();
    await this.bed.book.close();
    const { now, settings } = this.bed;
    // What is written has no more than a file can have.
    const kept = JSON.parse(JSON.stringify(this.bed.written()));
    this.bed = grantBed(`${this.tokens.length} ${this.now}`, settings, kept);
    this.bed.now = now;
    for (const grant of this.grants) grant.calls = [];
    // Pages are gone with the process.
    for (const known of this.tokens) if (known.pageUntil !== undefined) known.pageUntil = 0;
    this.listening = [];
    this.log = [];
    this.lines = new Map();
  }

  async take(next: Step): Promise<void> {
    // No two steps are at one time, so that nothing happens in the very millisecond in which something ends.
    this.bed.now += 1;
    switch (next.does) {
      case 'create':
        await this.#create(next);
        break;
      case 'ask':
        await this.#ask(next);
        break;
      case 'use':
        for (let n = 0; n < next.times; n += 1) await this.#use(next);
        break;
      case 'listen':
        await this.#listen(next);
        break;
      case 'narrow':
        await this.#narrow(next);
        break;
      case 'wait':
        this.bed.now += next.ms;
        break;
      case 'revoke':
        await this.#revoke(next);
        break;
      case 'putOut':
        await this.#putOut(next);
        break;
      case 'rotate':
        await this.#rotate(next);
        break;
      case 'move':
        await this.#move(next);
        break;
      case 'settings':
        this.anonymous = next.anonymousAccess;
        this.origins = next.isBare ? [BARE] : [];
        this.bed.settings = { anonymousAccess: this.anonymous, allowedOrigins: this.origins };
        break;
      case 'page':
        await this.#page();
        break;
      case 'restart':
        await this.#restart();
        break;
    }
    this.#checkListeners();
  }
}

function same(was: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(was), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what}: ${one}, not ${other}`);
}

/** How often each thing was done over all sequences: a model that nothing reaches proves nothing. */
const counts = new Map<string, number>();

test('whatever is done with grants, each call comes to what the model says', async (t) => {
  const numRuns = runs(1_000, 100_000, 'WALLET_COMPANION_GRANT_RUNS');
  let seed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
      seed += 1;
      const story = new Story(grantBed(`model ${seed}`, { anonymousAccess: 'read' }));
      for (const next of steps) await story.take(next);
      for (const line of story.log) {
        const result = line.split(' ').at(-1)!;
        counts.set(result, (counts.get(result) ?? 0) + 1);
      }
      await story.check();
    }),
    { numRuns, includeErrorInReport: true },
  );
  for (const result of ['ok', 'GRANT_SCOPE', 'GRANT_REQUIRED', 'GRANT_EXPIRED', 'RATE_LIMITED'])
    t.true((counts.get(result) ?? 0) > numRuns / 50, `${result}: ${counts.get(result)}`);
});
