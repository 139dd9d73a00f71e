// What a signer wrote: the PCZT with its signatures, or the signatures alone as JSON, since devices with commands of their own return
// no PCZT. An allowance signer may also refuse, or wait.

import { FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { decodePczt, type Pczt, withBareProofKeys, withBareSignatures } from '@wallet-companion/pczt/pczt';
import * as z from 'zod';
import { CompanionError } from '../../../protocol/errors.ts';
import * as field from '../../../protocol/fields.ts';
import type { WaitsFor } from '../ports/payment.ts';

const BRACE = 0x7b;

const signatures = z.strictObject({
  signatures: z.array(
    z.union([
      z.strictObject({
        pool: field.pool,
        /** Among the actions, or Sapling's spends. */
        index: field.count,
        signature: z.string().regex(/^[0-9a-f]{128}$/),
      }),
      z.strictObject({
        pool: z.literal('transparent'),
        /** Among the inputs. */
        index: field.count,
        /** DER, and the byte for what is covered. */
        signature: z.string().regex(/^30(?:[0-9a-f]{2}){1,72}$/),
      }),
    ]),
  ),
  /** Sapling's, which are no signatures and come with them. */
  proof_keys: z
    .array(z.strictObject({ index: field.count, ak: field.hex(32), nsk: field.hex(32) }))
    .optional(),
});

/** In printable characters: it may be shown. */
const sentence = z.string().regex(/^[\x20-\x7e]{1,500}$/);

const others = z.union([
  z.strictObject({ refused: sentence }),
  z.strictObject({ failed: sentence }),
  z.strictObject({
    waits_for: z.union([
      z.strictObject({ kind: z.literal('delay'), until: z.iso.datetime() }),
      z.strictObject({ kind: z.literal('confirmation') }),
    ]),
  }),
]);

/** No failure: the payment is asked about again later. */
export class SignerWaits extends Error {
  override readonly name = 'SignerWaits';
  readonly for: WaitsFor;

  constructor(waitsFor: WaitsFor) {
    super('the signer waits');
    this.for = waitsFor;
  }
}

/** `ours`: the PCZT that the signatures are for. Throws `FormatError`, `SignerWaits`, `ALLOWANCE_LIMIT`, `SIGNER_FAILED`. */
export function readSignerAnswer(answer: Uint8Array, ours: Pczt): Pczt {
  if (answer[0] !== BRACE) return decodePczt(answer).pczt;
  const json = jsonIn(answer);
  const parsed = signatures.safeParse(json);
  if (!parsed.success) throw notSigned(json);
  const { signatures: bare, proof_keys: proofKeys = [] } = parsed.data;
  const signed = withBareSignatures(
    ours,
    bare.map((one) => ({ ...one, signature: hexToBytes(one.signature) })),
  );
  return withBareProofKeys(
    signed,
    proofKeys.map(({ index, ak, nsk }) => ({ index, ak: hexToBytes(ak), nsk: hexToBytes(nsk) })),
  );
}

function notSigned(json: unknown): Error {
  const { data: other } = others.safeParse(json);
  if (other === undefined) return new FormatError('no signatures');
  if ('failed' in other) return new CompanionError('SIGNER_FAILED', other.failed);
  if ('refused' in other)
    return new CompanionError('ALLOWANCE_LIMIT', `The signer does not sign the payment: ${other.refused}.`);
  const { waits_for: waits } = other;
  return new SignerWaits(
    waits.kind === 'delay' ? { kind: 'delay', until: Date.parse(waits.until) } : { kind: 'confirmation' },
  );
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new FormatError('no JSON', { cause });
  }
}
