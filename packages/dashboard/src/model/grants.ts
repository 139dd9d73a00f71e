// Grants in words, and what a person can choose of what a program or an extension asks for.

import type { Output } from '@wallet-companion/client';
import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { grantsTexts } from '../texts/grants.ts';
import type { Formats } from './amounts.ts';
import { Objection } from './problems.ts';

type Grants = Output<'grants.list'>;
export type Grant = Grants['grants'][number];
export type Scope = Grant['scopes'][number];

export const EVERYTHING: Scope = 'admin';
export const EVERY_WALLET = '*';

/** A newer companion may have others. */
function wordsOf(scope: string): readonly [name: string, more: string] {
  const { scopes } = grantsTexts();
  return Object.hasOwn(scopes, scope) ? scopes[scope as Scope] : [scope, ''];
}

export const scopeText = (scope: string): string => wordsOf(scope).join('');
export const scopesText = (scopes: readonly string[]): string =>
  scopes.map((scope) => wordsOf(scope)[0]).join(', ');

export function walletText(name: string): string {
  if (name === EVERY_WALLET) return grantsTexts().allWallets;
  return name === DEFAULT_WALLET ? grantsTexts().defaultWallet : name;
}

export const walletsText = (names: readonly string[]): string => names.map(walletText).join(', ');

/** What can be ticked: in the place of `all`, each of the known ones. */
export const offerChoices = <T extends string>(
  asked: readonly T[],
  all: T,
  known: readonly T[],
): readonly T[] => (asked.includes(all) ? [all, ...known.filter((one) => one !== all)] : asked);

export const SCOPES_OFFERED: readonly Scope[] = ['admin', 'read', 'sync', 'invoice', 'prepare', 'send'];

/** Throws `Objection` where nothing is ticked. */
export function requireChoice<T extends string>(ticked: readonly T[], all: T, what: string): T[] {
  if (ticked.length === 0) throw new Objection(grantsTexts().tickOne(what));
  return ticked.includes(all) ? [all] : [...ticked];
}

type Choice = readonly [value: string, text: string];

const SPANS = [
  [365, 'year'],
  [30, 'month'],
  [1, 'day'],
] as const;

/** As long as was asked for, and what is shorter. */
export function dayChoices(asked: number | null, formats: Formats): readonly Choice[] {
  const texts = grantsTexts();
  const known = SPANS.map(([days, name]): Choice => [String(days), texts[name]]);
  if (asked === null) return [['', texts.untilRevoked], ...known];
  const text = known.find(([days]) => days === String(asked))?.[1] ?? formats.counted(asked, 'day');
  return [[String(asked), text], ...known.filter(([days]) => Number(days) < asked)];
}

/** Left out where it is as long as was asked for. */
export const daysOf = (choice: string, asked: number | null): { days?: number } =>
  choice === String(asked ?? '') ? {} : { days: Number(choice) };

export function untilText({ expires_at: end, expired }: Grant, formats: Formats): string {
  const texts = grantsTexts();
  if (end === null) return texts.holdsUntilRevoked;
  return (expired ? texts.expiredAt : texts.until)(formats.moment(end));
}

/** Empty: none. */
export function limitsText({ limits }: Pick<Grant, 'limits'>, formats: Formats): string {
  const { payment_zatoshi: payment, day_zatoshi: day, payees, calls_per_minute: calls } = limits;
  const texts = grantsTexts();
  return [
    payment === null ? '' : texts.inPayment(formats.amountText(payment)),
    day === null ? '' : texts.inDay(formats.amountText(day)),
    payees === null ? '' : texts.onlyTo(formats.counted(payees.length, 'address')),
    calls === null ? '' : texts.inMinute(formats.counted(calls, 'call')),
  ]
    .filter((text) => text !== '')
    .join(', ');
}
