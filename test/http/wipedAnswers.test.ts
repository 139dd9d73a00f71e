// The bytes of an answer whose caller has left meanwhile.
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import Koa from 'koa';
import { answerBytes } from '../../src/http/bytes.ts';
import { answerFile } from '../../src/http/files.ts';

const QR = { type: 'text/plain', member: 'image', name: 'code.txt' };

for (const [kind, length, answer] of [
  ['JSON', 26, answerBytes],
  ['a file', 14, (context: Koa.Context, bytes: Uint8Array) => answerFile(context, QR, bytes)],
] as const) {
  test(`${kind} that comes when the caller has left is wiped`, async (t) => {
    const bytes = Buffer.from('{"image":"of the invoice"}');
    const app = new Koa();
    const answered = new Promise<unknown>((resolve) => {
      app.use(async (context) => {
        caller.destroy();
        await once(context.res, 'close');
        answer(context, bytes);
        resolve(context.body);
      });
    });
    const server = app.listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const caller = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    caller.on('error', () => undefined).end();
    t.deepEqual(await answered, Buffer.alloc(length));
  });
}
