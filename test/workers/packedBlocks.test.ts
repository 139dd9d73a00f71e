// Scanned blocks cross to the wallet thread as they are, in one buffer that is moved, and what the wallet keeps of them
// does not keep the rest in memory.
import test from 'ava';
import { NoteStore } from '../../src/actors/wallet/noteStore/noteStore.ts';
import { packBlocks } from '../../src/workers/packedBlocks.ts';
import { MemoryNoteDatabase } from '../helpers/memoryNoteDatabase.ts';
import { Blocks, World } from '../truth/support/world.ts';

const world = new World(new Blocks());
world.mine([
  { notes: [{ account: 0, value: 5 }], spends: [] },
  { notes: [{ account: 0, value: 6 }], spends: [0] },
  { notes: [], spends: [] },
]);
const scanned = world.chain.map((one) => one.scanned);

test('blocks in one piece are the same blocks', (t) => {
  const { blocks, buffer } = packBlocks(scanned);
  t.deepEqual(blocks, scanned);
  const moved = structuredClone(blocks, { transfer: [buffer] });
  t.deepEqual(moved, scanned);
  t.is(buffer.byteLength, 0);
  t.is(blocks[0]!.hash.length, 0, 'the bytes were moved, not copied');
  for (const { hash, prevHash, notes, nullifiers } of moved) {
    const parts = [hash, prevHash, ...notes.flatMap((note) => [note.txid, note.diversifier])];
    parts.push(...notes.flatMap(({ nullifier }) => nullifier ?? []));
    parts.push(...nullifiers.flatMap((revealed) => [revealed.txid, revealed.nullifiers]));
    for (const part of parts) t.is(part.buffer, moved[0]!.hash.buffer);
  }
  t.deepEqual(packBlocks([]).blocks, []);
});

test('the hashes that the wallet keeps are of their own', (t) => {
  const { blocks, buffer } = packBlocks(scanned);
  const noteStore = new NoteStore(new MemoryNoteDatabase(), [{ index: 0, birthdayHeight: 1 }], 1);
  noteStore.apply(blocks);
  for (const height of noteStore.blockHeights) {
    const { hash, prevHash } = noteStore.block(height)!;
    t.not(hash.buffer, buffer);
    t.not(prevHash.buffer, buffer);
  }
  t.is(noteStore.blockHeights.length, 3);
});
