// Grants in words, and what a person can choose of what a program or an extension asks for.

import type { Output } from '@wallet-companion/client';
import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import type { Formats } from './amounts.ts';
import { Objection } from './problems.ts';

type Grants = Output<'grants.list'>;
export type Grant = Grants['grants'][number];
export type Scope = Grant['scopes'][number];

export const EVERYTHING: Scope = 'admin';
export const EVERY_WALLET = '*';

const ALL_BUT = 'everything but recovery phrase, viewing keys, password and grants';

/** After "may". The second part is for those who decide. */
const SCOPES: Readonly<Record<Scope, readonly [name: string, more: string]>> = {
  admin: [ALL_BUT, ''],
  read: ['read', ': balance, addresses, transactions, memos, payments, invoices and settings'],
  sync: ['scan', ': look through new blocks and follow them'],
  invoice: ['make invoices', ', and see and cancel those that it made'],
  prepare: [
    'prepare payments',
    ', which wait for signatures. A prepared payment (PCZT) shows the full viewing key of its account: every note, past and future',
  ],
  send: ['send payments', ', also have them signed by the program that config.json names'],
};

/** A newer companion may have others. */
const wordsOf = (scope: string): readonly [string, string] =>
  Object.hasOwn(SCOPES, scope) ? SCOPES[scope as Scope] : [scope, ''];

export const scopeText = (scope: string): string => wordsOf(scope).join('');
export const scopesText = (scopes: readonly string[]): string =>
  scopes.map((scope) => wordsOf(scope)[0]).join(', ');

export function walletText(name: string): string {
  if (name === EVERY_WALLET) return 'all wallets, also later ones';
  return name === DEFAULT_WALLET ? 'the default wallet' : name;
}

export const walletsText = (names: readonly string[]): string => names.map(walletText).join(', ');

/** An origin in config.json has no grant. */
export const BARE_ORIGIN_TEXT = `It may do ${ALL_BUT}, on every wallet, without an end. Shut it out and let it ask again for less.`;

export const ANONYMOUS_TEXT: Readonly<Record<Grants['anonymous_access'], string>> = {
  full: 'Programs on this machine need none: without a grant they may do all that this page may.',
  read: 'Without a grant, programs on this machine may read, and nothing else.',
  none: 'Without a grant, programs on this machine may do nothing.',
};

/** What can be ticked: in the place of `all`, each of the known ones. */
export const offerChoices = <T extends string>(
  asked: readonly T[],
  all: T,
  known: readonly T[],
): readonly T[] => (asked.includes(all) ? [all, ...known.filter((one) => one !== all)] : asked);

export const SCOPES_OFFERED = Object.keys(SCOPES) as readonly Scope[];

/** Throws `Objection` where nothing is ticked. */
export function requireChoice<T extends string>(ticked: readonly T[], all: T, what: string): T[] {
  if (ticked.length === 0) throw new Objection(`Tick at least one of these: ${what}.`);
  return ticked.includes(all) ? [all] : [...ticked];
}

type Choice = readonly [value: string, text: string];

const SPANS = [
  [365, 'A year'],
  [30, '30 days'],
  [1, 'A day'],
] as const;

/** As long as was asked for, and what is shorter. */
export function dayChoices(asked: number | null, formats: Formats): readonly Choice[] {
  const known = SPANS.map(([days, text]): Choice => [String(days), text]);
  if (asked === null) return [['', 'Until it is revoked'], ...known];
  const text = known.find(([days]) => days === String(asked))?.[1] ?? formats.counted(asked, 'day');
  return [[String(asked), text], ...known.filter(([days]) => Number(days) < asked)];
}

/** Left out where it is as long as was asked for. */
export const daysOf = (choice: string, asked: number | null): { days?: number } =>
  choice === String(asked ?? '') ? {} : { days: Number(choice) };

export function untilText({ expires_at: end, expired }: Grant, formats: Formats): string {
  if (end === null) return 'until it is revoked';
  return `${expired ? 'expired' : 'until'} ${formats.moment(end)}`;
}

/** Empty: none. */
export function limitsText({ limits }: Pick<Grant, 'limits'>, formats: Formats): string {
  const { payment_zatoshi: payment, day_zatoshi: day, payees, calls_per_minute: calls } = limits;
  return [
    payment === null ? '' : `${formats.amountText(payment)} in a payment`,
    day === null ? '' : `${formats.amountText(day)} in a day`,
    payees === null ? '' : `only to ${formats.counted(payees.length, 'address', 'addresses')}`,
    calls === null ? '' : `${formats.counted(calls, 'call')} in a minute`,
  ]
    .filter((text) => text !== '')
    .join(', ');
}
