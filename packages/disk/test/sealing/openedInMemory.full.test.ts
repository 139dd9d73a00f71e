// What was opened and wiped is nowhere in the memory of the process: neither in a copy of the cipher's nor in freed blocks.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { portableXChaCha } from '../../src/disk/sealing/xchacha.ts';
import { canReadMemory, findInMemory } from '../helpers/memoryScan.ts';

const OPENER = fileURLToPath(new URL('../children/opener.js', import.meta.url));

for (const length of [100, 608, 5_000]) {
  (canReadMemory ? test : test.skip)(`of ${length} bytes nothing is left`, async (t) => {
    const [key, nonce, plain, context] = [32, 24, length, 20].map((size) =>
      Uint8Array.from(randomBytes(size)),
    );
    const sealed = portableXChaCha.encrypt(key!, nonce!, plain!, context!);
    const hex = [key!, nonce!, sealed, context!].map((bytes) => Buffer.from(bytes).toString('hex'));
    const child = spawn(process.execPath, [OPENER, ...hex], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.teardown(() => child.kill());
    const [restored] = (await once(child.stdout, 'data')) as [Buffer];
    t.is(restored.toString(), 'opened 20\n');
    const needles = [0, length / 2, length - 40].map((at) => Buffer.from(plain!).subarray(at + 16, at + 40));
    t.deepEqual(findInMemory(child.pid!, new Map([['plaintext', needles]])), new Map());
    // What is there would be found.
    t.true(findInMemory(child.pid!, new Map([['key', [Buffer.from(hex[0]!)]]])).size > 0);
  });
}
