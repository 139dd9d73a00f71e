// Which build is taken, that a wrong one is noticed, and that one compiled module serves worker threads.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { DecryptedOutput } from '@wallet-companion/zcash/scan';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { PALLAS_FIELD } from '../src/kernel/generator/primeField.ts';
import { createDecryptor } from '../src/kernel/kernelDecryptor.ts';
import { type KernelModule, KernelUnavailableError } from '../src/kernel/load/kernelModule.ts';
import { type CompileVariant, loadKernel, wideIdentity } from '../src/kernel/loadKernel.ts';
import { findKernelFault } from '../src/kernel/selfTest.ts';
import { checkedSinsemilla } from '../src/kernel/testedKernel.ts';
import { wideHindrance } from '../src/kernel/wideFlags.ts';
import { findWideFault } from '../src/kernel/wideTest.ts';
import { columnsOf, incomingKey, noteRow, otherRow } from './support/columns.ts';
import { KERNELS } from './support/kernels.ts';

/** What an entry of a process of its own writes. */
async function outputOf(entry: string, ...words: string[]): Promise<Record<string, unknown>> {
  const file = fileURLToPath(new URL(`support/${entry}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...words]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

test('a build that could not be read or compiled is read again at the next call', async (t) => {
  t.deepEqual(await outputOf('hinderedBuild.js'), { fault: 'KernelUnavailableError', variant: 'portable' });
});

test('the fast build is taken where it works', async (t) => {
  const module = await loadKernel();
  t.is(module.variant, 'fma');
  t.is(createDecryptor(module).variant, 'fma');
});

test('the portable build can be asked for', async (t) => {
  const module = await loadKernel({ choice: 'portable' });
  t.like(module, { variant: 'portable', reason: 'asked for' });
  t.is(findKernelFault(module), undefined);
});

test('points of Sinsemilla that no known note needs are checked too', async (t) => {
  const { sinsemilla } = await loadKernel();
  t.deepEqual(checkedSinsemilla(sinsemilla), sinsemilla);
  for (const at of [0, 31_337, sinsemilla.length - 1]) {
    const damaged = sinsemilla.slice();
    damaged[at]! ^= 1;
    t.throws(() => checkedSinsemilla(damaged), { instanceOf: KernelUnavailableError });
  }
});

/** The fast kernel with one bit of a reduction constant flipped: it runs, and computes wrongly. */
async function wrongKernel(): Promise<KernelModule> {
  const module = await loadKernel({ choice: 'fma' });
  const style = Number(process.versions.node.split('.')[0]) < 22 ? 'registers' : 'reload';
  const binary = await readFile(new URL(`../src/kernel/wasm/pallas-fma-${style}.wasm`, import.meta.url));
  const constant = Buffer.alloc(8);
  constant.writeDoubleLE(PALLAS_FIELD.lowDigits[1]!);
  for (let at = binary.indexOf(constant); at >= 0; at = binary.indexOf(constant, at + 8)) binary[at]! ^= 1;
  const pallas = new WebAssembly.Module(new Uint8Array(binary));
  return { ...module, modules: { ...module.modules, pallas } };
}

test('a kernel that computes wrongly is noticed when it starts', async (t) => {
  const wrong = await wrongKernel();
  t.regex(findKernelFault(wrong) ?? '', /orchard outputs/);
  t.throws(() => createDecryptor(wrong), { instanceOf: KernelUnavailableError });
});

test('a fast build that computes wrongly gives way to the portable one, with a reason', async (t) => {
  const wrong = await wrongKernel();
  const portable = await loadKernel({ choice: 'portable' });
  const compile = async (variant: string) => (variant === 'fma' ? wrong : portable).modules;
  const module = await loadKernel({}, compile);
  t.is(module.variant, 'portable');
  t.regex(module.reason, /self test/);
  await t.throwsAsync(loadKernel({ choice: 'fma' }, compile), { instanceOf: KernelUnavailableError });
});

test('the wide build is taken where it is asked for and works, with those behind it, and what follows it says why not', async (t) => {
  const wide = await KERNELS.wide();
  const wrong = await wrongKernel();
  const fma = await loadKernel({ choice: 'fma' });
  const portable = await KERNELS.portable();
  const compile =
    (answers: Partial<Record<string, KernelModule>>): CompileVariant =>
    async (variant) => {
      const answer = answers[variant];
      if (answer === undefined) throw new KernelUnavailableError(`no ${variant} here`);
      return answer.modules;
    };
  const chosen = (answers: Partial<Record<string, KernelModule>>) =>
    loadKernel({ choice: 'watched wide' }, compile(answers));
  const behind = ({ watch }: KernelModule) => watch?.others.map(({ variant }) => variant);
  const taken = await chosen({ wide, fma, portable });
  t.like(taken, { variant: 'wide', reason: 'wide vectors work' });
  t.deepEqual(behind(taken), ['fma', 'portable']);
  t.is(taken.watch?.refused[0], 0);
  t.true(taken.watch?.refused.buffer instanceof SharedArrayBuffer);
  t.deepEqual(behind(await chosen({ wide, portable })), ['portable']);
  t.like(await chosen({ fma }), { variant: 'fma', reason: 'no wide here', watch: undefined });
  t.regex((await chosen({ wide: wrong, fma })).reason, /wide kernel fails its self test/);
  t.like(await chosen({ portable }), { variant: 'portable', reason: 'no wide here' });
  await t.throwsAsync(chosen({}), { instanceOf: KernelUnavailableError });
  await t.throwsAsync(loadKernel({ choice: 'wide' }, compile({ fma })), { message: 'no wide here' });
  t.is((await loadKernel({}, compile({ wide, fma }))).variant, 'fma');
});

/** Node 24 and 26, so that a release that is forgotten in the product fails here. */
const HAS_WIDE_VECTORS = /^(24|26)\./.test(process.versions.node) && process.arch === 'x64';

test('wide vectors are used on the releases of Node that are known to have them, and on no other', async (t) => {
  const module = await loadKernel({ choice: 'watched wide' });
  const identity = await wideIdentity();
  const hindrance = wideHindrance();
  if (!HAS_WIDE_VECTORS) t.is(hindrance, 'wide vectors need Node 24 or 26 on x64');
  if (hindrance === undefined) {
    t.is(module.variant, 'wide');
    t.regex(identity ?? '', /^[0-9a-f]{64}$/);
    t.is(identity, await wideIdentity());
  } else {
    t.like(module, { variant: 'fma', reason: hindrance });
    t.is(identity, undefined);
  }
  if (!HAS_WIDE_VECTORS) t.is(await findWideFault(), 'wide vectors need Node 24 or 26 on x64');
});

for (const begin of ['prepared', 'unprepared'])
  test(`WebAssembly that ran before the wide build was loaded runs after it, in a process that was ${begin}`, async (t) => {
    const { variant, reason, faults } = await outputOf('beforeWide.js', begin);
    t.true((faults as unknown[]).every((fault) => fault === null));
    const isRefused = begin === 'unprepared' && process.versions.node.startsWith('26.');
    t.is(variant, HAS_WIDE_VECTORS && !isRefused ? 'wide' : 'fma', String(reason));
  });

test('a machine without relaxed SIMD gets the portable build', async (t) => {
  const portable = await loadKernel({ choice: 'portable' });
  const module = await loadKernel({}, async (variant) => {
    if (variant === 'fma') throw new Error('invalid opcode');
    return portable.modules;
  });
  t.is(module.variant, 'portable');
  t.regex(module.reason, /does not compile/);
});

test('a compiled kernel is posted to workers, which find the same notes', async (t) => {
  const random = seededBytes(8);
  const key = incomingKey('orchard', random);
  const columns = columnsOf('orchard', [
    otherRow('orchard', random),
    noteRow('orchard', key, random),
    otherRow('orchard', random),
  ]);
  for (const load of Object.values(KERNELS)) {
    const module = await load();
    const expected = createDecryptor(module).decrypt(columns, [key]);
    t.is(expected.length, 1);
    const found = await Promise.all(
      [1, 2].map(async () => {
        const worker = new Worker(new URL('support/decryptorWorker.js', import.meta.url), {
          workerData: { module, columns, keys: [key] },
        });
        const answer = await new Promise<DecryptedOutput[]>((resolve, reject) => {
          worker.once('message', resolve);
          worker.once('error', reject);
        });
        await worker.terminate();
        return answer;
      }),
    );
    t.deepEqual(found, [expected, expected]);
  }
});
