// Transactions of versions 1 to 6: protocol specification §7.1, ZIP 225 (v5), ZIP 229 (v6). Everything is a view on the
// given bytes: no field is copied, and memory for a count is allocated only after its bytes are known to be there.

import { ByteReader, FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { isTxVersion, type TxVersion } from '../network.ts';
import { ACTION_POOLS, type ActionPool, POOL, perActionPool } from '../pools.ts';
import { EMPTY_ORCHARD, type OrchardBundle, readOrchardBundle } from './orchardBundle.ts';
import { NO_RECORDS, type Records, takeRecords } from './records.ts';
import {
  emptySapling,
  readV4BindingSig,
  readV4Sapling,
  readV5Sapling,
  type SaplingBundle,
} from './saplingBundle.ts';
import { readTransparentBundle, type TransparentBundle } from './transparentBundle.ts';

/** nVersionGroupId of the overwintered versions. */
export const VERSION_GROUP_ID: Readonly<Record<3 | TxVersion, number>> = {
  3: 0x03c4_8270,
  4: 0x892f_2085,
  5: 0x26a7_270a,
  6: 0xd884_b698,
};

const NO_ACTIONS = perActionPool(() => EMPTY_ORCHARD);

const OVERWINTERED_BIT = 0x8000_0000;

export interface Transaction extends Readonly<Record<ActionPool, OrchardBundle>> {
  /** The whole transaction as serialized. */
  readonly bytes: Uint8Array;
  /** The version in the header. Before Overwinter any number from 1 up; from 2 up there are JoinSplits. */
  readonly version: number;
  /** 0 before Overwinter. */
  readonly versionGroupId: number;
  /**
   * v5, v6: the upgrade it was built for (any value, since future upgrades need no new format). Otherwise undefined.
   */
  readonly consensusBranchId: number | undefined;
  readonly lockTime: number;
  /** 0 where the version has none. */
  readonly expiryHeight: Height;
  readonly transparent: TransparentBundle;
  readonly sprout: SproutBundle;
  readonly sapling: SaplingBundle;
}

export function hasShieldedParts(transaction: Transaction): boolean {
  const { spends, outputs } = transaction.sapling;
  if (spends.count + outputs.count > 0) return true;
  for (const pool of ACTION_POOLS) if (transaction[pool].actions.count > 0) return true;
  return false;
}

type Body = Omit<Transaction, 'bytes' | 'version' | 'versionGroupId'>;

/** Reads one transaction; more may follow in the reader. FormatError when it is malformed. */
export function readTransaction(reader: ByteReader): Transaction {
  const start = reader.offset;
  const header = reader.u32();
  const overwintered = header >= OVERWINTERED_BIT;
  const version = overwintered ? header - OVERWINTERED_BIT : header;
  const versionGroupId = overwintered ? reader.u32() : 0;
  const body = overwintered
    ? readOverwintered(reader, version, versionGroupId)
    : readPreOverwinter(reader, version);
  return { bytes: reader.bytes.subarray(start, reader.offset), version, versionGroupId, ...body };
}

/**
 * Reads exactly one transaction of any version (protocol specification §7.1), with no bytes after it. Its fields are
 * views. Throws `FormatError`.
 */
export function parseTransaction(bytes: Uint8Array): Transaction {
  const reader = new ByteReader(bytes);
  const transaction = readTransaction(reader);
  reader.expectEnd();
  return transaction;
}

function readPreOverwinter(reader: ByteReader, version: number): Body {
  if (version < 1 || version > 0x7fff_ffff) throw new FormatError(`transaction version ${version}`);
  const transparent = readTransparentBundle(reader);
  const lockTime = reader.u32();
  const sprout = version >= 2 ? readSproutBundle(reader, 2) : EMPTY_SPROUT;
  return legacyBody(transparent, lockTime, 0, sprout, emptySapling(version));
}

function readOverwintered(reader: ByteReader, version: number, versionGroupId: number): Body {
  if (version !== 3 && !isTxVersion(version))
    throw new FormatError(`transaction version ${version} is not known`);
  if (versionGroupId !== VERSION_GROUP_ID[version]) {
    throw new FormatError(
      `version group id ${versionGroupId.toString(16)} does not belong to version ${version}`,
    );
  }
  return READ_BODY[version](reader, version);
}

function readV3(reader: ByteReader): Body {
  const transparent = readTransparentBundle(reader);
  const [lockTime, expiryHeight] = [reader.u32(), reader.u32()];
  return legacyBody(transparent, lockTime, expiryHeight, readSproutBundle(reader, 3), emptySapling(3));
}

function readV4(reader: ByteReader): Body {
  const transparent = readTransparentBundle(reader);
  const [lockTime, expiryHeight] = [reader.u32(), reader.u32()];
  const sapling = readV4Sapling(reader);
  const sprout = readSproutBundle(reader, 4);
  const bindingSig = readV4BindingSig(reader, sapling);
  return legacyBody(transparent, lockTime, expiryHeight, sprout, { ...sapling, bindingSig });
}

function legacyBody(
  transparent: TransparentBundle,
  lockTime: number,
  expiryHeight: Height,
  sprout: SproutBundle,
  sapling: SaplingBundle,
): Body {
  return {
    consensusBranchId: undefined,
    lockTime,
    expiryHeight,
    transparent,
    sprout,
    sapling,
    ...NO_ACTIONS,
  };
}

function readV5(reader: ByteReader, version: number): Body {
  const body: Omit<Body, ActionPool> & Record<ActionPool, OrchardBundle> = {
    consensusBranchId: reader.u32(),
    lockTime: reader.u32(),
    expiryHeight: reader.u32(),
    transparent: readTransparentBundle(reader),
    sprout: EMPTY_SPROUT,
    sapling: readV5Sapling(reader, version),
    ...NO_ACTIONS,
  };
  for (const pool of ACTION_POOLS) {
    const { transactionVersion, actionFlags } = POOL[pool];
    if (version >= transactionVersion) body[pool] = readOrchardBundle(reader, actionFlags);
  }
  return body;
}

const READ_BODY: Readonly<Record<3 | TxVersion, (reader: ByteReader, version: number) => Body>> = {
  3: readV3,
  4: readV4,
  5: readV5,
  6: readV5,
};

// JoinSplits (Sprout pool). The companion has no Sprout keys: they are skipped, and kept only to compute txids.

/** JoinSplit descriptions: with a PHGR13 proof up to version 3, with a Groth16 proof in version 4. */
const PHGR13_JOINSPLIT_SIZE = 1802;
const GROTH16_JOINSPLIT_SIZE = 1698;

interface SproutBundle {
  readonly joinSplits: Records;
  /** 32 and 64 bytes; empty without JoinSplits. */
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const EMPTY_SPROUT: SproutBundle = { joinSplits: NO_RECORDS, publicKey: NOTHING, signature: NOTHING };

function readSproutBundle(reader: ByteReader, version: number): SproutBundle {
  const size = version >= 4 ? GROTH16_JOINSPLIT_SIZE : PHGR13_JOINSPLIT_SIZE;
  const count = reader.count(size);
  if (count === 0) return EMPTY_SPROUT;
  return {
    joinSplits: takeRecords(reader, count, size),
    publicKey: reader.take(32),
    signature: reader.take(64),
  };
}
