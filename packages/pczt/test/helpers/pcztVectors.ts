// The PCZTs of vectors/pczt_v2.json.
import { base64 } from '@scure/base';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import { decodePczt } from '../../src/pczt/codec.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';

export interface PcztCase {
  readonly name: string;
  readonly fee: number;
  readonly txid: string;
  readonly shielded_sighash: string;
  readonly binding_signatures: Readonly<Record<string, string | null>>;
  readonly transaction: string | null;
  readonly target_height: number;
  readonly ready_fields?: Record<string, unknown>;
  readonly stages: Readonly<Record<string, string>>;
}

export const { cases } = readVectors<{ cases: readonly PcztCase[] }>('pczt_v2');

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

/** Undefined where the case has no such stage. */
export function stageOf({ stages }: PcztCase, which: string): Pczt | undefined {
  const text = stages[which];
  return text === undefined ? undefined : decodePczt(base64.decode(text)).pczt;
}

/** A copy in which the field at the path (`orchard.actions.0.spend.value`) is what `change` makes of it. */
export function edited(pczt: Pczt, path: string, change: (value: never) => unknown): Pczt {
  const into = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return change(value as never);
    if (Array.isArray(value)) return value.map((item, i) => (String(i) === step ? into(item, rest) : item));
    const fields = value as Record<string, unknown>;
    if (!(step in fields)) throw new Error(`no field ${step} on the way to ${path}`);
    return { ...fields, [step]: into(fields[step], rest) };
  };
  return into(pczt, path.split('.')) as Pczt;
}

export const withField = (pczt: Pczt, path: string, value: unknown): Pczt => edited(pczt, path, () => value);

/** With one bit of the byte string flipped. */
export const flipped = (pczt: Pczt, path: string): Pczt =>
  edited(pczt, path, (bytes: Uint8Array) => bytes.map((byte, i) => (i === 0 ? byte ^ 1 : byte)));

/** The paths of all fields that hold something and may be left out, maps aside. */
export function optionalPaths(pczt: Pczt): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, `${path}.${i}`);
    else if (
      typeof value === 'object' &&
      value !== null &&
      !(value instanceof Uint8Array) &&
      !(value instanceof Map)
    )
      for (const [name, item] of Object.entries(value)) {
        const field = path === '' ? name : `${path}.${name}`;
        if (OPTIONAL.has(name) && item !== undefined) found.push(field);
        else visit(item, field);
      }
  };
  visit(pczt, '');
  return found;
}

const OPTIONAL = new Set(
  [
    ['anchor', 'bsk', 'zkproof', 'rcv', 'spendAuthSig', 'recipient', 'value', 'rho', 'rseed', 'rcm', 'fvk'],
    ['witness', 'alpha', 'zip32Derivation', 'ock', 'userAddress', 'proofGenerationKey', 'cvNet', 'cmx'],
  ].flat(),
);
