// The PCZT of a payment as it is given out: with an anchor that the chain has, as much of it as its reader needs, and where
// sending needs the password without signatures, since a caller with all of them needs no companion to send it.

import { wipe } from '@wallet-companion/base/bytes';
import { toBase64 } from '@wallet-companion/base/memory';
import {
  type ActionBundle,
  decodePczt,
  type Encoding,
  encodePczt,
  oldestEncoding,
  type Pczt,
} from '@wallet-companion/pczt/pczt';
import { redactPczt, type View } from '@wallet-companion/pczt/pcztRoles';
import { perActionPool } from '@wallet-companion/zcash/pools';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { StoredPayment } from '../ports/payment.ts';
import { anchorAnew, type Reanchoring } from './reanchoring.ts';

type Reader = Output<'payments.pczt'>['reader'];

/** `anyone` gets the PCZT complete, as the wallet keeps it. */
const VIEW: Readonly<Record<Exclude<Reader, 'anyone'>, View>> = {
  signer: 'signer',
  compact_signer: 'compactSigner',
  prover: 'prover',
};

interface Given {
  readonly pczt: string;
  readonly encoding: Encoding;
}

export async function handOut(
  context: Reanchoring,
  { payment_id, reader = 'signer' }: Input<'payments.pczt'>,
): Promise<Output<'payments.pczt'>> {
  const { payments, sessions } = context;
  const event = reader === 'anyone' ? 'copy' : 'pczt';
  const payment = await anchorAnew(context, event, sessions.use(), payment_id);
  const { broadcast_needs_password: isWithheld } = payments.environment.configFile.get();
  return { payment_id, reader, ...givenTo(payment, reader, isWithheld) };
}

function givenTo(payment: StoredPayment, reader: Reader, isWithheld: boolean): Given {
  const ours = decodePczt(payment.pczt).pczt;
  const given = isWithheld ? withoutSignatures(ours) : ours;
  const pczt = reader === 'anyone' ? given : redactPczt(given, VIEW[reader]);
  const encoding = reader === 'anyone' ? payment.encoding : oldestEncoding(pczt);
  const bytes = encodePczt(pczt, encoding);
  const text = toBase64(bytes);
  wipe(bytes);
  return { pczt: text, encoding };
}

/** As much of it as its reader needs, for one that gets bytes. */
export function encodeView(pczt: Pczt, view: View): Uint8Array<ArrayBuffer> {
  const seen = redactPczt(pczt, view);
  return encodePczt(seen, oldestEncoding(seen));
}

interface Signed {
  readonly value: bigint | undefined;
  readonly spendAuthSig: Uint8Array | undefined;
}

/** Removes the signatures of what it spends; those of dummies stay, which no signer could make again. */
const withoutSignatures = (pczt: Pczt): Pczt => ({
  ...pczt,
  transparent: {
    ...pczt.transparent,
    inputs: pczt.transparent.inputs.map((input) => ({ ...input, partialSignatures: new Map() })),
  },
  sapling: { ...pczt.sapling, spends: pczt.sapling.spends.map(unsigned) },
  ...perActionPool((pool) => withUnsigned(pczt[pool])),
});

const withUnsigned = (bundle: ActionBundle): ActionBundle => ({
  ...bundle,
  actions: bundle.actions.map((action) => ({ ...action, spend: unsigned(action.spend) })),
});

const unsigned = <T extends Signed>(spend: T): T =>
  spend.value === 0n ? spend : { ...spend, spendAuthSig: undefined };
