// Generates the symmetric part of the work on every output: for every row and both parities of the shared secret,
// BLAKE2b-256 with the pool's personalisation, then the first word of ChaCha20's block 1, which decides the lead byte
// (protocol specification §5.4.5.4 and §4.20.3). Two parities share a 64-bit vector, two rows a 32-bit one.
//
// The message is one block whose upper half is zero, so additions of that half are left out.

const BLAKE2B_IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];

const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/** Columns, then diagonals. */
const BLAKE2B_MIXES = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

const MESSAGE_WORDS = 8;
const INPUT_LENGTH = 64n;

const signed = (value: bigint) => BigInt.asIntN(64, value);
const splat = (value: bigint) => `i64x2(${signed(value)}, ${signed(value)})`;

/** Rotation of both 64-bit lanes to the right by whole bytes. */
function rotateBytes64(value: string, bytes: number): string {
  const order = [0, 8].flatMap((base) => Array.from({ length: 8 }, (_, i) => base + ((i + bytes) % 8)));
  return `i8x16.shuffle(${value}, ${value}, ${order.join(', ')})`;
}

/** Rotation of the four 32-bit lanes to the left by whole bytes. */
function rotateBytes32(value: string, bytes: number): string {
  const order = [0, 4, 8, 12].flatMap((base) =>
    Array.from({ length: 4 }, (_, i) => base + ((i + 4 - bytes) % 4)),
  );
  return `i8x16.shuffle(${value}, ${value}, ${order.join(', ')})`;
}

function blake2bMix(mix: readonly number[], x: number, y: number): string[] {
  const [a, b, c, d] = mix.map((i) => `v${i}`) as [string, string, string, string];
  const plus = (word: number) => (word < MESSAGE_WORDS ? [`  ${a} = i64x2.add(${a}, m${word});`] : []);
  return [
    ...plus(x),
    `  ${a} = i64x2.add(${a}, ${b});`,
    `  ${d} = v128.xor(${d}, ${a});`,
    `  ${d} = ${rotateBytes64(d, 4)};`,
    `  ${c} = i64x2.add(${c}, ${d});`,
    `  ${b} = v128.xor(${b}, ${c});`,
    `  ${b} = ${rotateBytes64(b, 3)};`,
    ...plus(y),
    `  ${a} = i64x2.add(${a}, ${b});`,
    `  ${d} = v128.xor(${d}, ${a});`,
    `  ${d} = ${rotateBytes64(d, 2)};`,
    `  ${c} = i64x2.add(${c}, ${d});`,
    `  ${b} = v128.xor(${b}, ${c});`,
    `  ${b} = v128.or(i64x2.add(${b}, ${b}), i64x2.shr_u(${b}, 63));`,
  ];
}

/** `deriveKeys`: both K_enc of one row as four vectors [parity 0, parity 1] at `o`. */
function blake2bSource(): string {
  // Digest length 32, no key, fanout and depth 1 (RFC 7693 §2.5); the personalisation is in words 6 and 7.
  const initial = BLAKE2B_IV.map((word, i) => (i === 0 ? word ^ 0x0101_0020n : word));
  const lines = [
    'export function deriveKeys(o: usize, shared: usize, epk: usize, personal6: i64, personal7: i64): void {',
    ...[0, 1, 2].map((i) => `  const m${i} = v128.load64_splat(shared, ${i * 8});`),
    '  const top = load<i64>(shared, 24);',
    '  const m3 = i64x2.replace_lane(i64x2.splat(top), 1, top | i64.MIN_VALUE);',
    ...[4, 5, 6, 7].map((i) => `  const m${i} = v128.load64_splat(epk, ${(i - 4) * 8});`),
    ...initial.map((word, i) =>
      i >= 6
        ? `  const h${i} = i64x2.splat(personal${i} ^ ${signed(word)});`
        : `  const h${i} = ${splat(word)};`,
    ),
    ...initial.map((_, i) => `  let v${i} = h${i};`),
    ...BLAKE2B_IV.map((word, i) => {
      const mask = i === 4 ? INPUT_LENGTH : i === 6 ? (1n << 64n) - 1n : 0n;
      return `  let v${i + 8} = ${splat(word ^ mask)};`;
    }),
  ];
  for (let round = 0; round < 12; round++) {
    const sigma = SIGMA[round % 10]!;
    BLAKE2B_MIXES.forEach((mix, i) => {
      lines.push(...blake2bMix(mix, sigma[2 * i]!, sigma[2 * i + 1]!));
    });
  }
  for (let i = 0; i < 4; i++)
    lines.push(`  v128.store(o, v128.xor(h${i}, v128.xor(v${i}, v${i + 8})), ${i * 16});`);
  return [...lines, '}', ''].join('\n');
}

/** `compressBlake2b`: the compression function in scalar form, unrolled (RFC 7693 §3.2). */
export function blake2bCompressionSource(): string {
  const range = (count: number) => Array.from({ length: count }, (_, i) => i);
  const lines = [
    '/** `total`: bytes hashed so far, this block included; `last`: all ones for the final block, else 0. */',
    'export function compressBlake2b(state: usize, block: usize, total: u64, last: u64): void {',
    ...range(16).map((i) => `  const m${i} = load<u64>(block, ${i * 8});`),
    ...range(8).map((i) => `  let v${i} = load<u64>(state, ${i * 8});`),
    ...BLAKE2B_IV.map((word, i) => {
      const mixed = i === 4 ? ' ^ total' : i === 6 ? ' ^ last' : '';
      return `  let v${i + 8}: u64 = <u64>${signed(word)}${mixed};`;
    }),
  ];
  for (let round = 0; round < 12; round++) {
    const sigma = SIGMA[round % 10]!;
    BLAKE2B_MIXES.forEach((mix, i) => {
      const [a, b, c, d] = mix.map((index) => `v${index}`) as [string, string, string, string];
      lines.push(
        `  ${a} += ${b} + m${sigma[2 * i]};`,
        `  ${d} = rotr<u64>(${d} ^ ${a}, 32);`,
        `  ${c} += ${d};`,
        `  ${b} = rotr<u64>(${b} ^ ${c}, 24);`,
        `  ${a} += ${b} + m${sigma[2 * i + 1]};`,
        `  ${d} = rotr<u64>(${d} ^ ${a}, 16);`,
        `  ${c} += ${d};`,
        `  ${b} = rotr<u64>(${b} ^ ${c}, 63);`,
      );
    });
  }
  for (const i of range(8)) {
    lines.push(`  store<u64>(state, load<u64>(state, ${i * 8}) ^ v${i} ^ v${i + 8}, ${i * 8});`);
  }
  return [...lines, '}', ''].join('\n');
}

const CHACHA_CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const CHACHA_QUARTERS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

function chachaQuarter(quarter: readonly number[]): string[] {
  const [a, b, c, d] = quarter.map((i) => `x${i}`) as [string, string, string, string];
  const shiftRotate = (value: string, bits: number) =>
    `v128.or(i32x4.shl(${value}, ${bits}), i32x4.shr_u(${value}, ${32 - bits}))`;
  return [
    `    ${a} = i32x4.add(${a}, ${b});`,
    `    ${d} = v128.xor(${d}, ${a});`,
    `    ${d} = ${rotateBytes32(d, 2)};`,
    `    ${c} = i32x4.add(${c}, ${d});`,
    `    ${b} = v128.xor(${b}, ${c});`,
    `    ${b} = ${shiftRotate(b, 12)};`,
    `    ${a} = i32x4.add(${a}, ${b});`,
    `    ${d} = v128.xor(${d}, ${a});`,
    `    ${d} = ${rotateBytes32(d, 1)};`,
    `    ${c} = i32x4.add(${c}, ${d});`,
    `    ${b} = v128.xor(${b}, ${c});`,
    `    ${b} = ${shiftRotate(b, 7)};`,
  ];
}

/**
 * `firstWords`: keystream word 0 of block 1 for the four keys at `keys`: [row 0 parity 0, parity 1, row 1 parity 0, 1].
 */
function chachaSource(): string {
  const gather = (offset: number) => {
    const order = [0, 8, 16, 24].flatMap((base) => Array.from({ length: 4 }, (_, i) => base + offset + i));
    return order.join(', ');
  };
  const lines = ['function firstWords(keys: usize): v128 {'];
  CHACHA_CONSTANTS.forEach((word, i) => {
    lines.push(`  let x${i} = i32x4.splat(${word | 0});`);
  });
  for (let i = 0; i < 4; i++) {
    const rows = `v128.load(keys, ${i * 16}), v128.load(keys, ${64 + i * 16})`;
    lines.push(`  let x${4 + 2 * i} = i8x16.shuffle(${rows}, ${gather(0)});`);
    lines.push(`  let x${5 + 2 * i} = i8x16.shuffle(${rows}, ${gather(4)});`);
  }
  lines.push('  let x12 = i32x4.splat(1);');
  for (const i of [13, 14, 15]) lines.push(`  let x${i} = i32x4.splat(0);`);
  lines.push('  for (let i = 0; i < 10; i++) {');
  for (const quarter of CHACHA_QUARTERS) lines.push(...chachaQuarter(quarter));
  lines.push('  }', `  return i32x4.add(x0, i32x4.splat(${CHACHA_CONSTANTS[0]! | 0}));`, '}', '');
  return lines.join('\n');
}

export function keyDerivationSource(): string {
  return [
    'const KEYS: usize = memory.data(128, 16);',
    blake2bSource(),
    chachaSource(),
    `
// @ts-ignore: decorator
@inline
function leadFlag(word: i32, cipher: i32, allowed: i32): i32 {
  const lead = (word ^ cipher) & 0xff;
  return lead != 0 && lead <= 8 ? (allowed >> (lead - 1)) & 1 : 0;
}

/**
 * flags[i] gets bit 0 (parity 0) and bit 1 (parity 1) where the first plaintext byte of row i is allowed. \`rows\` is
 * even; \`shared\` are canonical 32-byte secrets without parity, \`cipher\` the first ciphertext bytes.
 */
export function leadFlags(
  flags: usize, shared: usize, epks: usize, cipher: usize, allowed: usize, rows: i32, personal6: i64, personal7: i64,
): void {
  while (rows > 0) {
    deriveKeys(KEYS, shared, epks, personal6, personal7);
    deriveKeys(KEYS + 64, shared + 32, epks + 32, personal6, personal7);
    const words = firstWords(KEYS);
    const cipher0 = load<u8>(cipher);
    const cipher1 = load<u8>(cipher, 1);
    const allowed0 = load<u8>(allowed);
    const allowed1 = load<u8>(allowed, 1);
    store<u8>(
      flags,
      leadFlag(i32x4.extract_lane(words, 0), cipher0, allowed0) |
        (leadFlag(i32x4.extract_lane(words, 1), cipher0, allowed0) << 1),
    );
    store<u8>(
      flags,
      leadFlag(i32x4.extract_lane(words, 2), cipher1, allowed1) |
        (leadFlag(i32x4.extract_lane(words, 3), cipher1, allowed1) << 1),
      1,
    );
    flags += 2;
    shared += 64;
    epks += 64;
    cipher += 2;
    allowed += 2;
    rows -= 2;
  }
}
`,
  ].join('\n');
}
