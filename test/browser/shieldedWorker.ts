// The package in a browser: a worker scans the made-up main network chain with the kernel and finds what the reference
// finds in Node. And how much of it goes over the line, as the package's README says.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { ReferenceDecryptor } from '@wallet-companion/zcash/scan';
import { readDelimited, readFixtureJson } from '@wallet-companion/zcash/test/fixtures';
import type { ExecutionContext } from 'ava';
import { build } from 'esbuild';
import type { Page } from '../helpers/page.ts';
import { suite } from '../helpers/suite.ts';
import { type ScanInput, scanNotes } from './support/scanNotes.ts';
import type { WorkerAnswer } from './support/scanWorker.ts';

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

/** The worker as a page would have it: one file. */
export async function bundledWorker(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: ['test/browser/support/scanWorker.ts'],
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

async function serve(t: ExecutionContext, worker: Uint8Array): Promise<string> {
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    const answer = (type: string, body: string | Uint8Array) =>
      response.setHeader('content-type', type).end(body);
    if (path === '/') return answer('text/html', '<!doctype html><title>A scan</title>');
    if (path === '/worker.js') return answer('text/javascript', worker);
    if (path === '/input.json') return answer('application/json', JSON.stringify(input));
    const name = /^\/wasm\/([\w.-]+)$/.exec(path)?.[1];
    if (name !== undefined) return answer('application/wasm', wasm(name));
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

browserTest('a worker in a browser finds the notes that the reference finds', async (t, page) => {
  const url = await serve(t, await bundledWorker());
  await page.open(url);
  const answer = await page.evaluate<WorkerAnswer>(`new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  })`);
  const expected = scanNotes(input, new ReferenceDecryptor());
  t.true(expected.length > 5);
  t.deepEqual(answer.notes, expected);
  t.is(answer.fault, undefined);
  t.log(`the ${answer.variant} kernel`);
});
