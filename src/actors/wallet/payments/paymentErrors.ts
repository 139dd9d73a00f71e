// Why a payment cannot go on, in words that name who has to act.

import { itemAt, type Missing, missingOf, type Pczt, type Place } from '@wallet-companion/shielded/pczt';
import { POOL } from '@wallet-companion/shielded/pools';
import type { TransactionProblem } from '@wallet-companion/shielded/signing';
import type { Height } from '@wallet-companion/shielded/values';
import { CompanionError, type FieldError } from '../../../protocol/errors.ts';
import type { SendOutcome } from '../../chain/ports/types.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { PaymentStatus } from './paymentState.ts';

/** An error lists at most so many fields. */
export const MAX_FIELDS = 20;

const nameOf = (place: Place): string => (place === 'transparent' ? 'transparent inputs' : POOL[place].name);

/** `PAYMENT_INCOMPLETE`, which names the missing signatures and proofs. */
export function incomplete(pczt: Pczt, account: number): CompanionError {
  const missing = missingOf(pczt);
  const parts = [...signaturesIn(missing, account), ...proofsIn(missing)];
  const errors = [...signatureFields(missing, account), ...proofFields(missing)].slice(0, MAX_FIELDS);
  const way = missing.signatures.length > 0 ? 'Have it signed' : 'Have it proved';
  return new CompanionError(
    'PAYMENT_INCOMPLETE',
    `The payment cannot be sent yet: it lacks ${parts.join(', and ')}. ${way}, and combine what comes back.`,
    { errors },
  );
}

function signaturesIn({ signatures }: Missing, account: number): string[] {
  const places = [...new Set(signatures.map(({ place }) => place))];
  return places.map((place) => {
    const count = signatures.filter((one) => one.place === place).length;
    return `${count} ${count === 1 ? 'signature' : 'signatures'} of account ${account} in ${nameOf(place)}`;
  });
}

const proofsIn = ({ proofs }: Missing): string[] =>
  proofs.map(({ pool, count }) =>
    count === 1 ? `the proof of ${POOL[pool].name}` : `${count} proofs of ${POOL[pool].name}`,
  );

const signatureFields = ({ signatures }: Missing, account: number): FieldError[] =>
  signatures.map(({ place, index }) => ({
    path: itemAt(place, index, 'spend').field,
    message: `lacks the signature of account ${account}`,
  }));

const proofFields = ({ proofs }: Missing): FieldError[] =>
  proofs.map(({ pool, count }) => ({
    path: pool,
    message: count === 1 ? 'lacks its proof' : 'lacks proofs',
  }));

/** Why a PCZT that seemed complete makes no transaction. */
export function problemFields(problems: readonly TransactionProblem[]): FieldError[] {
  return problems.slice(0, MAX_FIELDS).map(({ part, field, kind, index }) => ({
    path: `${part}${index === undefined ? '' : `[${index}]`}.${field}`,
    message: kind === 'missing' ? 'is missing' : 'is not right',
  }));
}

const OVER: Partial<Readonly<Record<PaymentStatus, string>>> = {
  discarded: 'was given up',
  expired: 'has expired: no block can have it any more',
  conflicted: 'cannot be mined any more: another transaction has spent a note of it',
  lost_note: 'cannot be mined: a note of it is not on the chain any more, or a newer payment has it',
  mined: 'is mined',
  confirmed: 'is mined and confirmed',
};

/** Throws `PAYMENT_STATE` where a payment is over. */
export function refuseOver(payment: StoredPayment, status: PaymentStatus): void {
  const over = OVER[status];
  if (over === undefined) return;
  const isMined = status === 'mined' || status === 'confirmed';
  const next = isMined ? '' : ` Prepare another one.${status === 'lost_note' ? mayComeBack(payment) : ''}`;
  throw new CompanionError('PAYMENT_STATE', `The payment ${over}.${next}`);
}

/** The chain may return to the branch that had the note. Empty for a payment that was never sent. */
export const mayComeBack = ({ sent, lastHeight }: StoredPayment): string =>
  sent?.mayBeMined === true
    ? ` It was sent: should the chain go back to the blocks that had the note, it can be mined up to block ${lastHeight}. To be certain, pay again after that block.`
    : '';

/** Throws `PAYMENT_STATE` where the payment was sent and must not change any more. */
export function refuseSent(status: PaymentStatus): void {
  if (status === 'sent' || status === 'in_mempool')
    throw new CompanionError('PAYMENT_STATE', 'The payment was sent, and nothing of it is changed any more.');
}

/** Such a proof needs a key that no viewing key contains. */
export const needsSigner = (spends: number): CompanionError =>
  new CompanionError(
    'PAYMENT_STATE',
    `${spends === 1 ? 'A Sapling spend needs' : `${spends} Sapling spends need`} a key for the proof that only the signer has: it goes there first, to be signed and given the key. Combine what comes back, then prove it.`,
  );

export const failed = (what: string): CompanionError =>
  new CompanionError('PROVER_FAILED', `The prover ${what}. Nothing of it was taken.`);

export const leftProofsOut = (): CompanionError =>
  new CompanionError('PROVER_FAILED', 'The prover left proofs out. Those that it made are kept.');

/** Combining refuses such a fault, so the payment itself is not sound. */
export const broken = (problems: readonly TransactionProblem[]): CompanionError =>
  new CompanionError(
    'PAYMENT_INCOMPLETE',
    'The payment has everything, and yet makes no transaction. Discard it, and prepare another one.',
    { errors: problemFields(problems) },
  );

/** `wasSent`: an earlier attempt may be in a block that was not scanned yet, and a new payment would pay twice. */
export const expiring = (lastHeight: Height, tip: Height, wasSent: boolean): CompanionError =>
  new CompanionError(
    'PAYMENT_STATE',
    `The payment was not sent${wasSent ? ' again' : ''}: block ${lastHeight} is the last one that can have it, and ${tip} is there. ${
      wasSent
        ? `An earlier attempt may have been mined: sync up to block ${lastHeight}, and prepare another one only if it says expired then.`
        : 'Prepare another one.'
    }`,
  );

/** `text`: the server's words, in printable characters. */
export function refused({ reason, text }: Refusal, mayBeMined: boolean): CompanionError {
  const earlier = mayBeMined
    ? ' It may have arrived with an earlier attempt all the same, and keeps its notes until it is mined or has expired.'
    : '';
  return new CompanionError(
    'TRANSACTION_REFUSED',
    `The other side refuses the transaction: "${text}". ${REFUSED[reason]}${earlier}`,
  );
}

type Refusal = Extract<SendOutcome, { readonly kind: 'refused' }>;

const REFUSED: Readonly<Record<Refusal['reason'], string>> = {
  expired: 'It came too late: prepare another one.',
  conflict: 'Something that it spends is spent elsewhere: scan, and see what became of the payment.',
  invalid:
    'If a proof is wrong, have it made again and combine with replace_proofs; if the chain was reorganised below its anchor, prepare another one.',
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
