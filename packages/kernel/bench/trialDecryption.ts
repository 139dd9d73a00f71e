// What the reference decryptor takes per output and viewing key, against one scalar multiplication of @noble/curves on
// the same curve in the same run: a miss should cost at most one, a hit at most five.
//
// Every row has its own ephemeral key, recipient and note, because a repeated one would profit from warm branches and
// equal digits. The answer is checked before anything is timed, and the contenders take turns, so that a busy machine
// slows them all. Times are processor time, best of the rounds.
import { jubjub } from '@noble/curves/misc.js';
import { concatBytes, leBytesToBigint, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { blake2b, JUBJUB_ORDER, PALLAS_SCALAR_ORDER } from '@wallet-companion/zcash/curves';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { encryptNote, IRONWOOD, type NoteScheme, ORCHARD, SAPLING } from '@wallet-companion/zcash/notes';
import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { type OutputColumns, ReferenceDecryptor } from '@wallet-companion/zcash/scan';
import { NoblePallas } from '@wallet-companion/zcash/test/nobleCurves';
import { columnsOf } from './scanInput.ts';
import { tableOf } from './table.ts';

const ROWS = 128;
const ROUNDS = 5;

let counter = 0;
const bytes = (length: number): Uint8Array =>
  blake2b('benchmark inputs', 64, u32ToLeBytes(counter++)).subarray(0, length);
/** A scalar or field element that is in range everywhere. */
const small = (): Uint8Array => concatBytes(bytes(31), Uint8Array.of(0));

function makeKey(protocol: IncomingKey['protocol']): IncomingKey {
  return { protocol, account: 0, scope: 'external', ivk: small(), dk: bytes(32), nk: small() };
}

/** Outputs that are all for `key`. */
function makeColumns<Point, Scalar>(scheme: NoteScheme<Point, Scalar>, key: IncomingKey): OutputColumns {
  const ivk = scheme.prepareScalar(leBytesToBigint(key.ivk));
  const leadByte = scheme.pool === 'ironwood' ? 3 : 2;
  const rows = Array.from({ length: ROWS }, (_, position) => {
    let diversifier = bytes(11);
    let gd = scheme.diversifyHash(diversifier);
    while (gd === undefined) {
      diversifier = bytes(11);
      gd = scheme.diversifyHash(diversifier);
    }
    const recipient = concatBytes(diversifier, scheme.encode(scheme.multiply(gd, [ivk])[0]!));
    const rho = scheme.pool === 'sapling' ? new Uint8Array(0) : small();
    const note = encryptNote(
      scheme,
      {
        leadByte,
        value: BigInt(position),
        rseed: bytes(32),
        recipient,
        memo: new Uint8Array(512),
        rho,
        cv: bytes(32),
        ovk: null,
      },
      bytes,
    );
    const { ephemeralKey, commitment, encCiphertext } = note;
    return { ephemeralKey, commitment, rho, compactCiphertext: encCiphertext.subarray(0, 52) };
  });
  return columnsOf(scheme.pool, rows, 1 << (leadByte - 1));
}

const columnsFor = (pool: Pool, key: IncomingKey): OutputColumns =>
  pool === 'sapling' ? makeColumns(SAPLING, key) : makeColumns(pool === 'orchard' ? ORCHARD : IRONWOOD, key);

/** Distinct points and full-size scalars for the yardstick. */
function makeProducts(pool: Pool): () => unknown {
  const scalars = Array.from({ length: ROWS }, () => leBytesToBigint(bytes(64)));
  if (pool === 'sapling') {
    const points = scalars.map((scalar) => jubjub.Point.BASE.multiplyUnsafe((scalar >> 9n) % JUBJUB_ORDER));
    return () => points.map((point, i) => point.multiplyUnsafe(scalars[i]! % JUBJUB_ORDER));
  }
  const points = scalars.map((scalar) =>
    NoblePallas.BASE.multiplyUnsafe((scalar >> 9n) % PALLAS_SCALAR_ORDER),
  );
  return () => points.map((point, i) => point.multiplyUnsafe(scalars[i]! % PALLAS_SCALAR_ORDER));
}

/** Microseconds of processor time per row. */
function time(task: () => unknown): number {
  const start = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / ROWS;
}

function measure(pool: Pool): Record<string, string | number> {
  const protocol = pool === 'sapling' ? 'sapling' : 'orchard';
  const mine = makeKey(protocol);
  const other = makeKey(protocol);
  const another = makeKey(protocol);
  const columns = columnsFor(pool, mine);
  const decryptor = new ReferenceDecryptor();
  const found = decryptor.decrypt(columns, [other, mine]);
  const isRight =
    found.length === ROWS &&
    found.every(
      ({ row, keyIndex, plaintext }, i) =>
        row === i && keyIndex === 1 && leBytesToBigint(plaintext.subarray(12, 20)) === BigInt(i),
    );
  if (!isRight) throw new Error(`the reference decryptor does not find the ${pool} notes`);

  const products = makeProducts(pool);
  const best = { product: Infinity, miss: Infinity, twoKeys: Infinity, hit: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    best.product = Math.min(best.product, time(products));
    best.miss = Math.min(
      best.miss,
      time(() => decryptor.decrypt(columns, [other])),
    );
    best.twoKeys = Math.min(
      best.twoKeys,
      time(() => decryptor.decrypt(columns, [other, another])),
    );
    best.hit = Math.min(
      best.hit,
      time(() => decryptor.decrypt(columns, [mine])),
    );
  }
  return {
    pool,
    'noble multiplyUnsafe µs': Math.round(best.product),
    'miss µs': Math.round(best.miss),
    'miss of two keys µs': Math.round(best.twoKeys),
    'hit µs': Math.round(best.hit),
    'miss ratio (goal 1)': (best.miss / best.product).toFixed(2),
    'hit ratio (goal 5)': (best.hit / best.product).toFixed(2),
  };
}

/** Prints one line per pool. */
export async function run(): Promise<void> {
  console.log(`Reference trial decryption, ${ROWS} distinct outputs, best of ${ROUNDS} rounds`);
  console.log(tableOf(POOLS.map(measure)));
}
