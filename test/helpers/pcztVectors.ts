// The PCZTs of vectors/pczt_v2.json: a reduced copy that is always there, and the whole file where the shared folder is.
import { base64 } from '@scure/base';
import { decodePczt } from '../../src/shielded/pczt/codec.ts';
import type { Pczt } from '../../src/shielded/pczt/pczt.ts';
import { readFixtureJson } from './fixtures.ts';
import { readVectors } from './shared.ts';

export interface PcztCase {
  readonly name: string;
  readonly fee: number;
  readonly txid: string;
  readonly target_height: number;
  readonly ready_fields?: Record<string, unknown>;
  readonly stages: Readonly<Record<string, string>>;
}

interface PcztFile {
  readonly cases: readonly PcztCase[];
}

export const { cases } = readFixtureJson<PcztFile>('vectors', 'pczt_v2.json');
export const published = readVectors<PcztFile>('pczt_v2')?.cases;

export interface Stage {
  readonly title: string;
  readonly bytes: Uint8Array;
}

export const stagesOf = (all: readonly PcztCase[]): Stage[] =>
  all.flatMap(({ name, stages }) =>
    Object.entries(stages).map(([stage, text]) => ({
      title: `${name} ${stage}`,
      bytes: base64.decode(text),
    })),
  );

export function stageBytes(name: string, stage: string): Uint8Array {
  const found = cases.find((one) => one.name === name)?.stages[stage];
  if (found === undefined) throw new Error(`no stage ${stage} of ${name} among the vectors`);
  return base64.decode(found);
}

export const stage = (name: string, which: string): Pczt => decodePczt(stageBytes(name, which)).pczt;
