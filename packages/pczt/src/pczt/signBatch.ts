// Several PCZTs for one signer at once, and the signatures that it answers with (the messages of the pczt crate's module
// `signer::batch`): no PCZT comes back. They know no Sapling and no transparent inputs.
import { asciiBytes, concatBytes, equalBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { ACTION_POOLS, type ActionPool, perActionPool } from '@wallet-companion/zcash/pools';
import type { BareSignature } from './bareSignatures.ts';
import { MAX_PCZT_LENGTH, readBody, writeBody } from './codec.ts';
import type { Encoding } from './layout.ts';
import type { Pczt } from './pczt.ts';
import { redactPczt } from './redactor.ts';
import { refuse } from './refusal.ts';
import { choice, fixed, list, record, u32 } from './wire.ts';
import { WireReader } from './wireReader.ts';
import { WireWriter } from './wireWriter.ts';

export interface BatchSignature extends BareSignature {
  readonly pool: ActionPool;
}

const REQUEST = asciiBytes('PCZB');
const ANSWER = asciiBytes('PCZS');
const VERSION = u32ToLeBytes(1);
/** The crate reads both, and writes this one. */
const ENCODING = 2;
/** More than any device takes. */
const MAX_PCZTS = 1_000;
const MAX_SIGNATURES = 65_536;

const COUNT = u32;
const SIGNATURES = list(
  list(record({ pool: choice(...ACTION_POOLS), index: u32, signature: fixed(64) }), MAX_SIGNATURES),
  MAX_PCZTS,
);

/** A copy for a batch: as its signer sees it, and without signatures, which devices refuse there. */
export function batchView(pczt: Pczt): Pczt {
  const view = redactPczt(pczt, 'signer');
  return {
    ...view,
    ...perActionPool((pool) => ({
      ...view[pool],
      actions: view[pool].actions.map((action) => {
        const { spend } = action;
        if (spend.spendAuthSig === undefined) return action;
        // Without alpha it is not signed again.
        return { ...action, spend: { ...spend, spendAuthSig: undefined, alpha: undefined } };
      }),
    })),
  };
}

/** The request, in the order of the PCZTs. Throws `PcztRefusal`. */
export function encodeSignBatch(pczts: readonly Pczt[]): Uint8Array {
  const writer = new WireWriter();
  writer.write(COUNT, pczts.length);
  for (const pczt of pczts) writeBody(writer, pczt, ENCODING);
  return concatBytes(REQUEST, VERSION, u32ToLeBytes(ENCODING), writer.finish());
}

/** What a signer reads. Throws `FormatError`. */
export function decodeSignBatch(bytes: Uint8Array): readonly Pczt[] {
  const reader = readerAfter(bytes, REQUEST);
  const encoding = bytes[8] as Encoding;
  if ((encoding !== 1 && encoding !== 2) || !equalBytes(bytes.subarray(8, 12), u32ToLeBytes(encoding)))
    refuse('unsupported', '', 'its PCZTs are in an encoding that is not known here');
  const count = reader.read(COUNT);
  if (count > MAX_PCZTS) refuse('unsupported', '', `a batch has at most ${MAX_PCZTS} PCZTs`);
  const pczts = Array.from({ length: count }, () => readBody(reader, encoding));
  reader.expectEnd();
  return pczts;
}

/** The answer: for each PCZT of the request its signatures. */
export function encodeBatchSignatures(signatures: readonly (readonly BatchSignature[])[]): Uint8Array {
  const writer = new WireWriter();
  writer.write(SIGNATURES, signatures);
  return concatBytes(ANSWER, VERSION, writer.finish());
}

/** Throws `FormatError`. */
export function decodeBatchSignatures(bytes: Uint8Array): readonly (readonly BatchSignature[])[] {
  const reader = readerAfter(bytes, ANSWER);
  const signatures = reader.read(SIGNATURES);
  reader.expectEnd();
  return signatures;
}

function readerAfter(bytes: Uint8Array, magic: Uint8Array): WireReader {
  const headerLength = magic === REQUEST ? 12 : 8;
  if (bytes.length > MAX_PCZT_LENGTH) refuse('unsupported', '', 'it is too large');
  if (bytes.length < headerLength || !equalBytes(bytes.subarray(0, 4), magic))
    refuse(
      'malformed',
      '',
      magic === REQUEST ? 'this is no batch of PCZTs' : 'these are no signatures of a batch',
    );
  if (!equalBytes(bytes.subarray(4, 8), VERSION))
    refuse('unsupported', '', 'it is of a version that is not known here');
  return new WireReader(bytes, headerLength);
}
