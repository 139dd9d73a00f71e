// Sends a payment to the device, waits for the person's yes, and asks for a signature of each spend and transparent input.
// Padding spends were signed when the payment was made, and the app signs no spend without a value.

import { send, unexpectedAnswer } from './commands.ts';
import { LedgerError } from './ledgerError.ts';
import { commandsOf, type LedgerPool, poolsOf, type SignablePayment } from './payment.ts';
import type { Exchange } from './transport.ts';

const SIGN: Readonly<Record<SignaturePool, number>> = { transparent: 0x55, orchard: 0x57, ironwood: 0x59 };
const SIGNATURE_BYTES = 64;
/** DER of two numbers below 2^256, and the byte for what is covered. */
const MOST_DER_BYTES = 73;
const DER_SEQUENCE = 0x30;

export type SignaturePool = LedgerPool | 'transparent';

export interface LedgerSignature {
  readonly pool: SignaturePool;
  /** The place of the action in its bundle, or of the transparent input. */
  readonly index: number;
  /** Not verified here: compare it with the action's `rk`, or the input's key, before it is used. */
  readonly signature: Uint8Array;
}

/** `review`: everything was sent, and the device shows the payment. */
export type SigningProgress =
  | { readonly step: 'sending'; readonly sent: number; readonly total: number }
  | { readonly step: 'review' }
  | { readonly step: 'signing' };

export interface SigningOptions {
  /** ZIP 32's account, for a payment without derivations. */
  readonly account?: number | undefined;
  readonly progress?: (progress: SigningProgress) => void;
}

export async function signPayment(
  exchange: Exchange,
  payment: SignablePayment,
  { account, progress = () => undefined }: SigningOptions = {},
): Promise<readonly LedgerSignature[]> {
  const wanted = spendsToSign(payment);
  const commands = commandsOf(payment, account);
  for (const [sent, command] of commands.entries()) {
    const isLast = sent === commands.length - 1;
    progress(isLast ? { step: 'review' } : { step: 'sending', sent, total: commands.length });
    await send(exchange, command);
  }
  progress({ step: 'signing' });
  const signatures: LedgerSignature[] = [];
  for (const { pool, index } of wanted) {
    const answer = await send(exchange, { ins: SIGN[pool], p2: index });
    const signature = pool === 'transparent' ? inputSignature(answer) : answer;
    if (pool !== 'transparent' && signature.length !== SIGNATURE_BYTES) throw unexpectedAnswer();
    signatures.push({ pool, index, signature });
  }
  return signatures;
}

/** The lowest bit of the first byte tells about the key, and is no part of DER. */
function inputSignature(answer: Uint8Array): Uint8Array {
  const [first = 0] = answer;
  if (answer.length > MOST_DER_BYTES || (first & 0xfe) !== DER_SEQUENCE) throw unexpectedAnswer();
  return Uint8Array.from([DER_SEQUENCE, ...answer.subarray(1)]);
}

function spendsToSign(payment: SignablePayment): readonly Omit<LedgerSignature, 'signature'>[] {
  const unsigned = poolsOf(payment).flatMap((pool) =>
    payment[pool].actions.flatMap(({ spend }, index) =>
      spend.spendAuthSig === undefined ? [{ pool, index, value: spend.value }] : [],
    ),
  );
  const inputs = payment.transparent.inputs.flatMap(({ partialSignatures }, index) =>
    partialSignatures.size === 0 ? [{ pool: 'transparent' as const, index }] : [],
  );
  if (unsigned.length + inputs.length === 0)
    throw new LedgerError('unsupported', 'The payment has all of its signatures.');
  if (unsigned.some(({ value }) => value === 0n))
    throw new LedgerError(
      'unsupported',
      'A Ledger does not sign spends without a value: prepare the payment with its change moved.',
    );
  return [...inputs, ...unsigned.map(({ pool, index }) => ({ pool, index }))];
}
