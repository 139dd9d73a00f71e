// The README of the client's package: its example runs as it stands, but for the port, against a companion with a wallet on
// a chain of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/shielded/network';
import test from 'ava';
import { startService } from '../helpers/service.ts';

const ROOT = 'packages/client';

test('the example prints what is shown', async (t) => {
  const page = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const [, code = '', shown = ''] = /```js\n(.*?)```\n\n```text\n(.*?)```/s.exec(page) ?? [];
  const devnet = new Devnet({ params: regtestParameters({ nu6_3: 4 }), seed: 'client' });
  const config = {
    network: 'regtest',
    activation_heights: { nu6_3: 4 },
    node_url: await devnet.node.listen(),
  };
  const service = await startService(t, { config });
  t.teardown(async () => {
    await service.stop();
    service.remove();
    await devnet.close();
  });
  await service.post('/api/wallet/create', { password: 'correct horse battery', birthday_height: 1 });
  const { body } = await service.get<{ unified_address: string }>('/api/address');
  devnet.payTo(body.unified_address, { pool: 'sapling', zatoshi: 777_000 });
  await service.post('/api/wallet/lock', {});

  // In the package, so that its name is known there.
  const cwd = mkdtempSync(path.join(ROOT, 'dist', 'readme-'));
  t.teardown(() => rmSync(cwd, { recursive: true, force: true }));
  const example = code.replace('http://127.0.0.1:3000', service.url);
  t.not(example, code);
  writeFileSync(path.join(cwd, 'example.mjs'), example);
  const child = spawn(process.execPath, ['example.mjs'], { cwd });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  t.is(stdout, shown, stderr);
});
