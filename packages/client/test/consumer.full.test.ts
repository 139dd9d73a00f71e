// A program of somebody else that uses the client: compiled with its declarations checked and no package but ours, the
// way both a bundler and Node look modules up. (Compilers back to TypeScript 5.0 were tried by hand.)

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';

const PROGRAM = `import { CompanionError, createClient, type Input, type Output, type Problem, type ReceivedEvent } from '@wallet-companion/client';
import { CompanionCheckout, type CheckoutInvoice, defineCheckout } from '@wallet-companion/client/checkout';

const companion = createClient({ baseUrl: 'http://127.0.0.1:3000' });
const input: Input<'wallet.unlock'> = { password: 'x' };
const balance: Output<'balance.get'> = await companion.balance.get();
export const sum: number = balance.pools.sapling.total_zatoshi;
// @ts-expect-error
export const wrong: string = balance.total_zatoshi;
// @ts-expect-error
companion.config.theme({ theme: 'purple' });
for await (const told of companion.events({ lastEventId: 'a.1' })) {
  const all: ReceivedEvent = told;
  if (told.event === 'note.received') console.log(told.id, told.data.height satisfies number, all);
  if (told.event === 'events.missed') await companion.balance.get();
  // @ts-expect-error
  if (told.event === 'no.such') break;
}
for await (const step of companion.syncToTip()) if (step.kind === 'progress') console.log(step.progress.blocks_scanned);
try {
  await companion.wallet.unlock(input);
} catch (error) {
  if (error instanceof CompanionError && error.code === 'WALLET_LOCKED') console.log(error.errors);
  // @ts-expect-error
  if (error instanceof CompanionError && error.code === 'NO_SUCH') console.log(error);
}
defineCheckout();
const element = document.querySelector('companion-checkout') as CompanionCheckout;
element.texts = { open: 'Scan' };
export const shown: CheckoutInvoice | null = element.invoice;
export const statusOf = (problem: Problem): number => problem.status;
`;

const ROOT = path.resolve(import.meta.dirname, '../..');

for (const [module, moduleResolution] of [
  ['node16', 'node16'],
  ['esnext', 'bundler'],
] as const) {
  test(`a program compiles against the package: ${moduleResolution}`, (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const ours = path.join(folder, 'node_modules', '@wallet-companion');
    mkdirSync(ours, { recursive: true });
    symlinkSync(ROOT, path.join(ours, 'client'), 'junction');
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(path.join(folder, 'main.ts'), PROGRAM);
    const compilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      preserveSymlinks: true,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      module,
      moduleResolution,
    };
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['main.ts'] }),
    );
    const tsc = path.resolve('node_modules/typescript/bin/tsc');
    const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    t.is(status, 0, stdout + stderr);
  });
}
