// Several payments for one device at once: the request that it reads, and the signatures that it answers with, which are taken
// as those in a PCZT that came back.

import { bytesToHex, wipe } from '@wallet-companion/base/bytes';
import { fromBase64, toBase64 } from '@wallet-companion/base/memory';
import {
  batchView,
  decodeBatchSignatures,
  decodePczt,
  encodeSignBatch,
  missingOf,
  type Pczt,
} from '@wallet-companion/pczt/pczt';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import { anchorAnew, type Reanchoring } from './reanchoring.ts';
import { refusing } from './request.ts';
import type { Returns } from './returned.ts';

/** What Keystone takes at once, and what wallets send to it. */
const MOST_BYTES = 512 * 1024;
const MOST_SIGNATURES = 96;
const REQUEST_ID_BYTES = 16;

export class Batches {
  readonly #context: Reanchoring;
  readonly #returns: Returns;

  constructor(context: Reanchoring, returns: Returns) {
    this.#context = context;
    this.#returns = returns;
  }

  async batch({ payment_ids: ids }: Input<'payments.batch'>): Promise<Output<'payments.batch'>> {
    const { payments, sessions } = this.#context;
    const session = sessions.use();
    refuseTwice(ids);
    const pczts: Pczt[] = [];
    for (const id of ids)
      pczts.push(decodePczt((await anchorAnew(this.#context, 'pczt', session, id)).pczt).pczt);
    const signatures = pczts.reduce((sum, pczt, at) => sum + neededIn(pczt, at), 0);
    if (signatures > MOST_SIGNATURES)
      throw badField(
        'payment_ids',
        `need ${signatures} signatures; a device gives ${MOST_SIGNATURES} at once`,
      );
    const bytes = encodeSignBatch(pczts.map(batchView));
    if (bytes.length > MOST_BYTES)
      throw badField('payment_ids', `have ${bytes.length} bytes; a device reads ${MOST_BYTES} at once`);
    const requestId = payments.environment.randomBytes(REQUEST_ID_BYTES);
    const batch = toBase64(bytes);
    wipe(bytes);
    return { batch, request_id: bytesToHex(requestId), signatures };
  }

  /** One payment after the other: what was taken of the first ones stays where a later one is refused. */
  async combine(input: Input<'payments.combine_batch'>): Promise<Output<'payments.combine_batch'>> {
    const session = this.#context.sessions.use();
    const { payment_ids: ids } = input;
    refuseTwice(ids);
    const answers = refusing('answer', () => decodeBatchSignatures(fromBase64(input.answer)));
    if (answers.length !== ids.length)
      throw badField('answer', `is for ${answers.length} payments, and payment_ids names ${ids.length}`);
    const payments: Output<'payments.combine'>[] = [];
    for (const [at, id] of ids.entries()) {
      const taken = await this.#returns
        .combineSignatures(session, id, answers[at]!)
        .catch((error: unknown) => failed(error, id));
      payments.push(taken);
    }
    return { payments };
  }
}

function refuseTwice(ids: readonly string[]): void {
  if (new Set(ids).size < ids.length) throw badField('payment_ids', 'names a payment twice');
}

/** Signatures that the payment lacks. Throws `INVALID_REQUEST` for what no device signs in a batch. */
function neededIn(pczt: Pczt, at: number): number {
  const { transparent, sapling } = pczt;
  const fault = (what: string): CompanionError => badField(`payment_ids.${at}`, what);
  if (transparent.inputs.length > 0) throw fault('shields transparent funds, which is signed alone');
  if (sapling.spends.length + sapling.outputs.length > 0)
    throw fault('spends or pays in Sapling, which no device does in a batch');
  const { signatures } = missingOf(pczt);
  if (signatures.length === 0) throw fault('lacks no signature');
  if (signatures.some(({ derivation }) => derivation === undefined))
    throw fault('does not say where the signer finds its keys: seed_fingerprint and account_index do');
  return signatures.length;
}

/** Names the payment. */
function failed(error: unknown, id: string): never {
  if (!(error instanceof CompanionError)) throw error;
  throw new CompanionError(error.code, `Payment ${id}: ${error.message}`, { errors: error.errors ?? [] });
}
