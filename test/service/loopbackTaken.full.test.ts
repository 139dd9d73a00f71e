// Somebody else holds one of the two addresses that `localhost` may lead to: the companion does not start.
import { createServer, type Server } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { startService } from '../helpers/service.ts';

/** The port, or undefined where the address is not to be had. */
async function hold(t: ExecutionContext, host: string): Promise<number | undefined> {
  const server: Server = createServer();
  t.teardown(() => server.close());
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen({ host, port: 0, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === 'object' ? address?.port : undefined);
    });
  });
}

for (const host of ['127.0.0.1', '::1']) {
  test.serial(`serve ends with 2 while somebody holds its port on ${host}`, async (t) => {
    const port = await hold(t, host);
    if (port === undefined) {
      t.pass('this machine does not have it');
      return;
    }
    const error = await t.throwsAsync(startService(t, { args: ['--port', String(port)] }));
    t.true(error?.message.startsWith('serve ended with 2: '), error?.message);
    t.true(error?.message.includes(host === '::1' ? `[::1]:${port}` : `127.0.0.1:${port}`), error?.message);
    t.notRegex(error?.message ?? '', /listening on/);
  });
}
