// A prepared payment in the words that the command line and the pages have in common. Each writes numbers in its own way.

import type { Output } from './operationTypes.ts';

export interface Numbers {
  /** With the unit. */
  amountText(zatoshi: number): string;
  /** `1 note`, `2 notes`. */
  counted(count: number, one: string): string;
}

type Payment = Output<'payments.get'>;

export const isOpen = ({ status }: Pick<Payment, 'status'>): boolean =>
  status === 'prepared' || status === 'complete';

export const needsSigner = ({ missing }: Pick<Payment, 'missing'>): boolean =>
  missing.some(({ signatures, signer_keys: keys }) => signatures > 0 || keys);

export const needsProofs = ({ missing }: Pick<Payment, 'missing'>): boolean =>
  missing.some(({ proofs }) => proofs);

interface MissingPart {
  readonly pool: string;
  readonly signatures: number;
  readonly proofs: boolean;
  /** Of a payment. */
  readonly signer_keys?: boolean;
  /** Of a PCZT. */
  readonly binding_key?: boolean;
}

/** What a payment or a PCZT lacks before it can be sent, pool by pool. */
export const missingTexts = (missing: readonly MissingPart[], numbers: Numbers): string[] =>
  missing.map(({ pool, signatures, proofs, signer_keys, binding_key }) => {
    const parts = [
      ...(signatures === 0 ? [] : [numbers.counted(signatures, 'signature')]),
      ...(proofs ? ['proofs'] : []),
      ...(signer_keys === true ? ['a key that the signer has: it goes there once more'] : []),
      ...(binding_key === true ? ['the key of the binding signature'] : []),
    ];
    return `${pool}: ${parts.join(', ')}`;
  });

/** What it shields, with how many outputs each address has of it. */
export function shieldedTexts({ inputs }: Pick<Payment, 'inputs'>, numbers: Numbers): string[] {
  const addresses = [...new Set(inputs.map(({ address }) => address))];
  return addresses.map((address) => {
    const own = inputs.filter((input) => input.address === address);
    const sum = own.reduce((all, { value_zatoshi: value }) => all + value, 0);
    return `${numbers.amountText(sum)} in ${numbers.counted(own.length, 'output')} at ${address}`;
  });
}

/** What everybody can read, after "that". */
export function publicText(
  { consent, pool, address, amount_zatoshi: zatoshi }: Payment['becomes_public'][number],
  numbers: Numbers,
): string {
  const amount = numbers.amountText(Math.abs(zatoshi));
  switch (consent) {
    case 'crossing_pools':
      return `${amount} ${zatoshi < 0 ? 'enter' : 'leave'} ${pool ?? 'the shielded pools'}`;
    case 'transparent_recipients':
      return `${amount} go to ${address ?? 'a transparent address'}`;
    case 'transparent_senders':
      return `${amount} come from ${address ?? 'a transparent address'}`;
    default:
      return `the fee is ${amount} above the usual one`;
  }
}
