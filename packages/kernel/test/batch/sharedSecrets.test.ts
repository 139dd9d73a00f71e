// The coordinates of the key agreement, and their signs, as the reference computes them.

import { ORCHARD, SAPLING } from '@wallet-companion/zcash/notes';
import test from 'ava';
import { instantiateKernel, type KernelInstance } from '../../src/kernel/batch/kernelInstance.ts';
import {
  JubjubSecrets,
  PallasSecrets,
  type SecretComputation,
} from '../../src/kernel/batch/sharedSecrets.ts';
import { planJubjub } from '../../src/kernel/plan/jubjubPlan.ts';
import { planPallas } from '../../src/kernel/plan/pallasPlan.ts';
import type { ScalarPlan } from '../../src/kernel/plan/steps.ts';
import { DeterministicRandom } from '../support/deterministicRandom.ts';
import { KERNELS } from '../support/kernels.ts';

/** Three blocks. */
const ROWS = 12;
const KEYS = 2;

interface Curve {
  readonly name: string;
  readonly secrets: (instance: KernelInstance) => SecretComputation;
  readonly plan: (scalars: readonly bigint[]) => ScalarPlan;
  /** The coordinates' field has this modulus. */
  readonly modulus: (instance: KernelInstance) => bigint;
  readonly decode: (
    bytes: Uint8Array,
  ) => { readonly missing: bigint; agree(scalar: bigint): Uint8Array } | undefined;
}

const CURVES: readonly Curve[] = [
  {
    name: 'Pallas',
    secrets: ({ pallas }) => new PallasSecrets(pallas),
    plan: planPallas,
    modulus: ({ pallas }) => pallas.modulus,
    decode: (bytes) => {
      const point = ORCHARD.decodeEphemeralKey(bytes);
      return (
        point && {
          missing: point.y,
          agree: (scalar) => ORCHARD.sharedSecrets([point], [ORCHARD.prepareScalar(scalar)])[0]!,
        }
      );
    },
  },
  {
    name: 'Jubjub',
    secrets: ({ jubjub }) => new JubjubSecrets(jubjub),
    plan: planJubjub,
    modulus: ({ jubjub }) => jubjub.modulus,
    decode: (bytes) => {
      const point = SAPLING.decodeEphemeralKey(bytes);
      return (
        point && {
          missing: point.u,
          agree: (scalar) => SAPLING.sharedSecrets([point], [SAPLING.prepareScalar(scalar)])[0]!,
        }
      );
    },
  },
];

for (const { name, secrets, plan, modulus, decode } of CURVES) {
  for (const [choice, load] of Object.entries(KERNELS)) {
    test(`${name}, ${choice}: coordinates and signs of every row and key`, async (t) => {
      const instance = instantiateKernel(await load());
      const random = new DeterministicRandom(`${name} signs`);
      const scalars = Array.from({ length: KEYS }, () => random.below(1n << 251n));
      const rows: { bytes: Uint8Array; missing: bigint; agree(scalar: bigint): Uint8Array }[] = [];
      while (rows.length < ROWS) {
        const bytes = random.bytes(32);
        const point = decode(bytes);
        if (point !== undefined) rows.push({ bytes, ...point });
      }
      const epks = instance.memory.allocate(ROWS * 32);
      rows.forEach(({ bytes }, row) => {
        instance.memory.bytes.set(bytes, epks + row * 32);
      });
      const found = secrets(instance).compute(epks, ROWS / 4, plan(scalars));
      const p = modulus(instance);
      for (const [key, scalar] of scalars.entries()) {
        for (const [row, { bytes, missing, agree }] of rows.entries()) {
          const secret = agree(scalar);
          const sign = secret[31]! >> 7;
          const coordinate = Uint8Array.from(secret);
          coordinate[31]! &= 0x7f;
          const at = found.secrets[key]! + row * 32;
          t.deepEqual(instance.memory.bytes.slice(at, at + 32), coordinate);
          const signOf = found.signOf(key, row);
          const note = { secret, ephemeralKey: bytes };
          t.is(signOf(note, missing), sign);
          t.is(signOf(note, p - missing), 1 - sign);
          t.is(signOf(note, (missing + 1n) % p), undefined);
        }
      }
    });
  }
}
