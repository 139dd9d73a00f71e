// The product's own recorded and made-up chains, under test/fixtures.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hexToBytes } from '@wallet-companion/base/bytes';

/** A file of this package, wherever the tests were started. */
export const packagePath = (...parts: string[]): string =>
  path.resolve(import.meta.dirname, '../../..', ...parts);

export const fixturePath = (...parts: string[]): string => packagePath('test/fixtures', ...parts);

export const readFixtureJson = <T>(...parts: string[]): T =>
  JSON.parse(readFileSync(fixturePath(...parts), 'utf8')) as T;

export const readFixtureLines = (...parts: string[]): string[] =>
  readFileSync(fixturePath(...parts), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** One raw block per line of hex. */
export const readRawBlocks = (...parts: string[]): Uint8Array[] => readFixtureLines(...parts).map(hexToBytes);

/** Messages framed by a varint length each. */
export function readDelimited(...parts: string[]): Uint8Array[] {
  const bytes = new Uint8Array(readFileSync(fixturePath(...parts)));
  const messages: Uint8Array[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    let length = 0;
    let shift = 0;
    let byte = 0x80;
    while (byte >= 0x80) {
      byte = bytes[offset++]!;
      length += (byte & 0x7f) << shift;
      shift += 7;
    }
    messages.push(bytes.slice(offset, offset + length));
    offset += length;
  }
  return messages;
}
