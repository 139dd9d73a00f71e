// What a signer program wrote: the PCZT with its signatures, or the signatures alone as JSON, since devices with commands of
// their own return no PCZT.

import { FormatError, hexToBytes } from '@wallet-companion/shielded/bytes';
import { decodePczt, type Pczt, withActionSignatures } from '@wallet-companion/shielded/pczt';
import type { Pool } from '@wallet-companion/shielded/pools';
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
export function signedBy(answer: Uint8Array, ours: Pczt): Pczt {
  if (answer[0] !== BRACE) return decodePczt(answer).pczt;
  const parsed = signatures.safeParse(jsonIn(answer));
  if (!parsed.success) throw new FormatError('no signatures');
  return parsed.data.signatures.reduce(
    (pczt, { pool, index, signature }) =>
      pool === 'transparent'
        ? withInputSignature(pczt, index, hexToBytes(signature))
        : withSignature(pczt, pool, index, hexToBytes(signature)),
    ours,
  );
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new FormatError('no JSON', { cause });
  }
}

/** By the key that the input names. */
function withInputSignature(pczt: Pczt, index: number, signature: Uint8Array): Pczt {
  const { transparent } = pczt;
  const [key] = transparent.inputs[index]?.bip32Derivation.keys() ?? [];
  if (key === undefined) throw new FormatError('a signature of no input whose key is known');
  const partialSignatures = new Map([[key, signature]]);
  const inputs = transparent.inputs.map((input, at) =>
    at === index ? { ...input, partialSignatures } : input,
  );
  return { ...pczt, transparent: { ...transparent, inputs } };
}

/** Of a shielded spend. */
function withSignature(pczt: Pczt, pool: Pool, index: number, signature: Uint8Array): Pczt {
  if (pool !== 'sapling') return withActionSignatures(pczt, [{ pool, index, signature }]);
  const { sapling } = pczt;
  if (sapling.spends[index] === undefined) throw new FormatError('a signature of no spend');
  const spends = sapling.spends.map((spend, at) =>
    at === index ? { ...spend, spendAuthSig: signature } : spend,
  );
  return { ...pczt, sapling: { ...sapling, spends } };
}
