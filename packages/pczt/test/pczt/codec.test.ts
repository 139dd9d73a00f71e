// The codec against the published stages: every one comes back byte for byte, in the fields that the reference says.

import { bytesToHex } from '@wallet-companion/base/bytes';
import test from 'ava';
import { decodePczt, encodePczt, oldestEncoding } from '../../src/pczt/codec.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { cases, type PcztCase, type Stage, stage, stageBytes, stagesOf } from '../helpers/pcztVectors.ts';

function roundTrip({ title, bytes }: Stage): void {
  test(`${title} comes back byte for byte`, (t) => {
    const { encoding, pczt } = decodePczt(bytes);
    t.is(bytesToHex(encodePczt(pczt, encoding)), bytesToHex(bytes));
  });
}

stagesOf(cases).forEach(roundTrip);

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const chunks = (bytes: Uint8Array): string[] =>
  Array.from({ length: bytes.length / 32 }, (_, i) => bytesToHex(bytes.subarray(32 * i, 32 * i + 32)));

/** The form of the reference: names, tuples and variants as it has them. */
function view(value: unknown, name = ''): unknown {
  if (value === undefined) return null;
  if (name === 'witness') {
    const { position, path } = value as { position: number; path: Uint8Array };
    return [position, chunks(path)];
  }
  if (name === 'proofGenerationKey') {
    const { ak, nsk } = value as { ak: Uint8Array; nsk: Uint8Array };
    return [bytesToHex(ak), bytesToHex(nsk)];
  }
  if (name === 'encCiphertext' && !(value instanceof Uint8Array)) {
    const { kind, bytes } = value as { kind: string; bytes: Uint8Array };
    return { [kind === 'encrypted' ? 'Encrypted' : 'MemoPlaintext']: bytesToHex(bytes) };
  }
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (Array.isArray(value)) return value.map((item) => view(item));
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, view(item)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [snakeCase(field), view(item, field)]),
  );
}

function viewOf(pczt: Pczt): Record<string, unknown> {
  const all = view(pczt) as Record<string, Record<string, unknown>>;
  for (const pool of ['orchard', 'ironwood']) {
    const sum = BigInt(all[pool]!['value_sum'] as string);
    all[pool]!['value_sum'] = [(sum < 0n ? -sum : sum).toString(), sum < 0n];
  }
  return all;
}

/** The reference shows a bundle that is left out as null. */
function fields({ name, ready_fields: expected }: PcztCase): void {
  if (expected === undefined) return;
  test(`${name}: every field is what the reference reads`, (t) => {
    const found = viewOf(stage(name, 'ready'));
    for (const [part, value] of Object.entries(expected)) if (value !== null) t.deepEqual(found[part], value);
    t.deepEqual(Object.keys(found), Object.keys(viewOf(stage(cases[0]!.name, 'ready'))));
  });
}

cases.forEach(fields);

test('both encodings of one state are the same PCZT', (t) => {
  const first = decodePczt(stageBytes('v5-orchard-orchard', 'ready_v1'));
  const second = decodePczt(stageBytes('v5-orchard-orchard', 'ready'));
  t.is(first.encoding, 1);
  t.is(second.encoding, 2);
  t.deepEqual(first.pczt, second.pczt);
  t.is(oldestEncoding(second.pczt), 1);
});

test('what only encoding 2 can express is not written in encoding 1', (t) => {
  const compact = stage('v6-ironwood-ironwood', 'compact');
  t.is(oldestEncoding(compact), 2);
  t.throws(() => encodePczt(compact, 1), { message: 'global.txVersion: encoding 1 holds version 5 alone' });
  const v5 = stage('v5-orchard-orchard', 'ready');
  const [first, ...rest] = v5.orchard.actions;
  const withoutCommitment = { ...first!, output: { ...first!.output, cmx: undefined } };
  const redacted = { ...v5, orchard: { ...v5.orchard, actions: [withoutCommitment, ...rest] } };
  t.is(oldestEncoding(redacted), 2);
  t.throws(() => encodePczt(redacted, 1), {
    message: 'orchard.actions[0].output.cmx: encoding 1 cannot leave it out',
  });
});
