// Orchard key components (protocol specification §4.2.3, ZIP 32): from a spending key to viewing keys per scope and to
// raw addresses. The Ironwood pool uses the same keys.
import { assertLength, concatBytes, FormatError, wipe } from '@wallet-companion/base/bytes';
import { decodeInteger32, encodeInteger32 } from '../curves/integers.ts';
import {
  encodePallas,
  PALLAS_BASE,
  PALLAS_SCALAR_ORDER,
  type PallasPoint,
  toPallasBase,
  toPallasScalar,
  tryDecodePallas,
} from '../curves/pallas.ts';
import { multiplyPallas } from '../curves/pallasMultiply.ts';
import { joinBits } from '../hashes/bitString.ts';
import { ORCHARD_SPEND_AUTH_BASE } from '../hashes/orchardBases.ts';
import { diversifyHashOrchard } from '../hashes/pallasHash.ts';
import { prfExpand, readPrfExpand } from '../hashes/prfExpand.ts';
import { COMMIT_IVK } from '../hashes/sinsemilla.ts';
import type { Scope } from '../network.ts';
import { createDiversifierCipher, DIVERSIFIER_LENGTH } from './diversifierCipher.ts';
import { type IncomingViewingKey, parseIncomingViewingKey } from './incomingViewingKey.ts';

const ORCHARD_FULL_VIEWING_KEY_LENGTH = 96;
const ORCHARD_ADDRESS_LENGTH = 43;

export interface OrchardFullViewingKey {
  /** x-coordinate of the spend validating key, whose y is even. */
  readonly ak: bigint;
  /** Base field element; serves both scopes. */
  readonly nk: bigint;
  /** Scalar of the external scope. */
  readonly rivk: bigint;
}

/** The keys of one scope of a full viewing key; each 32 bytes. */
export interface OrchardScopeKeys {
  readonly rivk: Uint8Array;
  /** An integer in [1, p), little-endian. */
  readonly ivk: Uint8Array;
  readonly dk: Uint8Array;
  readonly ovk: Uint8Array;
}

export interface OrchardSpendingParts {
  /** Spend authorising key, with the sign that makes ak's y even. */
  readonly ask: bigint;
  readonly fullViewingKey: OrchardFullViewingKey;
}

/** The keys of a 32-byte spending key. FormatError (probability negligible) when it is not valid. */
export function deriveOrchardKeys(sk: Uint8Array): OrchardSpendingParts {
  assertLength(sk, 32, 'Orchard spending key');
  const [ask, nk, rivk] = [6, 7, 8].map((domain) => {
    return readPrfExpand(domain === 7 ? toPallasBase : toPallasScalar, sk, Uint8Array.of(domain));
  }) as [bigint, bigint, bigint];
  const ak = ORCHARD_SPEND_AUTH_BASE.multiply(ask);
  if (ak === undefined) throw new FormatError('the Orchard spending key has no spend authority');
  const fullViewingKey = { ak: ak.x, nk, rivk };
  for (const scope of ['external', 'internal'] as const) orchardScopeKeys(fullViewingKey, scope);
  return { ask: (ak.y & 1n) === 0n ? ask : PALLAS_SCALAR_ORDER - ask, fullViewingKey };
}

/** ak, nk and rivk, little-endian. */
export function encodeOrchardFullViewingKey({ ak, nk, rivk }: OrchardFullViewingKey): Uint8Array {
  return concatBytes(encodeInteger32(ak), encodeInteger32(nk), encodeInteger32(rivk));
}

/** Checks all of §4.2.3: ak is a point with even y, nk and rivk are canonical, both scopes have an incoming key. */
export function parseOrchardFullViewingKey(bytes: Uint8Array): OrchardFullViewingKey {
  assertLength(bytes, ORCHARD_FULL_VIEWING_KEY_LENGTH, 'Orchard full viewing key');
  const ak = tryDecodePallas(bytes);
  if (ak === undefined || (ak.y & 1n) === 1n)
    throw new FormatError('Orchard viewing key: ak is not a valid key');
  const nk = decodeInteger32(bytes, 32);
  if (nk >= PALLAS_BASE.order) throw new FormatError('Orchard viewing key: nk is not canonical');
  const rivk = decodeInteger32(bytes, 64);
  if (rivk >= PALLAS_SCALAR_ORDER) throw new FormatError('Orchard viewing key: rivk is not canonical');
  const key = { ak: ak.x, nk, rivk };
  for (const scope of ['external', 'internal'] as const) orchardScopeKeys(key, scope);
  return key;
}

/** The parts of 96 bytes that are already checked. */
export function splitOrchardFullViewingKey(bytes: Uint8Array): OrchardFullViewingKey {
  assertLength(bytes, ORCHARD_FULL_VIEWING_KEY_LENGTH, 'Orchard full viewing key');
  return { ak: decodeInteger32(bytes), nk: decodeInteger32(bytes, 32), rivk: decodeInteger32(bytes, 64) };
}

/** The keys of one scope. FormatError when the incoming viewing key is 0 or ⊥. */
export function orchardScopeKeys(key: OrchardFullViewingKey, scope: Scope): OrchardScopeKeys {
  const ak = encodeInteger32(key.ak);
  const nk = encodeInteger32(key.nk);
  const externalRivk = encodeInteger32(key.rivk);
  const rivk =
    scope === 'external' ? key.rivk : toPallasScalar(prfExpand(externalRivk, Uint8Array.of(0x83), ak, nk));
  const message = joinBits([ak, 255], [nk, 255]);
  const ivk = COMMIT_IVK.shortCommit(message, rivk);
  // The message is too long for the heap that ends with the thread: it would be freed unwiped.
  wipe(message.bytes);
  if (ivk === undefined || ivk === 0n)
    throw new FormatError('Orchard viewing key has no incoming viewing key');
  const rivkBytes = encodeInteger32(rivk);
  const pair = prfExpand(rivkBytes, Uint8Array.of(0x82), ak, nk);
  return { rivk: rivkBytes, ivk: encodeInteger32(ivk), dk: pair.slice(0, 32), ovk: pair.slice(32) };
}

/** The diversifier key and an incoming viewing key in [1, p). */
export const parseOrchardIncomingViewingKey = (bytes: Uint8Array): IncomingViewingKey =>
  parseIncomingViewingKey(bytes, 'Orchard', PALLAS_BASE.order);

/** The raw address (diversifier and pk_d, 43 bytes) at an index below 2^88; every index has one. */
export function orchardAddressAt({ dk, ivk }: IncomingViewingKey, index: bigint): Uint8Array {
  const diversifier = createDiversifierCipher(dk).diversifierAt(index);
  const transmissionKey = multiplyPallas(diversifyHashOrchard(diversifier), decodeInteger32(ivk));
  if (transmissionKey === undefined)
    throw new RangeError('an incoming viewing key is not a multiple of the order');
  return concatBytes(diversifier, encodePallas(transmissionKey));
}

/** Undefined when pk_d is not the encoding of a point other than the identity. */
export function tryParseOrchardAddress(
  raw: Uint8Array,
): { diversifier: Uint8Array; transmissionKey: PallasPoint } | undefined {
  if (raw.length !== ORCHARD_ADDRESS_LENGTH) return undefined;
  const transmissionKey = tryDecodePallas(raw, DIVERSIFIER_LENGTH);
  return transmissionKey && { diversifier: raw.slice(0, DIVERSIFIER_LENGTH), transmissionKey };
}
