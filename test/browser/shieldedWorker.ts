// The packages in a browser: a worker scans the made-up main network chain with the kernel and finds what the reference
// finds in Node, and one proves a payment. And how much of a scan goes over the line, as the kernel's README says.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { PROVABLE_CIRCUIT } from '@wallet-companion/halo2';
import { loadProverData } from '@wallet-companion/halo2/load';
import { loadKernel, loadVesta } from '@wallet-companion/kernel/kernelLoad';
import { stageBytes } from '@wallet-companion/pczt/test/pcztVectors';
import { ReferenceDecryptor } from '@wallet-companion/zcash/scan';
import { readDelimited, readFixtureJson } from '@wallet-companion/zcash/test/fixtures';
import type { ExecutionContext } from 'ava';
import { build } from 'esbuild';
import type { Page } from '../helpers/page.ts';
import { suite } from '../helpers/suite.ts';
import type { ProofAnswer } from './support/proofWorker.ts';
import { type ScanInput, scanNotes } from './support/scanNotes.ts';
import type { WorkerAnswer } from './support/scanWorker.ts';
import { streamedProof } from './support/streamedProof.ts';

export const shieldedWorkerSuite = suite<Page>();
const browserTest = shieldedWorkerSuite.add;

const chain = readFixtureJson<{ treeStateBeforeFirstBlock: ScanInput['treeSizes'] }>(
  'known-seed/main/expected-main.json',
);
const { accounts } = readFixtureJson<{ accounts: { ufvk: string }[] }>('known-seed/main/keys.json');
const input: ScanInput = {
  viewingKey: accounts[0]!.ufvk,
  blocks: readDelimited('known-seed/main/compact-main.bin').map(bytesToHex),
  treeSizes: chain.treeStateBeforeFirstBlock,
};

/** A worker as a page would have it: one file. */
export async function bundledWorker(name = 'scanWorker'): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [`test/browser/support/${name}.ts`],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]!.contents;
}

export const wasm = (name: string): Buffer =>
  readFileSync(fileURLToPath(import.meta.resolve(`@wallet-companion/kernel/wasm/${name}`)));

/** `files`: by their paths, besides those of the kernel. */
async function serve(
  t: ExecutionContext,
  worker: Uint8Array,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<string> {
  const server: Server = createServer((request, response) => {
    const address = request.url ?? '/';
    const answer = (type: string, body: string | Uint8Array) =>
      response.setHeader('content-type', type).end(body);
    if (address === '/') return answer('text/html', '<!doctype html><title>A scan</title>');
    if (address === '/worker.js') return answer('text/javascript', worker);
    const file = files.get(address);
    if (file !== undefined) return answer('application/octet-stream', file);
    const name = /^\/wasm\/([\w.-]+)$/.exec(address)?.[1];
    if (name !== undefined) return answer('application/wasm', wasm(name));
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const answerOf = <T>(page: Page): Promise<T> =>
  page.evaluate<T>(`new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  })`);

browserTest('a worker in a browser finds the notes that the reference finds', async (t, page) => {
  const files = new Map([['/input.json', new TextEncoder().encode(JSON.stringify(input))]]);
  await page.open(await serve(t, await bundledWorker(), files));
  const answer = await answerOf<WorkerAnswer>(page);
  const expected = scanNotes(input, new ReferenceDecryptor());
  t.true(expected.length > 5);
  t.deepEqual(answer.notes, expected);
  t.is(answer.fault, undefined);
  t.log(`the ${answer.variant} kernel`);
});

browserTest('a worker in a browser makes the proof of Node, byte for byte', async (t, page) => {
  t.timeout(300_000);
  const ready = stageBytes('v6-ironwood-ironwood', 'ready');
  const data = path.resolve('packages/halo2/data');
  const tables = ['circuit.json', 'fixed.bin', 'sigma.bin', 'layout.json'].map(
    (name) => `${PROVABLE_CIRCUIT}/${name}`,
  );
  const files = new Map<string, Uint8Array>([
    ['/files/ready.pczt', ready],
    ['/data/bases.bin', readFileSync(path.join(data, 'bases.bin'))],
    ...tables.map(
      (name) => [`/data/${name}`, gunzipSync(readFileSync(path.join(data, `${name}.gz`)))] as const,
    ),
  ]);
  await page.open(await serve(t, await bundledWorker('proofWorker'), files));
  const { proof, variant } = await answerOf<ProofAnswer>(page);
  t.is(proof, await streamedProof(await loadVesta(await loadKernel()), await loadProverData(), ready));
  t.log(`the ${variant} kernel`);
});
