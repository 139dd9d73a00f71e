// The leaves of note commitment trees as a scan passes them, and the outputs of the wallet's notes among them. A witness made
// of these asks no server for blocks, and blocks are what would tell it where the notes are. Kept are subtrees that hold unspent
// notes or that are not full yet: `leafSettling.ts` drops the others.
//
// Leaves lie in chunks with fixed positions, so that blocks in any order, the same blocks again, and those of another branch
// each overwrite their own. An output's commitment is never 0 (that would be a known preimage), so 0 stands for "not scanned".
//
// Rejected: hashing during the scan, as librustzcash does: 11 us a leaf are a quarter of a scan, and most notes are never
// looked at; tree states every few blocks instead of leaves: a path needs what lies to its right, too.

import { bytesToHex, concatBytes, equalBytes, hexToBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { EncryptedOutput } from '@wallet-companion/zcash/notes';
import { type PerPool, POOLS, type Pool, perPool, type TreeSizes } from '@wallet-companion/zcash/pools';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import { NODE_BYTES, SUBTREE_LEAVES, subtreeOf } from '@wallet-companion/zcash/trees';
import type { LastingChange, LastingPart, WitnessPartStore } from '../../ports/witnessPart.ts';

/**
 * A row costs 60 us and 6 us a KB. A scan writes a chunk for each 150 blocks since NU7, a commit at the tip three chunks again:
 * 24 KB on average.
 */
const CHUNK_LEAVES = 512;

/** What was scanned of one subtree. */
export interface LeafRun {
  readonly pool: Pool;
  readonly subtree: number;
  /** Index of the lowest leaf. */
  readonly first: number;
  /** How many leaves from there on were scanned. */
  readonly count: number;
  /** The block before the one with the lowest leaf: its tree has `first` leaves. */
  readonly after: Height;
}

/** By position: rho, ephemeral key and ciphertext. */
type Outputs = Record<number, readonly [string, string, string]>;

type Store = Pick<WitnessPartStore, 'lastingPart'>;

const RUNS = 'leaves';
const chunkKey = (pool: Pool, chunk: number): string => `leaves:${pool}:${chunk}`;
const chunkOf = (position: number): number => Math.floor(position / CHUNK_LEAVES);

/** A reorganisation this deep is not expected: what is below counts as final. */
export const FINAL_DEPTH = 100;

/**
 * The leaves of one scan request, kept at its end: with each commit they would cost twice the time. A full subtree without notes
 * is forgotten before, as soon as it is final; one with notes is kept then. A process that is killed in between has scanned
 * blocks without their leaves: a witness in that subtree reads blocks.
 */
export class LeafRecording {
  readonly #store: Store;
  readonly #runs: PerPool<Map<number, LeafRun>>;
  /** Not kept yet. */
  readonly #open = new Map<string, Chunk>();
  /** Runs of which the store knows nothing. */
  readonly #unkept = new Set<string>();
  /** Runs that have reached the end of their subtree here, and by which block. */
  #full: { readonly run: LeafRun; readonly by: Height }[] = [];
  #hasChanged = false;
  /** Blocks whose leaves differ from those that were scanned before. */
  #contradicted: readonly Height[] = [];

  constructor(store: Store) {
    this.#store = store;
    this.#runs = perPool(() => new Map());
    for (const run of leafRuns(store)) this.#runs[run.pool].set(run.subtree, run);
  }

  /**
   * What to keep of consecutive blocks already. `sizesBefore`: of the trees before the first of them. Leaves of blocks that are
   * committed later come with the first of their batch. `isSettled`: full blocks were scanned there, and these are compact ones, so
   * that only what is missing is added.
   */
  add(blocks: readonly ScannedBlock[], sizesBefore: TreeSizes, isSettled = false): LastingChange {
    const top = blocks.at(-1)!.height;
    const differing = new Set<Height>();
    let before = sizesBefore;
    for (const { height, treeSizes, leaves, notes } of blocks) {
      if (leaves !== undefined) {
        for (const pool of POOLS) {
          const found = this.#add(pool, before[pool], leaves[pool], { after: height - 1, top, isSettled });
          for (const position of found)
            differing.add(blocks.find((block) => block.treeSizes[pool] > position)?.height ?? top);
        }
      }
      for (const { pool, position, output } of notes) {
        if (output !== undefined && !isSettled)
          this.#chunk(pool, position).outputs[position] = outputFields(output);
      }
      before = treeSizes;
    }
    this.#contradicted = [...differing];
    return this.#settle(top);
  }

  /** The blocks of the last `add` whose leaves differ from those that were scanned before. */
  get contradicted(): readonly Height[] {
    return this.#contradicted;
  }

  /** What is left at the end of the request. */
  rest(): LastingChange {
    if (!this.#hasChanged) return { put: [], drop: [] };
    return { put: [...[...this.#open].map(chunkPart), this.#runsPart()], drop: [] };
  }

  /** Returns the positions where another leaf was. */
  #add(
    pool: Pool,
    position: number,
    leaves: Uint8Array,
    { after, top, isSettled }: { readonly after: Height; readonly top: Height; readonly isSettled: boolean },
  ): number[] {
    const differing: number[] = [];
    for (let at = 0; at < leaves.length; ) {
      const next = position + at / NODE_BYTES;
      const room = (chunkOf(next) + 1) * CHUNK_LEAVES - next;
      const piece = leaves.subarray(at, at + room * NODE_BYTES);
      const { fresh, differs } = this.#chunk(pool, next).put(next, piece, isSettled);
      differing.push(...differs);
      const subtree = subtreeOf(next);
      const known = this.#runs[pool].get(subtree);
      if (known === undefined) this.#unkept.add(nameOf({ pool, subtree }));
      const before = known ?? { pool, subtree, first: next, count: 0, after };
      const lower = next < before.first ? { first: next, after } : {};
      const run = { ...before, ...lower, count: before.count + fresh };
      this.#runs[pool].set(subtree, run);
      if (fresh > 0 && run.first + run.count === endOf(subtree)) this.#full.push({ run, by: top });
      this.#hasChanged = true;
      at += piece.length;
    }
    return differing;
  }

  /** Keeps the subtrees that are final, or forgets them where no note needs them. */
  #settle(top: Height): LastingChange {
    const final = this.#full.filter(({ by }) => by + FINAL_DEPTH <= top);
    this.#full = this.#full.filter((one) => !final.includes(one));
    const put: LastingPart[] = [];
    for (const { run } of final) {
      const { pool, subtree, first } = run;
      const open = chunkKeysOf(run).flatMap((key) => {
        const chunk = this.#open.get(key);
        this.#open.delete(key);
        return chunk === undefined ? [] : [[key, chunk] as const];
      });
      const isWhole = this.#unkept.has(nameOf(run)) && first === subtree * SUBTREE_LEAVES;
      if (isWhole && open.every(([, { outputs }]) => Object.keys(outputs).length === 0))
        this.#runs[pool].delete(subtree);
      else put.push(...open.map(chunkPart));
    }
    return { put: put.length === 0 ? put : [...put, this.#runsPart()], drop: [] };
  }

  #runsPart(): LastingPart {
    return runsPart(POOLS.flatMap((pool) => [...this.#runs[pool].values()]));
  }

  #chunk(pool: Pool, position: number): Chunk {
    const key = chunkKey(pool, chunkOf(position));
    const chunk = this.#open.get(key) ?? storedChunk(this.#store, key) ?? new Chunk();
    this.#open.set(key, chunk);
    return chunk;
  }
}

/** Names the subtree. */
export const nameOf = ({ pool, subtree }: Pick<LeafRun, 'pool' | 'subtree'>): string => `${pool}:${subtree}`;

export const endOf = (subtree: number): number => (subtree + 1) * SUBTREE_LEAVES;

const CHUNKS = SUBTREE_LEAVES / CHUNK_LEAVES;

/** The names of all chunks of the subtree. */
const chunkKeysOf = ({ pool, subtree }: Pick<LeafRun, 'pool' | 'subtree'>): string[] =>
  Array.from({ length: CHUNKS }, (_, i) => chunkKey(pool, subtree * CHUNKS + i));

const chunkPart = ([key, chunk]: readonly [string, Chunk]): LastingPart => ({ key, bytes: chunk.encode() });

class Chunk {
  readonly outputs: Outputs = {};
  readonly #leaves = new Uint8Array(CHUNK_LEAVES * NODE_BYTES);
  #end = 0;
  #missing = CHUNK_LEAVES;

  get isEmpty(): boolean {
    return this.#missing === CHUNK_LEAVES;
  }

  /** Returns how many of the leaves were not there before, and where another one was, which `mayStay`. */
  put(
    position: number,
    leaves: Uint8Array,
    mayStay = false,
  ): { readonly fresh: number; readonly differs: number[] } {
    const at = (position % CHUNK_LEAVES) * NODE_BYTES;
    const differs: number[] = [];
    let fresh = 0;
    for (let i = 0; i < leaves.length; i += NODE_BYTES) {
      if (isMissing(this.#leaves, at + i)) {
        fresh++;
        if (mayStay) this.#leaves.set(leafOf(leaves, i), at + i);
      } else if (!equalBytes(leafOf(this.#leaves, at + i), leafOf(leaves, i))) {
        differs.push(position + i / NODE_BYTES);
      }
    }
    if (!mayStay) this.#leaves.set(leaves, at);
    this.#end = Math.max(this.#end, at + leaves.length);
    this.#missing -= fresh;
    return { fresh, differs };
  }

  /** Forgets the leaves from `position` on, which is not below the chunk, and the outputs there. Returns how many it forgot. */
  cut(position: number): number {
    const at = (position % CHUNK_LEAVES) * NODE_BYTES;
    let forgotten = 0;
    for (let i = at; i < this.#end; i += NODE_BYTES) if (!isMissing(this.#leaves, i)) forgotten++;
    this.#leaves.fill(0, at);
    this.#end = Math.min(this.#end, at);
    this.#missing += forgotten;
    for (const known of Object.keys(this.outputs).map(Number))
      if (known >= position) delete this.outputs[known];
    return forgotten;
  }

  /** Views of the leaves from `position` to before `end`, which lies in the chunk too; undefined where one is missing. */
  leaves(position: number, end: number): Uint8Array | undefined {
    const at = (position % CHUNK_LEAVES) * NODE_BYTES;
    const leaves = this.#leaves.subarray(at, at + (end - position) * NODE_BYTES);
    for (let i = 0; i < leaves.length; i += NODE_BYTES) if (isMissing(leaves, i)) return undefined;
    return leaves;
  }

  /** The count of leaves as two bytes, the leaves, and the outputs as JSON. */
  encode(): Uint8Array {
    const count = this.#end / NODE_BYTES;
    const outputs = new TextEncoder().encode(JSON.stringify(this.outputs));
    return concatBytes(Uint8Array.of(count & 0xff, count >> 8), this.#leaves.subarray(0, this.#end), outputs);
  }

  static decode(bytes: Uint8Array): Chunk {
    const chunk = new Chunk();
    const end = 2 + (bytes[0]! | (bytes[1]! << 8)) * NODE_BYTES;
    chunk.put(0, bytes.subarray(2, end));
    for (let at = 2; at < end; at += NODE_BYTES) if (isMissing(bytes, at)) chunk.#missing++;
    Object.assign(chunk.outputs, JSON.parse(new TextDecoder().decode(bytes.subarray(end))));
    return chunk;
  }
}

function storedChunk(store: Store, key: string): Chunk | undefined {
  const bytes = store.lastingPart(key);
  return bytes && Chunk.decode(bytes);
}

const outputFields = ({ rho, ephemeralKey, ciphertext }: EncryptedOutput): Outputs[number] => [
  bytesToHex(rho),
  bytesToHex(ephemeralKey),
  bytesToHex(ciphertext),
];

const leafOf = (leaves: Uint8Array, at: number): Uint8Array => leaves.subarray(at, at + NODE_BYTES);

function isMissing(leaves: Uint8Array, at: number): boolean {
  for (let i = at; i < at + NODE_BYTES; i++) if (leaves[i] !== 0) return false;
  return true;
}

/** In no order. */
export function leafRuns(store: Store): LeafRun[] {
  const bytes = store.lastingPart(RUNS);
  return bytes === undefined ? [] : (JSON.parse(new TextDecoder().decode(bytes)) as LeafRun[]);
}

const runsPart = (runs: readonly LeafRun[]): LastingPart => ({
  key: RUNS,
  bytes: new TextEncoder().encode(JSON.stringify(runs)),
});

/**
 * Without what was scanned above trees of these sizes. Other blocks may follow there. Those that are scanned would overwrite it,
 * but not those that are skipped, or whose leaves are lost with the process: those of the old blocks would still be here, and no
 * witness would prove right.
 */
export function leavesCutTo(store: Store, sizes: TreeSizes): LastingChange {
  const [put, drop, left]: [LastingPart[], string[], LeafRun[]] = [[], [], []];
  const runs = leafRuns(store);
  for (const run of runs) {
    const { pool, subtree } = run;
    const start = Math.max(sizes[pool], subtree * SUBTREE_LEAVES);
    let { count } = run;
    for (let position = start; position < endOf(subtree); ) {
      const key = chunkKey(pool, chunkOf(position));
      const chunk = storedChunk(store, key);
      count -= chunk?.cut(position) ?? 0;
      if (chunk?.isEmpty) drop.push(key);
      else if (chunk !== undefined) put.push(chunkPart([key, chunk]));
      position = (chunkOf(position) + 1) * CHUNK_LEAVES;
    }
    if (count > 0) left.push({ ...run, count });
  }
  return runs.length === 0 ? { put, drop } : { put: [...put, runsPart(left)], drop };
}

/** All that was scanned of these subtrees, and that it was. */
export function withoutRuns(store: Store, dropped: readonly LeafRun[]): LastingChange {
  const isDropped = (run: LeafRun) =>
    dropped.some(({ pool, subtree }) => pool === run.pool && subtree === run.subtree);
  return {
    put: [runsPart(leafRuns(store).filter((run) => !isDropped(run)))],
    drop: dropped.flatMap(chunkKeysOf),
  };
}

/** Packed leaves from `start` to before `end`; undefined where one of them was not scanned. */
export function keptLeaves(store: Store, pool: Pool, start: number, end: number): Uint8Array | undefined {
  const all = new Uint8Array((end - start) * NODE_BYTES);
  for (let position = start; position < end; ) {
    const next = Math.min(end, (chunkOf(position) + 1) * CHUNK_LEAVES);
    const leaves = storedChunk(store, chunkKey(pool, chunkOf(position)))?.leaves(position, next);
    if (leaves === undefined) return undefined;
    all.set(leaves, (position - start) * NODE_BYTES);
    position = next;
  }
  return all;
}

/** The output that a note of the wallet was found in. */
export function keptOutput(store: Store, pool: Pool, position: number): EncryptedOutput | undefined {
  const chunk = storedChunk(store, chunkKey(pool, chunkOf(position)));
  const fields = chunk?.outputs[position];
  const commitment = chunk?.leaves(position, position + 1)?.slice();
  if (fields === undefined || commitment === undefined) return undefined;
  const [rho, ephemeralKey, ciphertext] = fields.map(hexToBytes);
  return { rho: rho!, commitment, ephemeralKey: ephemeralKey!, ciphertext: ciphertext! };
}
