// A receipt for one output of a payment, as text: the envelope `zeceipt-v0` (github.com/beautifulrem/zeceipt, spec/receipt-v0.md), which is
// the part of ZIP 311 that needs no spending key. ZIP 311 itself has no encoding yet.

import { bytesToHex, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { asTxIdHex, type TxIdHex } from '../identifiers.ts';
import type { Network } from '../network.ts';
import { POOLS, type Pool } from '../pools.ts';
import { decodeBase64Url, encodeBase64Url } from './paymentUriText.ts';

const VERSION = 'zeceipt-v0';
const NETWORKS: readonly Network[] = ['main', 'test', 'regtest'];
/** The longest text that is read: a label may be long, and base64url adds a third. */
export const MAX_RECEIPT_LENGTH = 16 * 1024;

export interface Receipt {
  readonly network: Network;
  readonly pool: Pool;
  readonly txid: TxIdHex;
  /** Among the pool's outputs or actions in the transaction. */
  readonly outputIndex: number;
  /** 32 bytes: the outgoing cipher key, with which anybody can read this output. */
  readonly ock: Uint8Array;
  /** Words of its maker, such as the number of an order. */
  readonly label: string;
  /** What the reader asked to have in it; empty where nothing was asked for. */
  readonly challenge: Uint8Array;
  readonly issuerKeyId: string;
  /** Of a signed one: 32 and 64 bytes, Ed25519. */
  readonly signature?: { readonly publicKey: Uint8Array; readonly bytes: Uint8Array };
}

/** One line to copy: base64url of the JSON. */
export function receiptText(receipt: Receipt): string {
  const { network, pool, txid, outputIndex, ock, label, challenge, issuerKeyId, signature } = receipt;
  const json = {
    version: VERSION,
    network,
    pool,
    txid,
    output_index: outputIndex,
    ock: encodeBase64Url(ock),
    label,
    ...(challenge.length > 0 && { challenge: encodeBase64Url(challenge) }),
    ...(issuerKeyId !== '' && { issuer_key_id: issuerKeyId }),
    ...(signature && {
      issuer_pubkey: bytesToHex(signature.publicKey),
      signature: bytesToHex(signature.bytes),
    }),
    zip311_profile: 'outputs-only',
  };
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify(json)));
}

/**
 * Reads the line, a link that has it after `#`, or the JSON. FormatError where it is none, is cut, or has a field that no such
 * receipt has. Unknown fields are ignored.
 */
export function parseReceipt(text: string): Receipt {
  if (text.length > MAX_RECEIPT_LENGTH) throw new FormatError('the receipt is too long');
  const fields = jsonObject(jsonText(text.trim()));
  if (fields['version'] !== VERSION) throw new FormatError(`the receipt is not of the version ${VERSION}`);
  const label = text8(fields, 'label');
  const [publicKey, bytes] = [hexField(fields, 'issuer_pubkey', 32), hexField(fields, 'signature', 64)];
  if ((publicKey === undefined) !== (bytes === undefined))
    throw new FormatError('the receipt has a signature without its key, or a key without signature');
  const txid = hexField(fields, 'txid', 32);
  const ock = decodeBase64Url(text8(fields, 'ock'), 'ock');
  if (txid === undefined || ock.length !== 32) throw new FormatError('the receipt has no txid, or no ock');
  const index = fields['output_index'];
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index > 0xffff_ffff)
    throw new FormatError('the receipt has no output_index');
  return {
    network: oneOf(fields, 'network', NETWORKS),
    pool: oneOf(fields, 'pool', POOLS),
    txid: asTxIdHex(bytesToHex(txid)),
    outputIndex: index,
    ock,
    label,
    challenge: decodeBase64Url(text8(fields, 'challenge'), 'challenge'),
    issuerKeyId: text8(fields, 'issuer_key_id'),
    ...(publicKey && bytes && { signature: { publicKey, bytes } }),
  };
}

/** JSON as it is; else what follows the first `#`, and without one, `/r/` or nothing before it. */
function jsonText(text: string): string {
  if (text.startsWith('{')) return text;
  const hash = text.indexOf('#');
  const fragment = hash < 0 ? '' : text.slice(hash + 1);
  const [before = ''] = text.split('#', 1);
  const payload = fragment !== '' ? fragment : (/^.*\/r\/([^?]*)/s.exec(before)?.[1] ?? before);
  if (payload === '') throw new FormatError('there is no receipt in it');
  return utf8(decodeBase64Url(payload, 'the receipt'));
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FormatError('the receipt is not text');
  }
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FormatError('the receipt is cut or changed: it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FormatError('the receipt is not a JSON object');
  return value as Record<string, unknown>;
}

/** Empty where it is absent or null. */
function text8(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name] ?? '';
  if (typeof value !== 'string' || /\p{Surrogate}/u.test(value))
    throw new FormatError(`${name} of the receipt is not text`);
  return value;
}

function hexField(
  fields: Readonly<Record<string, unknown>>,
  name: string,
  length: number,
): Uint8Array | undefined {
  const text = text8(fields, name);
  if (text === '') return undefined;
  if (text.length !== 2 * length || !/^[0-9a-fA-F]*$/.test(text))
    throw new FormatError(`${name} of the receipt is not ${length} bytes in hexadecimal`);
  return hexToBytes(text.toLowerCase());
}

function oneOf<T extends string>(
  fields: Readonly<Record<string, unknown>>,
  name: string,
  names: readonly T[],
): T {
  const found = names.find((one) => one === fields[name]);
  if (found === undefined) throw new FormatError(`the receipt has no ${name} that is known here`);
  return found;
}
