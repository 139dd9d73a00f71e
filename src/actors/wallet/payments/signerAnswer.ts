// What a signer program wrote: the PCZT with its signatures, or the signatures alone as JSON, since devices with commands of
// their own return no PCZT.

import { FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { decodePczt, type Pczt, withBareSignatures } from '@wallet-companion/pczt/pczt';
import * as z from 'zod';
import * as field from '../../../protocol/fields.ts';

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
});

/** `ours`: the PCZT that the signatures are for. Throws `FormatError`. */
export function readSignerAnswer(answer: Uint8Array, ours: Pczt): Pczt {
  if (answer[0] !== BRACE) return decodePczt(answer).pczt;
  const parsed = signatures.safeParse(jsonIn(answer));
  if (!parsed.success) throw new FormatError('no signatures');
  return withBareSignatures(
    ours,
    parsed.data.signatures.map((one) => ({ ...one, signature: hexToBytes(one.signature) })),
  );
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new FormatError('no JSON', { cause });
  }
}
