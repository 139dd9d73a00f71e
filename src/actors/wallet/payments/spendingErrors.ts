// Why a payment cannot be made as requested, in words. Each text states what the user can do: wait until when, discard
// what, agree to what.

import { MOST_SHIELDED_ITEMS } from '@wallet-companion/shielded/blocks';
import { POOL, type Pool } from '@wallet-companion/shielded/pools';
import type {
  Disclosure,
  Full,
  Funds,
  RecipientFault,
  SpendingProblem,
  SpendingRefusal,
} from '@wallet-companion/shielded/spending';
import type { Height, Zatoshi } from '@wallet-companion/shielded/values';
import { zecText } from '@wallet-companion/shielded/zip321';
import { badField, CompanionError, type FieldError } from '../../../protocol/errors.ts';
import type { Requested } from './requestedPayments.ts';

/** What else the wallet knows. */
export interface SpendingSituation {
  readonly requested: Pick<Requested, 'pathOf'>;
  readonly tipHeight: Height;
  readonly blockSeconds: number;
  /** For each payment id, the account's notes that it reserves. */
  readonly reserved: ReadonlyMap<string, Zatoshi>;
  /** The value in notes that an unmined transaction spends. */
  readonly spentUnmined: Zatoshi;
  readonly maxActions: number;
}

export function spendingError({ problem }: SpendingRefusal, situation: SpendingSituation): CompanionError {
  switch (problem.kind) {
    case 'recipient':
      return recipientError(problem, situation);
    case 'recipients':
      return badField('recipients', RECIPIENTS[problem.fault]);
    case 'notEnough':
      return insufficient(`${takes(problem.needed)}; ${can(problem.funds)}`, problem.funds, situation);
    case 'tooManyNotes':
      return insufficient(tooManyNotes(problem, situation), undefined, situation);
    case 'consentNeeded':
      return consentNeeded(problem);
    default:
      return refusedField(problem);
  }
}

const zec = (zatoshi: Zatoshi): string =>
  zatoshi < 0 ? `-${zecText(-zatoshi)} ZEC` : `${zecText(zatoshi)} ZEC`;

// ---------------------------------------------------------------------------------------------------------------------
// Recipients

type FieldOf = Parameters<Requested['pathOf']>[1];

const RECIPIENT: Readonly<Record<RecipientFault, readonly [FieldOf, string]>> = {
  address: ['address', 'is no address of this network: mistyped, cut off, or of another one'],
  tex: ['address', 'takes transparent funds alone (ZIP 320), which this wallet has none of'],
  internalAddress: ['address', "is an address for this wallet's own change, which nobody is to pay"],
  noReceiver: ['address', 'has no receiver that can be paid now'],
  expired: ['address', 'says of itself that it is no longer to be paid; ask the recipient for another one'],
  memoTooLong: ['memo', 'has more than 512 bytes'],
  memoToTransparent: ['memo', 'cannot be sent to a transparent address'],
  amountMissing: ['amount', 'is missing'],
  amountRange: ['amount', 'must be between 0 and 21,000,000 ZEC'],
  amountDust: ['amount', 'is so little for a transparent address that nodes do not pass it on'],
};

function recipientError(
  { index, fault }: Extract<SpendingProblem, { readonly kind: 'recipient' }>,
  { requested }: SpendingSituation,
): CompanionError {
  const [field, message] = RECIPIENT[fault];
  const path = requested.pathOf(index, field);
  return path === 'uri'
    ? badField('uri', `is refused: the ${field} of its payment ${index + 1} ${message}`)
    : badField(path, message);
}

const RECIPIENTS: Readonly<
  Record<Extract<SpendingProblem, { readonly kind: 'recipients' }>['fault'], string>
> = {
  none: 'is missing',
  tooMany: 'are more than one transaction pays within max_actions',
  totalRange: 'ask for more than 21,000,000 ZEC together',
  everythingTakesOne: 'must be one where everything is sent',
  everythingHasAmount: 'must have no amount where everything is sent',
};

// ---------------------------------------------------------------------------------------------------------------------
// Funds

const takes = (needed: Zatoshi): string => `The payment takes ${zec(needed)} with its fee`;
const can = ({ spendable }: Funds): string =>
  spendable === 0 ? 'nothing can be spent now' : `${zec(spendable)} can be spent now`;

function tooManyNotes(
  { atMost, full, payments }: Extract<SpendingProblem, { readonly kind: 'tooManyNotes' }>,
  { maxActions }: SpendingSituation,
): string {
  const limit = FULL[full](maxActions);
  const split = payments === undefined ? 'Send less' : `Send it in ${payments} payments`;
  const raise = full === 'signer' ? ', or raise it where the signer has room' : '';
  return `The payment takes more notes than ${limit}: at most ${zec(atMost)} can be sent in one. ${split}${raise}`;
}

const FULL: Readonly<Record<Full, (maxActions: number) => string>> = {
  signer: (maxActions) => `max_actions (${maxActions}) lets it`,
  block: () =>
    `the network takes in one transaction (${MOST_SHIELDED_ITEMS} shielded actions, spends and outputs, ${POOL.sapling.mostInBlock} of them Sapling's)`,
};

function insufficient(what: string, funds: Funds | undefined, situation: SpendingSituation): CompanionError {
  const sentences = [`${what}.`, ...(funds === undefined ? [] : whereItIs(funds, situation))];
  return new CompanionError('INSUFFICIENT_FUNDS', sentences.join(' '));
}

function whereItIs(
  { waiting, dust }: Funds,
  { tipHeight, blockSeconds, reserved, spentUnmined }: SpendingSituation,
): string[] {
  const last = waiting.at(-1);
  const sum = waiting.reduce((all, { zatoshi }) => all + zatoshi, 0);
  const minutes = (height: Height): string => {
    const count = Math.ceil(((height - tipHeight) * blockSeconds) / 60);
    return count === 1 ? 'about a minute' : `about ${count} minutes`;
  };
  const [first] = waiting;
  return [
    ...(last === undefined || first === undefined
      ? []
      : [
          `${zec(sum)} waits for confirmations, ${
            waiting.length > 1
              ? `the first ${zec(first.zatoshi)} of it until block ${first.height} (${minutes(first.height)}), the last`
              : 'all of it'
          } until block ${last.height} (${minutes(last.height)}).`,
        ]),
    ...[...reserved].map(
      ([id, zatoshi]) =>
        `${zec(zatoshi)} is reserved by the payment ${id}, until it is mined, expires or is discarded.`,
    ),
    ...(spentUnmined > 0
      ? [`${zec(spentUnmined)} is being spent by a transaction that is not mined yet.`]
      : []),
    ...(dust > 0 ? [`${zec(dust)} lies in notes that cost more to spend than they bring.`] : []),
  ];
}

// ---------------------------------------------------------------------------------------------------------------------
// Consent

function consentNeeded({
  consents,
  disclosures,
}: Extract<SpendingProblem, { readonly kind: 'consentNeeded' }>): CompanionError {
  const shown = disclosures.filter(({ consent }) => consents.includes(consent));
  const errors = shown.map((disclosure): FieldError => ({ path: 'privacy', message: needs(disclosure) }));
  const sentences = shown.map(whatShows);
  return new CompanionError(
    'CONSENT_NEEDED',
    `Everybody could read that ${sentences.join('; that ')}. If that may be, name it in privacy: ${consents.join(', ')}.`,
    { errors },
  );
}

const needs = (disclosure: Disclosure): string => `needs ${disclosure.consent}: ${whatShows(disclosure)}`;

function whatShows(disclosure: Disclosure): string {
  const amount = zec(Math.abs(disclosure.zatoshi));
  if (disclosure.consent === 'transparent_recipients') return `${disclosure.address} is paid ${amount}`;
  if (disclosure.consent === 'unusual_fee') return `the fee is ${amount} above the usual one`;
  const { name } = POOL[disclosure.pool];
  return `${amount} ${disclosure.zatoshi < 0 ? 'enter' : 'leave'} ${name}`;
}

// ---------------------------------------------------------------------------------------------------------------------
// The rest

type OtherProblem = Exclude<
  SpendingProblem,
  { readonly kind: 'recipient' | 'recipients' | 'notEnough' | 'tooManyNotes' | 'consentNeeded' }
>;

const noKey = (pool: Pool): string =>
  `cannot be done: the account has no full viewing key for ${POOL[pool].name}`;

function refusedField(problem: OtherProblem): CompanionError {
  switch (problem.kind) {
    case 'expiry':
      return badField('expiry_height', expiryFault(problem));
    case 'upgradeNear':
      return new CompanionError(
        'INVALID_REQUEST',
        `At block ${problem.height} the rules change, and what is signed before counts no more. Wait until then.`,
      );
    case 'unknownUpgrade':
      return new CompanionError(
        'INVALID_REQUEST',
        `From block ${problem.height} on the network has rules that this version of the companion does not know: nothing that it prepares would be taken. Update it.`,
      );
    case 'height':
      return new CompanionError(
        'INVALID_REQUEST',
        'At this height of the chain there is no kind of transaction yet that payments are prepared as.',
      );
    case 'confirmations':
      return badField('confirmations', 'must be at least 1');
    case 'noSource':
      return badField(
        'pools',
        'names none that the account has a full viewing key for and can spend from now',
      );
    case 'viewingKey':
      return badField('pools', noKey(problem.pool));
    default:
      throw new Error(`a payment is refused while it is built: ${problem.kind}`);
  }
}

function expiryFault(problem: Extract<SpendingProblem, { readonly kind: 'expiry' }>): string {
  if (problem.fault === 'tooLate')
    return `must be at most ${problem.latest}: an address is to be paid by then`;
  return `must be at least ${problem.earliest}, so that there is time to sign and send`;
}
