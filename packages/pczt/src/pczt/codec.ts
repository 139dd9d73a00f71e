// PCZTs as bytes, in both encodings. A PCZT that is read is written back byte for byte; one that breaks a rule of every
// reader (checkPczt.ts) is refused.
import { asciiBytes, concatBytes, equalBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { ACTION_POOLS, type ActionPool, perActionPool } from '@wallet-companion/zcash/pools';
import { checkPczt } from './checkPczt.ts';
import {
  ACTION_BUNDLE,
  type ActionBundle,
  type Encoding,
  GLOBAL,
  SAPLING_BUNDLE,
  type SaplingBundle,
  TRANSPARENT,
} from './layout.ts';
import {
  EMPTY_ACTIONS,
  EMPTY_SAPLING,
  EMPTY_TRANSPARENT,
  ENCODING_OF_VERSION,
  hasPlaceFor,
  isEmptyActions,
  isEmptySapling,
  isEmptyTransparent,
  isNoAnchor,
  NO_ANCHOR,
  noteVersionOf,
  type Pczt,
} from './pczt.ts';
import { inField, refuse } from './refusal.ts';
import { optional, type Wire } from './wire.ts';
import { WireReader } from './wireReader.ts';
import { WireWriter } from './wireWriter.ts';

const MAGIC = asciiBytes('PCZT');
const HEADER_LENGTH = 8;
/** 10 MiB of base64, the limit of other wallets. */
export const MAX_PCZT_LENGTH = (10 * 1024 * 1024 * 3) / 4;

export interface DecodedPczt {
  readonly encoding: Encoding;
  readonly pczt: Pczt;
}

/**
 * Reads a PCZT of encoding 1 or 2 (ZIP 374), 7.5 MiB at most, and checks that its fields fit each other. Byte fields
 * are copies. Throws `PcztRefusal`: `malformed`, or `unsupported` for another encoding or size.
 */
export function decodePczt(bytes: Uint8Array): DecodedPczt {
  if (bytes.length > MAX_PCZT_LENGTH)
    refuse('unsupported', '', `a PCZT has at most ${MAX_PCZT_LENGTH} bytes, this has ${bytes.length}`);
  if (bytes.length < HEADER_LENGTH || !equalBytes(bytes.subarray(0, 4), MAGIC))
    refuse('malformed', '', 'this is not a PCZT');
  const encoding = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  if (encoding !== 1 && encoding !== 2)
    refuse('unsupported', '', `encoding ${encoding} of PCZTs is not known here`);
  const reader = new WireReader(bytes, HEADER_LENGTH);
  const pczt = readBody(reader, encoding);
  reader.expectEnd();
  return { encoding, pczt };
}

/** What follows the header. */
export function readBody(reader: WireReader, encoding: Encoding): Pczt {
  const pczt = encoding === 1 ? readFirst(reader) : readSecond(reader);
  checkPczt(pczt);
  return pczt;
}

/**
 * Writes a PCZT after the same checks. Throws `PcztRefusal` where the encoding has no place for a field;
 * `oldestEncoding` says which one has.
 */
export function encodePczt(pczt: Pczt, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const writer = new WireWriter();
  writeBody(writer, pczt, encoding);
  return concatBytes(MAGIC, u32ToLeBytes(encoding), writer.finish());
}

export function writeBody(writer: WireWriter, pczt: Pczt, encoding: Encoding): void {
  checkPczt(pczt);
  if (encoding === 1) writeFirst(writer, pczt);
  else writeSecond(writer, pczt);
}

/** Encoding 1 where it can hold all fields: older signers read no other. */
export function oldestEncoding(pczt: Pczt): Encoding {
  const fits =
    ENCODING_OF_VERSION[pczt.global.txVersion] === 1 &&
    (pczt.sapling.anchor !== undefined || !hasSaplingItems(pczt.sapling)) &&
    ACTION_POOLS.every((pool) =>
      hasPlaceFor(1, pool) ? fitsFirst(pool, pczt[pool]) : isEmptyActions(pool, pczt[pool]),
    );
  return fits ? 1 : 2;
}

const hasSaplingItems = ({ spends, outputs }: SaplingBundle): boolean => spends.length + outputs.length > 0;

const fitsFirst = (pool: ActionPool, bundle: ActionBundle): boolean =>
  bundle.noteVersion === noteVersionOf(pool) &&
  (bundle.anchor !== undefined || bundle.actions.length === 0) &&
  bundle.actions.every(
    ({ cvNet, output }) =>
      cvNet !== undefined && output.cmx !== undefined && output.encCiphertext.kind === 'encrypted',
  );

/** Bundles without a place in the encoding must be empty. */
function poolsWithPlace(encoding: Encoding, pczt: Pczt): readonly ActionPool[] {
  return ACTION_POOLS.filter((pool) => {
    const isWritten = hasPlaceFor(encoding, pool);
    if (!isWritten && !isEmptyActions(pool, pczt[pool]))
      refuse('unsupported', pool, `encoding ${encoding} has no place for this bundle`);
    return isWritten;
  });
}

/** Unused bundles have 32 zero bytes in place of an anchor, which mean none. */
const withoutAnchor = <B extends { readonly anchor: Uint8Array | undefined }>(
  bundle: B,
  isUsed: boolean,
): B => (!isUsed && isNoAnchor(bundle.anchor) ? { ...bundle, anchor: undefined } : bundle);

const withAnchor = <B extends { readonly anchor: Uint8Array | undefined }>(bundle: B, isUsed: boolean): B =>
  !isUsed && bundle.anchor === undefined ? { ...bundle, anchor: NO_ANCHOR } : bundle;

function readFirst(reader: WireReader): Pczt {
  const global = inField('global', () => reader.read(GLOBAL));
  const transparent = inField('transparent', () => reader.read(TRANSPARENT));
  const sapling = inField('sapling', () => reader.read(SAPLING_BUNDLE[1]));
  return {
    global,
    transparent,
    sapling: withoutAnchor(sapling, hasSaplingItems(sapling)),
    ...perActionPool((pool) => {
      if (!hasPlaceFor(1, pool)) return EMPTY_ACTIONS[pool];
      const bundle = inField(pool, () => reader.read(ACTION_BUNDLE[1]));
      return withoutAnchor(bundle, bundle.actions.length > 0);
    }),
  };
}

function writeFirst(writer: WireWriter, pczt: Pczt): void {
  const { global, transparent, sapling } = pczt;
  if (ENCODING_OF_VERSION[global.txVersion] !== 1)
    refuse('unsupported', 'global.txVersion', 'encoding 1 holds version 5 alone');
  inField('global', () => writer.write(GLOBAL, global));
  inField('transparent', () => writer.write(TRANSPARENT, transparent));
  inField('sapling', () => writer.write(SAPLING_BUNDLE[1], withAnchor(sapling, hasSaplingItems(sapling))));
  for (const pool of poolsWithPlace(1, pczt)) {
    const bundle = pczt[pool];
    inField(pool, () => writer.write(ACTION_BUNDLE[1], withAnchor(bundle, bundle.actions.length > 0)));
  }
}

/** An empty bundle is left out; a present but empty one would be a second encoding of the same value. */
function readBundle<T>(reader: WireReader, name: string, wire: Wire<T>, isEmpty: (bundle: T) => boolean) {
  return inField(name, () => {
    const bundle = reader.read(optional(wire)) as T | undefined;
    if (bundle !== undefined && isEmpty(bundle)) refuse('malformed', '', 'an empty bundle must be left out');
    return bundle;
  });
}

function readSecond(reader: WireReader): Pczt {
  const global = inField('global', () => reader.read(GLOBAL));
  const transparent = readBundle(reader, 'transparent', TRANSPARENT, isEmptyTransparent);
  const sapling = readBundle(reader, 'sapling', SAPLING_BUNDLE[2], isEmptySapling);
  return {
    global,
    transparent: transparent ?? EMPTY_TRANSPARENT,
    sapling: sapling ?? EMPTY_SAPLING,
    ...perActionPool((pool) => {
      if (!hasPlaceFor(2, pool)) return EMPTY_ACTIONS[pool];
      const isEmpty = (bundle: ActionBundle): boolean => isEmptyActions(pool, bundle);
      return readBundle(reader, pool, ACTION_BUNDLE[2], isEmpty) ?? EMPTY_ACTIONS[pool];
    }),
  };
}

function writeSecond(writer: WireWriter, pczt: Pczt): void {
  const write = <T>(name: string, wire: Wire<T>, bundle: T, isEmpty: boolean): void =>
    inField(name, () => writer.write(optional(wire), isEmpty ? undefined : bundle));
  const { global, transparent, sapling } = pczt;
  inField('global', () => writer.write(GLOBAL, global));
  write('transparent', TRANSPARENT, transparent, isEmptyTransparent(transparent));
  write('sapling', SAPLING_BUNDLE[2], sapling, isEmptySapling(sapling));
  for (const pool of poolsWithPlace(2, pczt)) {
    write(pool, ACTION_BUNDLE[2], pczt[pool], isEmptyActions(pool, pczt[pool]));
  }
}
