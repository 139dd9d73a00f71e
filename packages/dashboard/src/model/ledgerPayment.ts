// A PCZT for a Ledger and back: the device reads its fields and answers with bare signatures.

import type { LedgerSignature, SigningProgress } from '@wallet-companion/devices/ledger';
import { decodePczt, encodePczt, type Pczt, withBareSignatures } from '@wallet-companion/pczt/pczt';
import { deviceTexts } from '../texts/device.ts';
import { base64Of, bytesIn } from './base64.ts';

export const paymentIn = (base64: string): Pczt => decodePczt(bytesIn(base64)).pczt;

/** Otherwise the account on the device has to be asked for. */
export const namesAccount = ({ orchard, ironwood, transparent }: Pczt): boolean =>
  [...orchard.actions, ...ironwood.actions].some(({ spend }) => spend.zip32Derivation !== undefined) ||
  transparent.inputs.some(({ bip32Derivation }) => bip32Derivation.size > 0);

export function progressText(progress: SigningProgress): string {
  const texts = deviceTexts();
  if (progress.step === 'sending') return texts.sending(progress.sent, progress.total);
  return progress.step === 'review' ? texts.review : texts.signing;
}

/** In base64 as well, with the signatures in their places. */
export function withSignatures(base64: string, signatures: readonly LedgerSignature[]): string {
  const { pczt, encoding } = decodePczt(bytesIn(base64));
  return base64Of(encodePczt(withBareSignatures(pczt, signatures), encoding));
}
