// `serve` with a password: the wallet is open before anybody hears that the companion listens, or it does not start.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { type Service, type ServiceOptions, startService } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { until } from '../helpers/until.ts';

const PASSWORD = 'correct horse battery staple';
const CONFIG = {
  network: 'main',
  node_url: 'http://127.0.0.1:1',
  compact_server_url: 'http://127.0.0.1:1',
  auto_lock_seconds: 600,
};

const passwordFile = (t: ExecutionContext, text: string): string => {
  const file = path.join(temporaryFolder(t), 'password');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

interface Status {
  readonly exists: boolean;
  readonly unlocked: boolean;
  readonly expires_at: string | null;
}

const statusOf = async (service: Service): Promise<Status> =>
  (await service.get<Status>('/api/wallet/status')).body;

test.serial('serve with a password', async (t) => {
  const right = passwordFile(t, `${PASSWORD}\n`);
  const start = async (options: ServiceOptions): Promise<Service & { readonly folder: string }> => {
    const service = await startService(t, options);
    t.teardown(() => service.kill());
    return service;
  };
  const first = await start({ config: CONFIG, args: ['--password-file', right] });
  const { folder } = first;
  t.like(await statusOf(first), { exists: false, unlocked: false });
  t.regex(first.output(), /there is no wallet yet: the password was not used/);
  const made = await first.post('/api/wallet/create', { password: PASSWORD, birthday_height: 2_000_000 });
  t.is(made.status, 200);
  t.is(await first.stop(), 0);

  const second = await start({ folder, args: ['--password-file', right] });
  const status = await statusOf(second);
  t.true(status.unlocked);
  t.not(status.expires_at, null, 'it locks by itself as configured');
  t.is((await second.get('/api/balance')).status, 200);
  const link = createSocketLink(socketPath(second.dataDir));
  t.teardown(() => link.close());
  const heard: string[] = [];
  link.subscribe(({ event }) => void (/^wallet\.|missed/.test(event) && heard.push(event)));
  await link.health();
  await second.post('/api/wallet/lock');
  t.false((await statusOf(second)).unlocked, 'and is not opened again by itself');
  t.is(await second.stop(), 0);
  t.false(second.output().includes(PASSWORD));

  const third = await start({ folder, args: ['--password-fd', '0', '--keep-open'], input: PASSWORD });
  t.like(await statusOf(third), { unlocked: true, expires_at: null });
  // A program that only listens hears that it opened, although nothing could connect before.
  await until(() => heard.length >= 3);
  t.deepEqual(heard, ['wallet.locked', 'events.missed', 'wallet.unlocked']);
  t.is(await third.stop(), 0);

  const refused = async (code: number, says: RegExp, ...args: string[]): Promise<void> => {
    const error = await t.throwsAsync(start({ folder, args }));
    t.true(error?.message.startsWith(`serve ended with ${code}: `), error?.message);
    t.regex(error?.message ?? '', says);
    t.notRegex(error?.message ?? '', /listening on|not the one/);
  };
  await refused(3, /WRONG_PASSWORD/, '--password-file', passwordFile(t, 'not the one\n'));
  await refused(2, /INVALID_PASSWORD_FORMAT/, '--password-file', passwordFile(t, ''));
  await refused(2, /password file cannot be read/, '--password-file', path.join(folder, 'nowhere'));
  await refused(2, /INVALID_PASSWORD_FORMAT/, '--password-fd', '0');

  const last = await start({ folder });
  t.false((await statusOf(last)).unlocked);
  t.is(await last.stop(), 0);
});
