// The steps of note commitment tree hashes besides field arithmetic: they lay out messages of two nodes, and copy the
// table points that pieces of these messages select into lanes. A table's point is a record of two elements of five
// words; in a block, the caller defines how far apart the words of an element and the lanes are.

/** Bytes from one message to the next: at most 520 bits, plus what a 32-bit load at the last piece reads. */
const MESSAGE: usize = 72;
const ELEMENT: usize = 40;
const RECORD: usize = 80;
/** Bit 255 of a node is not part of the message. */
const TOP: u64 = 0x7fff_ffff_ffff_ffff;

// @ts-ignore: decorator
@inline
function copyWords(o: usize, a: usize, oStep: usize, aStep: usize): void {
  for (let word: usize = 0; word < 5; word++) store<u64>(o + word * oStep, load<u64>(a + word * aStep));
}

/** A message for each pair of neighbouring nodes: the level in `levelBits` bits, and 255 bits of each node. */
export function layOutPairs(messages: usize, nodes: usize, pairs: i32, level: i32, levelBits: i32): void {
  const up = <u64>levelBits;
  const down = <u64>(64 - levelBits);
  for (; pairs > 0; pairs--) {
    let carry = <u64>level;
    for (let word: usize = 0; word < 8; word++) {
      let value = load<u64>(nodes + word * 8);
      if (word == 3 || word == 7) value &= TOP;
      if (word >= 4) value >>= 1;
      if (word >= 3 && word < 7) value |= load<u64>(nodes + word * 8, 8) << 63;
      store<u64>(messages + word * 8, carry | (value << up));
      carry = value >> down;
    }
    store<u64>(messages, carry, 64);
    messages += MESSAGE;
    nodes += 64;
  }
}

/** Lane i becomes the record whose number is in the bits from `bit` on of message i. `mask` is below 2^16. */
export function gatherPoints(
  x: usize, y: usize, records: usize, messages: usize, blocks: i32, bit: i32, mask: u32, wordStep: usize,
  laneStep: usize,
): void {
  let at = messages + <usize>(bit >> 3);
  const shift = <u32>(bit & 7);
  for (; blocks > 0; blocks--) {
    for (let lane: usize = 0; lane < 4; lane++) {
      const record = records + <usize>((load<u32>(at) >> shift) & mask) * RECORD;
      copyWords(x + lane * laneStep, record, wordStep, 8);
      copyWords(y + lane * laneStep, record + ELEMENT, wordStep, 8);
      at += MESSAGE;
    }
    x += 160;
    y += 160;
  }
}

/** One lane of each block becomes a record. */
export function storePoints(
  records: usize, recordStep: usize, x: usize, y: usize, blocks: i32, wordStep: usize, laneOffset: usize,
): void {
  for (; blocks > 0; blocks--) {
    copyWords(records, x + laneOffset, 8, wordStep);
    copyWords(records + ELEMENT, y + laneOffset, 8, wordStep);
    records += recordStep;
    x += 160;
    y += 160;
  }
}
