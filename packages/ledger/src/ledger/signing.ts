// Sends a payment to the device, waits for the person's yes, and asks for a signature of each spend. Padding spends were
// signed when the payment was made, and the app signs no spend without a value.

import { send, unexpected } from './commands.ts';
import { LedgerError } from './ledgerError.ts';
import { commandsOf, type LedgerPool, poolsOf, type SignablePayment } from './payment.ts';
import type { Exchange } from './transport.ts';

const SIGN: Readonly<Record<LedgerPool, number>> = { orchard: 0x57, ironwood: 0x59 };
const SIGNATURE_BYTES = 64;

export interface LedgerSignature {
  readonly pool: LedgerPool;
  /** The action's place in its bundle. */
  readonly index: number;
  /** Not verified here: compare it with the action's `rk` before it is used. */
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
    const signature = await send(exchange, { ins: SIGN[pool], p2: index });
    if (signature.length !== SIGNATURE_BYTES) throw unexpected();
    signatures.push({ pool, index, signature });
  }
  return signatures;
}

function spendsToSign(payment: SignablePayment): readonly Omit<LedgerSignature, 'signature'>[] {
  const unsigned = poolsOf(payment).flatMap((pool) =>
    payment[pool].actions.flatMap(({ spend }, index) =>
      spend.spendAuthSig === undefined ? [{ pool, index, value: spend.value }] : [],
    ),
  );
  if (unsigned.length === 0) throw new LedgerError('unsupported', 'The payment has all of its signatures.');
  if (unsigned.some(({ value }) => value === 0n))
    throw new LedgerError(
      'unsupported',
      'A Ledger does not sign spends without a value: prepare the payment with its change moved.',
    );
  return unsigned.map(({ pool, index }) => ({ pool, index }));
}
