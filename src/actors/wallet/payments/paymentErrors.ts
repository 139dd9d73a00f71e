// Why a payment cannot go on, in words that name who has to act.

import type { FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { SendOutcome } from '@wallet-companion/chain/ports';
import {
  itemAt,
  missingOf,
  type Pczt,
  PcztRefusal,
  type Place,
  type RefusalReason,
  type ReturnChange,
  sentenceOf,
} from '@wallet-companion/pczt/pczt';
import { type ActionPool, POOL } from '@wallet-companion/zcash/pools';
import type { TransactionProblem } from '@wallet-companion/zcash/signing';
import { badField, CompanionError, type FieldError } from '../../../protocol/errors.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { PaymentEvent, PaymentStatus } from './paymentState.ts';

/** An error lists at most so many fields. */
const MAX_FIELDS = 20;

const nameOf = (place: Place): string => (place === 'transparent' ? 'transparent inputs' : POOL[place].name);

/** `PAYMENT_INCOMPLETE`, which names the missing signatures and proofs. */
export function incomplete(pczt: Pczt, account: number): CompanionError {
  const { signatures, proofs } = missingOf(pczt);
  const places = [...new Set(signatures.map(({ place }) => place))];
  const parts = [
    ...places.map((where) => {
      const count = signatures.filter(({ place }) => place === where).length;
      return `${count} ${count === 1 ? 'signature' : 'signatures'} of account ${account} in ${nameOf(where)}`;
    }),
    ...proofs.map(
      ({ pool, count }) => `${count === 1 ? 'the proof' : `${count} proofs`} of ${POOL[pool].name}`,
    ),
  ];
  const errors = [
    ...signatures.map(({ place, index }) => ({
      path: itemAt(place, index, 'spend').field,
      message: `lacks the signature of account ${account}`,
    })),
    ...proofs.map(({ pool, count }) => ({
      path: pool,
      message: count === 1 ? 'lacks its proof' : 'lacks proofs',
    })),
  ].slice(0, MAX_FIELDS);
  const way = signatures.length > 0 ? 'Have it signed' : 'Have it proved';
  return new CompanionError(
    'PAYMENT_INCOMPLETE',
    `The payment cannot be sent yet: it lacks ${parts.join(', and ')}. ${way}, and combine what comes back.`,
    { errors },
  );
}

/** Why a PCZT that seemed complete makes no transaction. */
function problemFields(problems: readonly TransactionProblem[]): FieldError[] {
  return problems.slice(0, MAX_FIELDS).map(({ part, field, kind, index }) => ({
    path: `${part}${index === undefined ? '' : `[${index}]`}.${field}`,
    message: kind === 'missing' ? 'is missing' : 'is not right',
  }));
}

type Over = 'mined' | 'confirmed' | 'expired' | 'conflicted' | 'lost_note' | 'discarded';

/** What the payment is, or does: for a call that reads its PCZT or discards it, and for one that would continue it. */
const OVER: Readonly<Record<Over, readonly [string, string]>> = {
  mined: ['The payment is mined.', 'is mined'],
  confirmed: ['The payment is mined.', 'is mined and confirmed'],
  expired: [
    'The payment has expired, and its notes are free again.',
    'has expired: no block can have it any more',
  ],
  conflicted: [
    'Another transaction has spent a note of the payment, so it can no longer be mined.',
    'cannot be mined any more: another transaction has spent a note of it',
  ],
  lost_note: [
    'A note of the payment is not on the chain any more, or a newer payment has it, so it cannot be mined.',
    'cannot be mined: a note of it is not on the chain any more, or a newer payment has it',
  ],
  discarded: ['The payment was discarded.', 'was given up'],
};

const isOver = (status: PaymentStatus): status is Over => status in OVER;

const paymentState = (why: string): CompanionError => new CompanionError('PAYMENT_STATE', why);

/** `PAYMENT_STATE`: the event is none for a payment of this status. */
export function refusal(event: PaymentEvent, payment: StoredPayment, status: PaymentStatus): CompanionError {
  if (event === 'reprove' && !isOver(status)) return sentAlready();
  if (!isOver(status))
    return paymentState(
      'The payment was sent and may still be mined: its notes stay its own until it is mined or expires.',
    );
  const [what, is] = OVER[status];
  const maybe = status === 'lost_note' ? mayComeBack(payment) : '';
  if (event === 'pczt') return paymentState(`${what} Nobody has to sign or prove it any more.`);
  if (event === 'discard') return paymentState(`${what}${maybe}`);
  const next = status === 'mined' || status === 'confirmed' ? '' : ` Prepare another one.${maybe}`;
  return paymentState(`The payment ${is}.${next}`);
}

/** The chain may return to the branch that had the note. Empty for a payment that was never sent. */
const mayComeBack = ({ state, lastHeight }: StoredPayment): string =>
  state.kind === 'sent'
    ? ` It was sent: should the chain go back to the blocks that had the note, it can be mined up to block ${lastHeight}. To be certain, pay again after that block.`
    : '';

/** Where something is missing that cannot be taken any more. */
export const sentAlready = (): CompanionError =>
  paymentState('The payment was sent, and nothing of it is changed any more.');

/** Such a proof needs a key that no viewing key contains. */
export const needsSigner = (spends: number): CompanionError =>
  paymentState(
    `${spends === 1 ? 'A Sapling spend needs' : `${spends} Sapling spends need`} a key for the proof that only the signer has: it goes there first, to be signed and given the key. Combine what comes back, then prove it.`,
  );

/** A signature covers the anchor. */
export const anchorIsSigned = (): CompanionError =>
  paymentState(
    'The chain was reorganised below the anchor of the payment. Signatures of version 5 cover the anchor, so it cannot get another one: discard it, and prepare another one.',
  );

export const notesNotFoundYet = (): CompanionError =>
  new CompanionError(
    'INVALID_RANGE',
    'The chain was reorganised, and a note of the payment was not found again yet. Sync first, then try again.',
  );

export const chainMovedMeanwhile = (): CompanionError =>
  new CompanionError('BUSY', 'The chain changed while the payment got another anchor. Try again.');

export const provedNoPczt = (): CompanionError =>
  new CompanionError('PROVER_FAILED', 'The prover wrote something that is no PCZT. Nothing of it was taken.');

const proofsOf = (pools: readonly ActionPool[]): string =>
  `the proof${pools.length > 1 ? 's' : ''} of ${pools.map((pool) => POOL[pool].name).join(' and ')}`;
const ARE_WRONG = 'is wrong, or of another transaction';

export const wrongProofsMade = (pools: readonly ActionPool[]): CompanionError =>
  new CompanionError(
    'PROVER_FAILED',
    `What the prover wrote as ${proofsOf(pools)} ${ARE_WRONG}. Nothing of it was taken, and the payment can be proved again.`,
  );

export const wrongProofsReturned = (pools: readonly ActionPool[]): CompanionError =>
  new CompanionError(
    'PCZT_CHANGED',
    `What came back as ${proofsOf(pools)} ${ARE_WRONG}. Nothing of it was taken.`,
  );

/** They were taken by a version that did not verify them, or on regtest before that was switched on. */
export const wrongProofsKept = (pools: readonly ActionPool[]): CompanionError =>
  new CompanionError(
    'PAYMENT_INCOMPLETE',
    `What the payment has as ${proofsOf(pools)} ${ARE_WRONG}. Have it proved again with replace, which keeps the signatures.`,
  );

export const leftProofsOut = (): CompanionError =>
  new CompanionError('PROVER_FAILED', 'The prover left proofs out. Those that it made are kept.');

export const signedNothing = (): CompanionError =>
  new CompanionError(
    'SIGNER_FAILED',
    'The signer wrote neither a PCZT nor signatures. Nothing of it was taken.',
  );

export const leftUnsigned = (): CompanionError =>
  new CompanionError(
    'SIGNER_FAILED',
    'The signer gave the payment back without a signature: it may have other keys, or be too old to read it.',
  );

/** Combining refuses such a fault, so the payment itself is not sound. */
export const broken = (problems: readonly TransactionProblem[]): CompanionError =>
  new CompanionError(
    'PAYMENT_INCOMPLETE',
    'The payment has everything, and yet makes no transaction. Discard it, and prepare another one.',
    { errors: problemFields(problems) },
  );

/** `wasSent`: an earlier attempt may be in a block that was not scanned yet, and a new payment would pay twice. */
export function expiring(lastHeight: Height, tip: Height, wasSent: boolean): CompanionError {
  const why = `block ${lastHeight} is the last one that can have it, and ${tip} is there.`;
  return paymentState(
    wasSent
      ? `The payment was not sent again: ${why} An earlier attempt may have been mined: sync up to block ${lastHeight}, and prepare another one only if it says expired then.`
      : `The payment was not sent: ${why} Prepare another one.`,
  );
}

/** `text`: the server's words, in printable characters. */
export function refusedWith({ reason, text }: Refusal, mayBeMined: boolean): CompanionError {
  const earlier = mayBeMined
    ? ' It may have arrived with an earlier attempt all the same, and keeps its notes until it is mined or has expired.'
    : '';
  return new CompanionError(
    'TRANSACTION_REFUSED',
    `The other side refuses the transaction: "${text}". ${REFUSED[reason]}${earlier}`,
  );
}

/** The key of a grant's payment says no more to other grants. */
export const keyInUse = (): CompanionError =>
  badField(
    'idempotency_key',
    'is that of another payment',
    'Another payment has this idempotency key: other recipients, amounts or memos, or another account. Nothing was paid. Give each payment a key of its own.',
    'IDEMPOTENCY_KEY_IN_USE',
  );

type Refusal = Extract<SendOutcome, { readonly kind: 'refused' }>;

const REFUSED: Readonly<Record<Refusal['reason'], string>> = {
  expired: 'It came too late: prepare another one.',
  conflict: 'Something that it spends is spent elsewhere: scan, and see what became of the payment.',
  invalid:
    'A proof may be wrong, or the chain may have been reorganised below its anchor: prove it again with replace, which keeps the signatures.',
  fee: 'Its fee is not what the other side wants: send it by way of another one, or prepare it anew.',
  limit:
    'It has more shielded spends and outputs than the network takes in one transaction: prepare several smaller payments.',
  other: 'Try again, or by way of another source.',
};

/** A repeated call asks the server first and sends the same bytes: neither pays twice. */
export const mayHaveArrived = (error: CompanionError): CompanionError =>
  new CompanionError(
    error.code,
    `${error.message} The payment may have arrived all the same. Send it again: that asks first, and never pays twice.`,
    { cause: error },
  );

// ---------------------------------------------------------------------------------------------------------------------
// PCZTs that come in

const INVALID: Readonly<Record<RefusalReason, string>> = {
  malformed: 'cannot be read, so it is damaged, cut off or another file',
  unsupported: 'is of a kind that this version of the companion does not read',
  inconsistent: 'contradicts itself, so the program that wrote it is at fault',
  conflict: 'differs from its other copy',
  missing: 'lacks a field: have the program that wrote it leave more of it in',
  notAllowed: 'says of itself that it may not be changed so any more',
};

/** These texts name fields and repeat no content. */
export function unreadablePczt(error: FormatError): CompanionError {
  const { message } = error;
  const why = INVALID[error instanceof PcztRefusal ? error.reason : 'malformed'];
  return badField('pczt', `${why} (${message})`, `The PCZT ${why} (${message}).`, 'INVALID_PCZT');
}

export const busyWithPczts = (): CompanionError =>
  new CompanionError('BUSY', 'Other PCZTs are being looked into; try again in a moment.');

/** The message is about the first change, and the fields of the others are listed. */
export function changedBy(
  code: 'PCZT_CHANGED' | 'PROVER_FAILED',
  changes: readonly ReturnChange[],
  who?: string,
): CompanionError {
  const errors = changes
    .slice(0, MAX_FIELDS)
    .map((change) => ({ path: change.field || 'pczt', message: sentenceOf(change, who) }));
  return new CompanionError(code, `${sentenceOf(changes[0]!, who)} Nothing of it was taken.`, { errors });
}

export const brokenByReturn = (problems: readonly TransactionProblem[]): CompanionError =>
  new CompanionError(
    'PCZT_CHANGED',
    'With what came back the payment would be complete, and yet no transaction. Nothing of it was taken.',
    { errors: problemFields(problems) },
  );
