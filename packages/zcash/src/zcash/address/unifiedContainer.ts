// The container of unified addresses and viewing keys (ZIP 316, revisions 0 and 2): typed items, padded with the
// prefix, jumbled, in Bech32m. Only the container is checked here; the reader of an item checks its contents.
import {
  asciiBytes,
  ByteReader,
  concatBytes,
  encodeCompactSize,
  equalBytes,
  FormatError,
  wipe,
} from '@wallet-companion/base/bytes';
import { f4jumble, f4jumbleInverse } from '../hashes/f4jumble.ts';
import { type Network, networkParameters } from '../network.ts';
import { decodeBech32, encodeBech32, prefixOf } from './bech32.ts';

export type UnifiedKind = 'address' | 'fullViewingKey' | 'incomingViewingKey';

export interface UnifiedItem {
  readonly typecode: number;
  readonly value: Uint8Array;
}

export interface UnifiedContainer {
  readonly kind: UnifiedKind;
  readonly revision: 0 | 2;
  readonly network: Network;
  /** In ascending order of their typecodes, unknown ones included. */
  readonly items: readonly UnifiedItem[];
}

export const TYPECODE = {
  p2pkh: 0x00,
  p2sh: 0x01,
  sapling: 0x02,
  orchard: 0x03,
  expiryHeight: 0xe0,
  expiryTime: 0xe1,
} as const;

/** Metadata typecodes; from MUST_UNDERSTAND on, a reader must refuse a container with an unknown one. */
const METADATA_FIRST = 0xc0;
const MUST_UNDERSTAND_FIRST = 0xe0;
const METADATA_LAST = 0xfc;

const PADDING_LENGTH = 16;

const ITEM_LENGTHS: Readonly<Record<UnifiedKind, Readonly<Partial<Record<number, number>>>>> = {
  address: { [TYPECODE.p2pkh]: 20, [TYPECODE.p2sh]: 20, [TYPECODE.sapling]: 43, [TYPECODE.orchard]: 43 },
  // P2SH items of viewing keys are wallet policies (revision 2) or unknown (revision 0): any length.
  fullViewingKey: { [TYPECODE.p2pkh]: 65, [TYPECODE.sapling]: 128, [TYPECODE.orchard]: 96 },
  incomingViewingKey: { [TYPECODE.p2pkh]: 65, [TYPECODE.sapling]: 64, [TYPECODE.orchard]: 64 },
};
const METADATA_LENGTHS: Readonly<Partial<Record<number, number>>> = {
  [TYPECODE.expiryHeight]: 4,
  [TYPECODE.expiryTime]: 8,
};

interface Prefix {
  readonly kind: UnifiedKind;
  readonly revision: 0 | 2;
  readonly network: Network;
  readonly isTransparentAllowed: boolean;
}

const PREFIXES: ReadonlyMap<string, Prefix> = new Map(
  (['main', 'test', 'regtest'] as const).flatMap((network): [string, Prefix][] => {
    const { hrp } = networkParameters(network);
    const prefix = (kind: UnifiedKind, revision: 0 | 2, isTransparentAllowed = true): Prefix => ({
      kind,
      revision,
      network,
      isTransparentAllowed,
    });
    return [
      [hrp.unifiedAddress, prefix('address', 0)],
      [hrp.shieldedOnlyAddress, prefix('address', 2, false)],
      [hrp.transparentCapableAddress, prefix('address', 2)],
      [hrp.unifiedFullViewingKey, prefix('fullViewingKey', 0)],
      [hrp.unifiedFullViewingKeyR2, prefix('fullViewingKey', 2)],
      [hrp.unifiedIncomingViewingKey, prefix('incomingViewingKey', 0)],
      [hrp.unifiedIncomingViewingKeyR2, prefix('incomingViewingKey', 2)],
    ];
  }),
);

/** Whether the text begins like a unified encoding, so that an error about its remainder is helpful. */
export function hasUnifiedPrefix(text: string): boolean {
  return PREFIXES.has(prefixOf(text));
}

/** Decodes and checks the container. FormatError names the broken rule. */
export function parseUnifiedContainer(text: string): UnifiedContainer {
  const { hrp, bytes } = decodeBech32('bech32m', text);
  const prefix = PREFIXES.get(hrp);
  if (prefix === undefined) throw new FormatError('not a unified address or viewing key');
  const padded = f4jumbleInverse(bytes);
  const items: UnifiedItem[] = [];
  try {
    readItems(padded, hrp, items);
    checkItems(items, prefix);
  } catch (error) {
    wipe(...items.map(({ value }) => value));
    throw error;
  } finally {
    wipe(bytes, padded);
  }
  const { kind, revision, network } = prefix;
  return { kind, revision, network, items };
}

function readItems(padded: Uint8Array, hrp: string, items: UnifiedItem[]): void {
  const end = padded.length - PADDING_LENGTH;
  if (!equalBytes(padded.subarray(end), paddingOf(hrp)))
    throw new FormatError('unified encoding: wrong padding');
  const reader = new ByteReader(padded, 0, end);
  while (reader.remaining > 0) {
    items.push({ typecode: reader.compactSize(), value: reader.take(reader.compactSize()).slice() });
  }
}

/** `hrp` must be one of the known prefixes and the items must obey its rules; the items are sorted. */
export function encodeUnifiedContainer(hrp: string, items: readonly UnifiedItem[]): string {
  const prefix = PREFIXES.get(hrp);
  if (prefix === undefined) throw new FormatError('not a prefix of unified encodings');
  const ordered = [...items].sort((a, b) => a.typecode - b.typecode);
  checkItems(ordered, prefix);
  const parts = ordered.flatMap(({ typecode, value }) => [
    encodeCompactSize(typecode),
    encodeCompactSize(value.length),
    value,
  ]);
  const message = concatBytes(...parts, paddingOf(hrp));
  const jumbled = f4jumble(message);
  try {
    return encodeBech32('bech32m', hrp, jumbled);
  } finally {
    wipe(message, jumbled);
  }
}

function paddingOf(hrp: string): Uint8Array {
  const padding = new Uint8Array(PADDING_LENGTH);
  padding.set(asciiBytes(hrp));
  return padding;
}

const isMetadata = (typecode: number): boolean => typecode >= METADATA_FIRST && typecode <= METADATA_LAST;

function checkItems(items: readonly UnifiedItem[], { kind, revision, isTransparentAllowed }: Prefix): void {
  const isTransparent = (typecode: number): boolean =>
    typecode === TYPECODE.p2pkh || (typecode === TYPECODE.p2sh && (kind === 'address' || revision === 2));
  let previous = -1;
  for (const { typecode, value } of items) {
    if (typecode <= previous) throw new FormatError('unified encoding: items are out of order or repeated');
    previous = typecode;
    if (isMetadata(typecode)) checkMetadata(typecode, value, revision);
    const length = ITEM_LENGTHS[kind][typecode];
    if (length !== undefined && value.length !== length) {
      throw new FormatError(
        `unified encoding: item ${typecode} must be ${length} bytes, got ${value.length}`,
      );
    }
  }
  const data = items.filter(({ typecode }) => !isMetadata(typecode));
  if (data.length === 0) throw new FormatError('unified encoding: no receiver or key in it');
  const transparent = data.filter(({ typecode }) => isTransparent(typecode));
  if (transparent.length > 1) throw new FormatError('unified encoding: both kinds of transparent items');
  if (revision === 0 && transparent.length === data.length) {
    throw new FormatError('unified encoding: no shielded item in it');
  }
  if (transparent.length > 0 && !isTransparentAllowed) {
    throw new FormatError('unified encoding: a transparent receiver in a shielded-only address');
  }
}

function checkMetadata(typecode: number, value: Uint8Array, revision: 0 | 2): void {
  if (typecode < MUST_UNDERSTAND_FIRST) return;
  const length = METADATA_LENGTHS[typecode];
  if (revision === 0 || length === undefined) {
    throw new FormatError(`unified encoding: item ${typecode} must be understood, and is not`);
  }
  if (value.length !== length)
    throw new FormatError(`unified encoding: item ${typecode} must be ${length} bytes`);
}
