// What a companion may ask of an allowance signer, one request for each connection: a PCZT to be signed, or a payment that is not to
// be. Nothing that comes ends the process, and an answer has no text of the request but the names of fields.

import { bytesToHex, wipe } from '@wallet-companion/base/bytes';
import { timeText } from '@wallet-companion/base/values';
import { faultFields } from '@wallet-companion/client/contract';
import * as z from 'zod';
import { CompanionError } from '../protocol/errors.ts';
import * as field from '../protocol/fields.ts';
import type { AllowanceSigner, SignerAnswer } from './allowanceSigner.ts';

/** As the companion's own limit: a transaction has at most 2 MB. */
export const MAX_REQUEST_BYTES = 2 * 1024 * 1024;
const BRACE = 0x7b;

const cancellation = z.strictObject({ cancel: field.txid });

export type Report = (event: string, fields?: object) => void;

/** Answers the bytes of a request as JSON. Does not reject. */
export async function answerRequest(
  signer: AllowanceSigner,
  request: Uint8Array,
  report: Report,
): Promise<object> {
  try {
    if (request[0] === BRACE) return await cancelled(signer, request, report);
    const answer = await signer.answer(request);
    report(answer.kind, answer.kind === 'refused' ? { why: answer.why } : {});
    return answerView(answer);
  } catch (error) {
    report('failed', faultFields(error));
    return {
      failed: error instanceof CompanionError ? error.message : 'The signer failed; its log says why.',
    };
  }
}

async function cancelled(signer: AllowanceSigner, request: Uint8Array, report: Report): Promise<object> {
  const read = cancellation.safeParse(jsonIn(request));
  if (!read.success) return { failed: 'The signer does not know this request.' };
  await signer.cancel(read.data.cancel);
  report('cancelled', { txid: read.data.cancel });
  return { cancelled: read.data.cancel };
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function answerView(answer: SignerAnswer): object {
  if (answer.kind === 'refused') return { refused: answer.why };
  if (answer.kind === 'waits') {
    const { kind } = answer.for;
    return {
      waits_for: answer.for.kind === 'delay' ? { kind, until: timeText(answer.for.until) } : { kind },
    };
  }
  const { signatures, proofKeys } = answer;
  const view = {
    signatures: signatures.map((one) => ({ ...one, signature: bytesToHex(one.signature) })),
    proof_keys: proofKeys.map(({ index, ak, nsk }) => ({ index, ak: bytesToHex(ak), nsk: bytesToHex(nsk) })),
  };
  wipe(...proofKeys.map(({ nsk }) => nsk));
  return view;
}
