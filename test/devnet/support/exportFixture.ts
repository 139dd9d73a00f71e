// Writes a story in the format of the known-seed fixtures, so that readers which share no code with the project can be
// run on a devnet chain: node <out>/test/devnet/support/exportFixture.js FOLDER

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bytesToHex, concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import type { MinedBlock } from '@wallet-companion/devnet/chain';
import { notesOfDevnet, shortMemo } from '@wallet-companion/devnet/test/scan';
import {
  logStory,
  type Person,
  PROTOCOL_FLAWS,
  type Story,
  tellFork,
} from '@wallet-companion/devnet/test/story';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { outgoingKeys } from '@wallet-companion/zcash/keys';

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Uint8Array.of(...bytes, rest);
}

export const delimited = (blocks: readonly MinedBlock[]): Uint8Array =>
  concatBytes(...blocks.flatMap((block) => [varint(block.compact.length), block.compact]));

function transactionLines(blocks: readonly MinedBlock[], people: readonly Person[]): string {
  const externalKeys = people.flatMap(({ keys }, index) =>
    outgoingKeys(keys, index).filter(({ scope }) => scope === 'external'),
  );
  return blocks
    .flatMap((block) =>
      block.transactions.map((transaction) => {
        const sentOutputs = transaction.notes
          .filter(({ outgoingKey }) =>
            externalKeys.some(({ ovk }) => outgoingKey && equalBytes(ovk, outgoingKey)),
          )
          .map((note) => ({
            pool: note.pool,
            outputIndex: note.outputIndex,
            value: String(note.value),
            memoHex: shortMemo(note.memo),
            rawAddress: bytesToHex(note.recipient),
          }));
        const txid = toDisplayHex(transaction.txid);
        const rawHex = bytesToHex(transaction.bytes);
        return `${JSON.stringify({ txid, height: block.height, sentOutputs, rawHex })}\n`;
      }),
    )
    .join('');
}

const expected = (people: readonly Person[]) => ({
  notes: notesOfDevnet(people).map(({ memo, ...note }) => ({ ...note, memoHex: memo })),
});

export interface ExportedFixture {
  readonly story: Story;
  readonly people: readonly Person[];
}

/** Writes `keys.json`, `compact-*.bin`, `raw-blocks-*.hex`, `expected-*.json` and `transactions.jsonl`. */
export function exportFixture(folder: string, seed: string): ExportedFixture {
  const story = logStory(seed, PROTOCOL_FLAWS);
  const { devnet, alice, bob } = story;
  const people = [alice, bob];
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(path.join(folder, name), content);
  const writeBlocks = (name: string, blocks: readonly MinedBlock[]) => {
    write(`compact-${name}.bin`, delimited(blocks));
    write(`raw-blocks-${name}.hex`, blocks.map((block) => `${bytesToHex(block.bytes)}\n`).join(''));
  };
  mkdirSync(folder, { recursive: true });
  const accounts = people.map(({ keys }) => ({ ufvk: encodeUnifiedViewingKey(keys, devnet.params) }));
  write('keys.json', JSON.stringify({ network: devnet.params.network, accounts }));

  const main = devnet.blocks.blocks.slice(1);
  writeBlocks('main', main);
  write('expected-main.json', JSON.stringify(expected(people)));
  let lines = transactionLines(main, people);

  tellFork(story);
  const whole = devnet.blocks.blocks.slice(1);
  writeBlocks('reorg', whole);
  write('expected-reorg.json', JSON.stringify(expected(people)));
  lines += transactionLines(
    whole.filter((block) => !main.includes(block)),
    people,
  );
  write('transactions.jsonl', lines);
  return { story, people };
}

const [, script, folder] = process.argv;
if (script !== undefined && folder !== undefined && import.meta.url === pathToFileURL(script).href) {
  exportFixture(folder, 'export');
}
