// The kernel finds what the reference finds, whatever the rows hold.

import { bigintToLeBytes, equalBytes, leBytesToBigint } from '@wallet-companion/base/bytes';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { MAX_MONEY } from '@wallet-companion/zcash/network';
import { isLeadByteAllowed, openCompact } from '@wallet-companion/zcash/notes';
import { POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { DecryptedOutput, OutputColumns } from '@wallet-companion/zcash/scan';
import { ReferenceDecryptor } from '@wallet-companion/zcash/scan';
import { SCHEMES, seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { createDecryptor } from '../src/kernel/kernelDecryptor.ts';
import { JUBJUB_ORDER, PALLAS_ORDER } from '../src/kernel/plan/curveConstants.ts';
import { columnsOf, incomingKey, noteRow, otherRow, type Row } from './support/columns.ts';
import { KERNELS } from './support/kernels.ts';

const VARIANTS = ['watched', 'wide', 'fma', 'portable'] as const;
const kernels = {
  watched: KERNELS.watched().then(createDecryptor),
  wide: KERNELS.wide().then(createDecryptor),
  fma: KERNELS.fma().then(createDecryptor),
  portable: KERNELS.portable().then(createDecryptor),
};
const reference = new ReferenceDecryptor();

/** Where hits were found, as "row/key". */
const places = (found: readonly { row: number; keyIndex: number }[]) =>
  found.map(({ row, keyIndex }) => `${row}/${keyIndex}`);

async function equalsReference(
  t: { deepEqual(actual: unknown, expected: unknown, message?: string): void },
  columns: OutputColumns,
  keys: readonly IncomingKey[],
): Promise<number> {
  const expected = reference.decrypt(columns, keys);
  for (const variant of VARIANTS) {
    const kernel = await kernels[variant];
    t.deepEqual(kernel.decrypt(columns, keys), expected, variant);
    for (const key of keys) {
      const missing = kernel.encryptionKeys(columns, key).flatMap((found, row) => {
        const [right] = reference.encryptionKeysOf(columns, row, key).filter((k) => fits(columns, row, k));
        const isThere = right === undefined || found.some((one) => equalBytes(one, right));
        return isThere && found.length <= 2 ? [] : [row];
      });
      t.deepEqual(missing, [], `${variant}: encryption keys`);
    }
  }
  return expected.length;
}

/** Whether the lead byte under this K_enc is one that the row may have. */
const fits = ({ ciphertexts, leadBytes }: OutputColumns, row: number, encryptionKey: Uint8Array): boolean =>
  isLeadByteAllowed(
    leadBytes[row]!,
    openCompact(encryptionKey, ciphertexts.subarray(row * 52, row * 52 + 52))[0]!,
  );

test('pools of one protocol are searched together, and each gets its own', async (t) => {
  const random = seededBytes(11);
  const keys = [
    incomingKey('orchard', random),
    incomingKey('sapling', random),
    incomingKey('orchard', random),
  ];
  const foreign = (pool: Pool, count: number): Row[] => {
    const some = Array.from({ length: 8 }, () => otherRow(pool, random));
    return Array.from({ length: count }, (_, i) => ({ ...some[i % 8]!, ciphertext: random(52) }));
  };
  const notesOf = (pool: Pool) =>
    keys.flatMap((key) => (key.protocol === POOL[pool].protocol ? [noteRow(pool, key, random)] : []));
  const rowsOf = (pool: Pool, count: number): Row[] => {
    const rows = foreign(pool, count);
    // First, last, and where a batch ends.
    const places = [0, Math.min(512, count - 1), count - 1];
    for (const [i, note] of notesOf(pool).entries()) if (count > 0) rows[places[i]!] = note;
    return rows;
  };
  for (const [sapling, orchard, ironwood] of [
    [70, 100, 1_100],
    [0, 0, 3],
    [2, 1_024, 0],
    [1, 40, 40],
    [0, 0, 0],
  ] as const) {
    const all = [
      columnsOf('sapling', rowsOf('sapling', sapling)),
      columnsOf('orchard', rowsOf('orchard', orchard)),
      columnsOf('ironwood', rowsOf('ironwood', ironwood)),
    ];
    const alone = await kernels.portable;
    const expected = all.map((columns) => alone.decrypt(columns, keys));
    if (ironwood + orchard < 100) t.deepEqual(expected, reference.decryptAll(all, keys));
    const notes = all.reduce(
      (sum, { pool, count }) => sum + (count === 0 ? 0 : pool === 'sapling' ? 1 : 2),
      0,
    );
    t.is(expected.flat().length, notes);
    for (const variant of VARIANTS)
      t.deepEqual(
        (await kernels[variant]).decryptAll(all, keys),
        expected,
        `${variant}: ${sapling}, ${orchard}, ${ironwood}`,
      );
  }
});

for (const pool of POOLS) {
  test(`${pool}: notes of several keys among other outputs`, async (t) => {
    const random = seededBytes(1);
    const keys = Array.from({ length: 3 }, (_, account) => incomingKey(pool, random, undefined, account));
    const { nk: _, ...withoutNullifierKey } = keys[2]!;
    const other = incomingKey(pool === 'sapling' ? 'orchard' : 'sapling', random);
    const rows: Row[] = [];
    for (let i = 0; i < 10; i++) {
      rows.push(otherRow(pool, random));
      if (i % 3 === 0) rows.push(noteRow(pool, keys[i % 2]!, random));
      if (i % 5 === 0) rows.push(noteRow(pool, keys[2]!, random));
    }
    const found = await equalsReference(t, columnsOf(pool, rows), [
      keys[0]!,
      other,
      keys[1]!,
      withoutNullifierKey,
    ]);
    t.is(found, 6);
  });

  test(`${pool}: every row is a note, in batches of 1 to 9 rows`, async (t) => {
    const random = seededBytes(2);
    const key = incomingKey(pool, random);
    const rows = Array.from({ length: 9 }, () => noteRow(pool, key, random));
    const expected = reference.decrypt(columnsOf(pool, rows), [key]);
    t.is(expected.length, 9);
    for (let count = 1; count <= 9; count++) {
      for (const variant of VARIANTS) {
        const found = (await kernels[variant]).decrypt(columnsOf(pool, rows.slice(0, count)), [key]);
        t.deepEqual(found, expected.slice(0, count), `${variant}, ${count}`);
      }
    }
    t.deepEqual((await kernels.fma).decrypt(columnsOf(pool, []), [key]), []);
    t.deepEqual((await kernels.fma).decrypt(columnsOf(pool, rows), []), []);
  });

  test(`${pool}: a note is found at every lane of a large batch`, async (t) => {
    const random = seededBytes(3);
    const key = incomingKey(pool, random);
    const notes = Array.from({ length: 8 }, () => noteRow(pool, key, random));
    const foreign = Array.from({ length: 16 }, () => otherRow(pool, random));
    // 2,051 rows: three batches, none a multiple of four; a note every 29 rows meets every position in a block.
    const rows = Array.from({ length: 2051 }, (_, i) =>
      i % 29 === 0 ? notes[(i / 29) % 8]! : { ...foreign[i % 16]!, ciphertext: random(52) },
    );
    const expected = rows.flatMap((_, i) => (i % 29 === 0 ? [`${i}/0`] : []));
    for (const variant of ['watched', 'fma'] as const)
      t.deepEqual(places((await kernels[variant]).decrypt(columnsOf(pool, rows), [key])), expected, variant);
  });

  test(`${pool}: notes that fail one check are not found`, async (t) => {
    const random = seededBytes(4);
    const key = incomingKey(pool, random);
    const good = noteRow(pool, key, random);
    const changed = (bytes: Uint8Array, at: number) =>
      Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 1 : byte));
    const rows: Row[] = [
      good,
      noteRow(pool, key, random, { value: MAX_MONEY }),
      noteRow(pool, key, random, { value: MAX_MONEY + 1n }),
      noteRow(pool, key, random, { value: 0n }),
      { ...good, commitment: changed(good.commitment, 0) },
      { ...good, leadBytes: 0 },
      ...Array.from({ length: 52 }, (_, at) => ({
        ...good,
        ciphertext: changed(good.ciphertext, at),
      })).filter((_, at) => at % 9 === 0),
      { ...good, ephemeralKey: changed(good.ephemeralKey, 31) },
    ];
    if (pool !== 'sapling')
      rows.push({ ...good, rho: changed(good.rho, 0) }, { ...good, rho: new Uint8Array(32).fill(255) });
    t.is(await equalsReference(t, columnsOf(pool, rows), [key]), 3);
  });

  test(`${pool}: ephemeral keys that are none leave the other rows alone`, async (t) => {
    const random = seededBytes(5);
    const key = incomingKey(pool, random);
    const modulus =
      pool === 'sapling'
        ? 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
        : 0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n;
    const v8 = 0x2a94e9a11036e51a1c98a7d25c54659ec2b6b5720c79b75d00f2df96100b6924n;
    const coordinates = [
      0n,
      1n,
      2n,
      modulus - 1n,
      modulus,
      modulus + 1n,
      v8,
      modulus - v8,
      (1n << 255n) - 1n,
    ];
    const bad = coordinates.flatMap((value) => {
      const encoded = bigintToLeBytes(value, 32);
      const signed = Uint8Array.from(encoded);
      signed[31]! |= 0x80;
      return [encoded, signed];
    });
    for (let i = 0; i < 6; i++) bad.push(random(32));
    const rows = bad.flatMap((epk) => [otherRow(pool, random, epk), noteRow(pool, key, random)]);
    t.is(await equalsReference(t, columnsOf(pool, rows), [key]), bad.length);
    // All at once, and one alone.
    const onlyBad = bad.map((epk) => otherRow(pool, random, epk));
    t.is(await equalsReference(t, columnsOf(pool, onlyBad), [key]), 0);
    t.is(await equalsReference(t, columnsOf(pool, [onlyBad[0]!]), [key]), 0);
    t.deepEqual(
      (await kernels.fma).decrypt(
        columnsOf(
          pool,
          Array.from({ length: 8 }, () => onlyBad[0]!),
        ),
        [key],
      ),
      [],
    );
  });

  test(`${pool}: keys near 0, near the order, and with empty buckets`, async (t) => {
    const random = seededBytes(6);
    const order = pool === 'sapling' ? JUBJUB_ORDER : PALLAS_ORDER;
    const scalars = [
      1n,
      2n,
      3n,
      5n,
      8n,
      13n,
      15n,
      16n,
      1n << 200n,
      order >> 1n,
      order - 1n,
      order - 2n,
      order - 16n,
    ];
    const keys = scalars.map((scalar) => incomingKey(pool, random, bigintToLeBytes(scalar, 32)));
    const rows = keys.map((key) => noteRow(pool, key, random));
    rows.push(otherRow(pool, random));
    for (const variant of VARIANTS) {
      const found = places((await kernels[variant]).decrypt(columnsOf(pool, rows), keys));
      t.deepEqual(
        found,
        scalars.map((_, i) => `${i}/${i}`),
        variant,
      );
    }
    // A viewing key of 0 is none, and finds what the reference finds.
    const zero = incomingKey(pool, random, new Uint8Array(32));
    const few = [rows[0]!, rows[rows.length - 1]!];
    t.is(await equalsReference(t, columnsOf(pool, few), [zero, keys[0]!]), 1);
    // More keys than one pass takes, and the same key twice.
    const many = [...keys, ...Array.from({ length: 20 }, () => incomingKey(pool, random)), keys[0]!];
    const found = places((await kernels.fma).decrypt(columnsOf(pool, rows), many));
    t.deepEqual(found, [
      '0/0',
      `0/${many.length - 1}`,
      ...scalars.slice(1).map((_, i) => `${i + 1}/${i + 1}`),
    ]);
  });
}

test('sapling: notes with lead byte 1', async (t) => {
  const random = seededBytes(7);
  const key = incomingKey('sapling', random);
  const note = noteRow('sapling', key, random, { leadByte: 1 });
  const rows = [
    note,
    otherRow('sapling', random),
    { ...note, leadBytes: 0b010 },
    { ...note, commitment: random(32) },
    noteRow('sapling', key, random, { leadByte: 1, value: MAX_MONEY + 1n }),
  ];
  t.is(await equalsReference(t, columnsOf('sapling', rows), [key]), 1);
});

/** The same note under another shared secret or ephemeral key. */
function reencrypted(
  pool: Pool,
  row: Row,
  plaintext: Uint8Array,
  ephemeralKey: Uint8Array,
  secret: Uint8Array,
): Row {
  const encryptionKey = SCHEMES[pool].deriveEncryptionKey(secret, ephemeralKey);
  // A stream cipher: opening and sealing are the same.
  return { ...row, ephemeralKey, ciphertext: openCompact(encryptionKey, plaintext) };
}

test('sapling: a note whose ephemeral key has small order is found as the reference finds it', async (t) => {
  const random = seededBytes(9);
  const key = incomingKey('sapling', random);
  const rows: Row[] = [];
  const identity = bigintToLeBytes(1n, 32);
  const v8 = 0x2a94e9a11036e51a1c98a7d25c54659ec2b6b5720c79b75d00f2df96100b6924n;
  const modulus = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
  for (const v of [1n, modulus - 1n, 0n, v8, modulus - v8, modulus, modulus + 1n]) {
    for (const sign of [0x00, 0x80]) {
      const note = noteRow('sapling', key, random, { leadByte: 1 });
      const [{ plaintext }] = reference.decrypt(columnsOf('sapling', [note]), [key]) as [DecryptedOutput];
      const ephemeralKey = bigintToLeBytes(v, 32);
      ephemeralKey[31]! |= sign;
      rows.push(reencrypted('sapling', note, plaintext, ephemeralKey, identity), otherRow('sapling', random));
    }
  }
  // Eight points of small order, each with one canonical encoding.
  t.is(await equalsReference(t, columnsOf('sapling', rows), [key]), 8);
});

for (const pool of POOLS) {
  test(`${pool}: a note encrypted under the shared secret of the other sign is not found`, async (t) => {
    const random = seededBytes(10);
    const key = incomingKey(pool, random);
    const scheme = SCHEMES[pool] as unknown as typeof SCHEMES.orchard;
    const rows = [0, 1].map((flip) => {
      const note = noteRow(pool, key, random);
      const [{ plaintext }] = reference.decrypt(columnsOf(pool, [note]), [key]) as [DecryptedOutput];
      const epk = scheme.decodeEphemeralKey(note.ephemeralKey)!;
      const [secret] = scheme.sharedSecrets([epk], [scheme.prepareScalar(leBytesToBigint(key.ivk))]);
      secret![31]! ^= flip << 7;
      return reencrypted(pool, note, plaintext, note.ephemeralKey, secret!);
    });
    t.is(await equalsReference(t, columnsOf(pool, rows), [key]), 1);
  });

  test(`${pool}: more recipients than tables are kept for`, async (t) => {
    const random = seededBytes(11);
    const key = incomingKey(pool, random);
    // More recipients than the kernel keeps tables for, each twice.
    const notes = Array.from({ length: 36 }, () => noteRow(pool, key, random));
    const found = (await kernels.fma).decrypt(columnsOf(pool, [...notes, ...notes]), [key]);
    t.is(found.length, 72);
    const first = reference.decrypt(columnsOf(pool, notes.slice(0, 1)), [key]);
    t.deepEqual(found.slice(0, 1), first);
  });
}
