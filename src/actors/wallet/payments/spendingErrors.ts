// Why a payment cannot be made as requested, in words. Each text states what the user can do: wait until when, discard
// what, agree to what.

import type { Height, Zatoshi } from '@wallet-companion/base/values';
import { zecText } from '@wallet-companion/base/values';
import type {
  Disclosure,
  Full,
  Funds,
  RecipientFault,
  SpendingProblem,
  SpendingRefusal,
} from '@wallet-companion/pczt/spending';
import { MOST_SHIELDED_ITEMS } from '@wallet-companion/zcash/blocks';
import { POOL } from '@wallet-companion/zcash/pools';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import { badFields, type PathOf, type RecipientField } from './request.ts';

/** What else the wallet knows. */
export interface SpendingSituation {
  readonly pathOf: PathOf;
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
      return insufficient(notEnough(problem), whereItIs(problem.funds, situation));
    case 'tooManyNotes':
      return insufficient(tooManyNotes(problem, situation));
    case 'consentNeeded':
      return consentNeeded(problem);
    case 'expiry':
      return badField('expiry_height', expiryFault(problem));
    case 'upgradeNear':
      return notNow(
        `At block ${problem.height} the rules change, and what is signed before counts no more. Wait until then.`,
      );
    case 'unknownUpgrade':
      return notNow(
        `From block ${problem.height} on the network has rules that this version of the companion does not know: nothing that it prepares would be taken. Update it.`,
      );
    case 'height':
      return notNow(HEIGHTS[problem.fault]);
    case 'confirmations':
      return badField('confirmations', 'must be at least 1');
    case 'noSource':
      return badField(
        'pools',
        'names none that the account has a full viewing key for and can spend from now',
      );
    case 'viewingKey':
      return badField(
        'pools',
        `cannot be done: the account has no full viewing key for ${POOL[problem.pool].name}`,
      );
    default:
      throw new Error(`a payment is refused while it is built: ${problem.kind}`);
  }
}

const HEIGHTS: Readonly<Record<Problem<'height'>['fault'], string>> = {
  noVersion: 'At this height of the chain there is no kind of transaction yet that payments are prepared as.',
  noCircuit:
    'At this height the network takes proofs of a circuit that this version of the companion does not have: nothing that it prepares would be taken. Update it.',
};

type Problem<K extends SpendingProblem['kind']> = Extract<SpendingProblem, { readonly kind: K }>;

export const zec = (zatoshi: Zatoshi): string => `${zecText(zatoshi)} ZEC`;

// ---------------------------------------------------------------------------------------------------------------------
// Recipients

const RECIPIENT: Readonly<Record<RecipientFault, readonly [RecipientField, string]>> = {
  address: ['address', 'is no address of this network: mistyped, cut off, or of another one'],
  tex: ['address', 'takes transparent funds alone (ZIP 320), and payments from here spend shielded ones'],
  internalAddress: ['address', "is an address for this wallet's own change, which nobody is to pay"],
  noReceiver: ['address', 'has no receiver that can be paid now'],
  expired: ['address', 'says of itself that it is no longer to be paid; ask the recipient for another one'],
  memoTooLong: ['memo', 'has more than 512 bytes'],
  memoToTransparent: ['memo', 'cannot be sent to a transparent address'],
  amountMissing: ['amount', 'is missing'],
  amountRange: ['amount', 'must be between 0 and 21,000,000 ZEC'],
  amountDust: ['amount', 'is so little for a transparent address that nodes do not pass it on'],
};

function recipientError({ faults }: Problem<'recipient'>, { pathOf }: SpendingSituation): CompanionError {
  return badFields(
    faults.map(({ index, fault }) => {
      const [field, message] = RECIPIENT[fault];
      const path = pathOf(index, field);
      const isInUri = path === 'uri';
      return {
        path,
        message: isInUri ? `is refused: the ${field} of its payment ${index + 1} ${message}` : message,
      };
    }),
  );
}

const RECIPIENTS: Readonly<Record<Problem<'recipients'>['fault'], string>> = {
  none: 'is missing',
  tooMany: 'are more than one transaction pays within max_actions',
  totalRange: 'ask for more than 21,000,000 ZEC together',
  everythingTakesOne: 'must be one where everything is sent',
  everythingHasAmount: 'must have no amount where everything is sent',
};

// ---------------------------------------------------------------------------------------------------------------------
// Funds

function notEnough({ needed, funds }: Problem<'notEnough'>): string {
  const can = funds.spendable === 0 ? 'nothing' : zec(funds.spendable);
  return `The payment takes ${zec(needed)} with its fee; ${can} can be spent now`;
}

function tooManyNotes(
  { atMost, full, payments }: Problem<'tooManyNotes'>,
  { maxActions }: SpendingSituation,
): string {
  const limit = FULL[full](maxActions);
  const split = payments === undefined ? 'Send less' : `Send it in ${payments} payments`;
  const raise = full === 'signer' ? ', or raise it where the signer has room' : '';
  if (atMost === 0)
    return `The payment takes more notes than ${limit}, and so few are worth no more than their fee. Wait until there are larger ones${raise}`;
  return `The payment takes more notes than ${limit}: at most ${zec(atMost)} can be sent in one. ${split}${raise}`;
}

const FULL: Readonly<Record<Full, (maxActions: number) => string>> = {
  signer: (maxActions) => `max_actions (${maxActions}) lets it`,
  block: () =>
    `the network takes in one transaction (${MOST_SHIELDED_ITEMS} shielded actions, spends and outputs, ${POOL.sapling.mostInBlock} of them Sapling's)`,
};

const insufficient = (what: string, where: readonly string[] = []): CompanionError =>
  new CompanionError('INSUFFICIENT_FUNDS', [`${what}.`, ...where].join(' '));

function whereItIs(
  { waiting, dust }: Funds,
  { tipHeight, blockSeconds, reserved, spentUnmined }: SpendingSituation,
): string[] {
  const until = (height: Height): string => {
    const count = Math.ceil(((height - tipHeight) * blockSeconds) / 60);
    return `until block ${height} (${count === 1 ? 'about a minute' : `about ${count} minutes`})`;
  };
  const sentences: string[] = [];
  const [first] = waiting;
  const last = waiting.at(-1);
  if (first !== undefined && last !== undefined) {
    const sum = waiting.reduce((all, { zatoshi }) => all + zatoshi, 0);
    const part =
      first === last ? 'all of it' : `the first ${zec(first.zatoshi)} of it ${until(first.height)}, the last`;
    sentences.push(`${zec(sum)} waits for confirmations, ${part} ${until(last.height)}.`);
  }
  for (const [id, zatoshi] of reserved)
    sentences.push(
      `${zec(zatoshi)} is reserved by the payment ${id}, until it is mined, expires or is discarded.`,
    );
  if (spentUnmined > 0)
    sentences.push(`${zec(spentUnmined)} is being spent by a transaction that is not mined yet.`);
  if (dust > 0) sentences.push(`${zec(dust)} lies in notes that cost more to spend than they bring.`);
  return sentences;
}

// ---------------------------------------------------------------------------------------------------------------------
// Consent

function consentNeeded({ consents, disclosures }: Problem<'consentNeeded'>): CompanionError {
  const shown = disclosures.filter(({ consent }) => consents.some((one) => one === consent));
  const errors = shown.map((one) => ({
    path: 'privacy',
    message: `needs ${one.consent}: ${whatShows(one)}`,
    code: one.consent,
  }));
  const rest = shown.find(({ consent }) => consent === 'unusual_fee');
  const otherWay =
    rest === undefined
      ? ''
      : ` ${zec(rest.zatoshi)} would be left, too little for a note of change, and no choice of notes leaves more. To keep the usual fee, pay that much more.`;
  return new CompanionError(
    'CONSENT_NEEDED',
    `Everybody could read that ${shown.map(whatShows).join('; that ')}. If that may be, name it in privacy: ${consents.join(', ')}.${otherWay}`,
    { errors, consents },
  );
}

function whatShows(disclosure: Disclosure): string {
  const amount = zec(Math.abs(disclosure.zatoshi));
  if (disclosure.consent === 'transparent_recipients') return `${disclosure.address} is paid ${amount}`;
  if (disclosure.consent === 'transparent_senders') return `${amount} come from ${disclosure.address}`;
  if (disclosure.consent === 'unusual_fee') return `the fee is ${amount} above the usual one`;
  const { name } = POOL[disclosure.pool];
  return `${amount} ${disclosure.zatoshi < 0 ? 'enter' : 'leave'} ${name}`;
}

// ---------------------------------------------------------------------------------------------------------------------
// The rest

const notNow = (why: string): CompanionError => new CompanionError('INVALID_REQUEST', why);

function expiryFault(problem: Problem<'expiry'>): string {
  if (problem.fault === 'noHeight')
    return `must be at most ${problem.latest}: larger numbers are times, and no block heights`;
  if (problem.fault === 'tooLate')
    return `must be at most ${problem.latest}: an address is to be paid by then`;
  return `must be at least ${problem.earliest}, so that there is time to sign and send`;
}
