// What the types of Zcash's signing devices contain (the device maker's registry, ur-registry 1.0.9): maps with whole
// numbers as keys. Keys that nobody knows yet are passed over, as devices do.

import { CBORTag, type CBORType, encodeCBOR } from '@levischuck/tiny-cbor';
import { UrError } from './bytewords.ts';
import { readCbor } from './part.ts';
import type { Ur } from './reader.ts';

export interface DeviceAccount {
  readonly ufvk: string;
  /** ZIP 32's account. */
  readonly index: number;
  /** As read: without characters that show nothing or turn text around, and of at most 256. */
  readonly name: string | null;
}

export interface DeviceAccounts {
  /** ZIP 32, 32 bytes. */
  readonly seedFingerprint: Uint8Array;
  readonly accounts: readonly DeviceAccount[];
  readonly deviceVersion: string | null;
}

export interface SignBatch {
  /** "PCZB" and what follows. */
  readonly data: Uint8Array;
  /** Comes back with the answer. */
  readonly requestId: Uint8Array;
}

export interface BatchResult extends SignBatch {
  /** Three numbers, as they are inside the device: it shows itself ten majors higher. `data` is "PCZS" and what follows. */
  readonly firmwareVersion: Uint8Array;
}

const UFVK_TAG = 49203;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;
const MAX_NAME = 256;
const FINGERPRINT_BYTES = 32;
const VERSION_BYTES = 3;
const MAX_INDEX = 0x7fffffff;

export const pcztUr = (pczt: Uint8Array): Ur => ur('zcash-pczt', [pczt]);
export const pcztOf = (given: Ur): Uint8Array => fieldsOf(given, 'zcash-pczt').bytes(1);

export const accountsUr = ({ seedFingerprint, accounts, deviceVersion }: DeviceAccounts): Ur =>
  ur('zcash-accounts', [
    seedFingerprint,
    accounts.map(({ ufvk, index, name }) => new CBORTag(UFVK_TAG, mapOf([ufvk, index, name]))),
    deviceVersion,
  ]);

export function accountsOf(given: Ur): DeviceAccounts {
  const fields = fieldsOf(given, 'zcash-accounts');
  return {
    seedFingerprint: fields.bytes(1, FINGERPRINT_BYTES),
    accounts: fields.list(2).map((item) => {
      const account = new Fields(
        given.type,
        item instanceof CBORTag && item.tag === UFVK_TAG ? item.value : undefined,
      );
      const name = nameIn(account.text(3) ?? '');
      return { ufvk: account.text(1) ?? account.fail(), index: account.index(2), name };
    }),
    deviceVersion: fields.text(3),
  };
}

function nameIn(text: string): string | null {
  const shown = [...text.normalize('NFC').replaceAll(UNSEEN, '').trim()].slice(0, MAX_NAME).join('').trim();
  return shown === '' ? null : shown;
}

export const signBatchUr = ({ data, requestId }: SignBatch): Ur => ur('zcash-sign-batch', [data, requestId]);

export function signBatchOf(given: Ur): SignBatch {
  const fields = fieldsOf(given, 'zcash-sign-batch');
  return { data: fields.bytes(1), requestId: fields.bytes(2) };
}

export const batchResultUr = ({ data, requestId, firmwareVersion }: BatchResult): Ur =>
  ur('zcash-batch-sig-result', [data, requestId, firmwareVersion]);

export function batchResultOf(given: Ur): BatchResult {
  const fields = fieldsOf(given, 'zcash-batch-sig-result');
  return {
    data: fields.bytes(1),
    requestId: fields.bytes(2),
    firmwareVersion: fields.bytes(3, VERSION_BYTES),
  };
}

/** Keys count from 1; what is null is left out. */
const mapOf = (values: readonly (CBORType | null)[]): Map<number, CBORType> =>
  new Map(values.flatMap((value, at) => (value === null ? [] : [[at + 1, value] as const])));

const ur = (type: string, values: readonly (CBORType | null)[]): Ur => ({
  type,
  cbor: encodeCBOR(mapOf(values)),
});

function fieldsOf(given: Ur, type: string): Fields {
  if (given.type !== type) throw new UrError(`the codes have ${given.type} and not ${type}`);
  return new Fields(type, readCbor(given.cbor));
}

/** The fields of a map, each of the kind that is asked for. */
class Fields {
  readonly #type: string;
  readonly #map: ReadonlyMap<unknown, unknown>;

  constructor(type: string, map: unknown) {
    this.#type = type;
    this.#map = map instanceof Map ? map : this.fail();
  }

  bytes(key: number, length?: number): Uint8Array {
    const value = this.#map.get(key);
    return value instanceof Uint8Array && value.length === (length ?? value.length) ? value : this.fail();
  }

  /** Null where there is none. */
  text(key: number): string | null {
    const value = this.#map.get(key) ?? null;
    return value === null || typeof value === 'string' ? value : this.fail();
  }

  index(key: number): number {
    const value = this.#map.get(key);
    const isIndex = Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_INDEX;
    return isIndex ? (value as number) : this.fail();
  }

  list(key: number): readonly unknown[] {
    const value = this.#map.get(key);
    return Array.isArray(value) ? value : this.fail();
  }

  fail(): never {
    throw new UrError(`the codes have no ${this.#type} as devices write it`);
  }
}
