// The exports of the WebAssembly modules of src/kernel/assembly. All pointers are byte addresses in the one memory.

/** The exports of the lane modules, FMA or portable, that are called directly. */
export interface LaneExports {
  dataEnd(): number;
  /** A step of 0 repeats one block (a constant). */
  mul(o: number, a: number, b: number, blocks: number, oStep: number, aStep: number, bStep: number): void;
  fromBytes(o: number, bytes: number, blocks: number): void;
  toBytes(bytes: number, a: number, blocks: number): void;
  run(program: number, end: number): void;
  runShifted(program: number, end: number): void;
  runPadded(program: number, end: number, p0: number, p1: number, p2: number, p3: number): void;
}

export interface RecordExports {
  storePoints(
    records: number,
    recordStep: number,
    x: number,
    y: number,
    blocks: number,
    wordStep: number,
    laneOffset: number,
  ): void;
}

/** The exports of the scalar modules of the Pasta curves. */
export interface PastaPointExports {
  /** Two coordinates of 32 bytes. */
  decodeCoordinates(o: number, bytes: number): number;
}

/** The exports of both scalar modules for the tree hashes (assembly/treeLanes.ts). */
export interface TreeLaneExports extends RecordExports {
  layOutPairs(messages: number, nodes: number, pairs: number, level: number, levelBits: number): void;
  gatherPoints(
    x: number,
    y: number,
    records: number,
    messages: number,
    blocks: number,
    bit: number,
    mask: number,
    wordStep: number,
    laneStep: number,
  ): void;
}

/** With a scalar in two halves of 32 bytes, each with its sign. */
type ByHalves = (
  point: number,
  table: number,
  a: number,
  aNegative: boolean,
  b: number,
  bNegative: boolean,
) => void;

/** The Pallas scalar module; on addresses of elements (40 bytes), affine (80) and Jacobian points (120). */
export interface PallasScalarExports extends TreeLaneExports, PastaPointExports {
  dataEnd(): number;
  invertFour(bytes: number): number;
  readElement(o: number, bytes: number): void;
  readAffine(o: number, bytes: number): void;
  writeElement(bytes: number, element: number): void;
  fromAffine(o: number, affine: number): void;
  normalise(affine: number, points: number, count: number): number;
  encode(bytes: number, affine: number): void;
  decode(affine: number, bytes: number): number;
  tableSize(): number;
  makeTable(table: number, point: number): number;
  initialise(bytes: number): void;
  multiply: ByHalves;
  fixedBaseSize(): number;
  makeFixedBase(table: number, affine: number): void;
  multiplyFixedBase: ByHalves;
  addFixedBase: ByHalves;
  hashToCurve(o: number, u: number, constants: number): number;
  addPieces(point: number, generators: number, message: number, first: number, end: number): void;
  poseidon(bytes: number, first: number, second: number, constants: number): void;
}

/** The Jubjub scalar module; on addresses of elements (40 bytes), affine (80) and extended points (160). */
export interface JubjubScalarExports extends TreeLaneExports {
  dataEnd(): number;
  invertFour(bytes: number): number;
  initialise(bytes: number): void;
  writeElement(bytes: number, element: number): void;
  setIdentity(o: number): void;
  fromAffine(o: number, affine: number): void;
  normalise(affine: number, points: number, count: number): void;
  encode(bytes: number, affine: number): void;
  decode(affine: number, bytes: number): number;
  clearCofactor(point: number): number;
  isIdentity(point: number): number;
  tableSize(): number;
  makeTable(table: number, point: number): void;
  multiply(o: number, table: number, scalar: number, doublings: number): void;
  rowsSize(rows: number, perRow: number): number;
  makeRows(table: number, affine: number, rows: number, perRow: number, step: number): void;
  fixedBaseSize(windows: number): number;
  makeFixedBase(table: number, affine: number, windows: number): void;
  addFixedBase(point: number, table: number, scalar: number, windows: number): void;
  addChunks(point: number, generators: number, message: number, first: number, end: number): void;
}

/** The Vesta scalar module; points are Jacobian (120 bytes), or two coordinates of 32 bytes. */
export interface VestaScalarExports extends RecordExports, PastaPointExports {
  dataEnd(): number;
  invertFour(bytes: number): number;
  affineCoordinates(o: number, point: number): number;
  setIdentity(o: number): void;
  isIdentity(point: number): number;
  addPoints(point: number, other: number): void;
  addMultiples(point: number, points: number, scalars: number, count: number): void;
  sumGroups(
    o: number,
    points: number,
    ends: number,
    sets: number,
    rows: number,
    columnBits: number,
    width: number,
  ): void;
  signedDigits(digits: number, scalars: number, count: number, width: number, windows: number): void;
  sortDigits(
    list: number,
    ends: number,
    digits: number,
    count: number,
    windows: number,
    first: number,
    recordStep: number,
    bucketStep: number,
    buckets: number,
  ): number;
  pairUp(
    pairs: number,
    next: number,
    nextEnds: number,
    list: number,
    ends: number,
    buckets: number,
    base: number,
  ): number;
  spreadBuckets(
    next: number,
    nextEnds: number,
    list: number,
    ends: number,
    sets: number,
    rows: number,
    columns: number,
  ): void;
  gatherSigned(
    x: number,
    y: number,
    records: number,
    list: number,
    step: number,
    blocks: number,
    wordStep: number,
    laneStep: number,
  ): void;
}

export interface SymmetricExports {
  dataEnd(): number;
  leadFlags(
    flags: number,
    shared: number,
    epks: number,
    cipher: number,
    allowed: number,
    rows: number,
    personal6: bigint,
    personal7: bigint,
  ): void;
  deriveKeys(o: number, shared: number, epk: number, personal6: bigint, personal7: bigint): void;
  blake2b(o: number, outLength: number, personal: number, data: number, length: number): void;
  blake2s(o: number, personal: number, data: number, length: number): void;
  chacha20(o: number, key: number, counter: number): void;
  openSealed(o: number, key: number, ciphertext: number, length: number): number;
}
