// Who names the node, through the real fronts: a caller over HTTP does not, the owner's command line does, whether it
// goes through the running companion's private socket or runs by itself.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { PROGRAM } from '../helpers/program.ts';
import { RecordingServer } from '../helpers/recordingServer.ts';
import { startService } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const run = promisify(execFile);

test.serial('HTTP gets no cookie for an address, the owner’s command line does', async (t) => {
  const [node, stranger] = [await RecordingServer.start(t), await RecordingServer.start(t)];
  const cookie = path.join(temporaryFolder(t), 'cookie');
  writeFileSync(cookie, '__cookie__:secret');
  const service = await startService(t, {
    config: { network: 'main', node_url: node.url, node_cookie_file: cookie },
  });
  const folders = ['--config-dir', service.configDir, '--data-dir', service.dataDir];
  t.teardown(async () => {
    await service.stop();
    service.remove();
  });
  const probeOverHttp = async (url: string, code: string): Promise<void> => {
    const { status, body } = await service.post('/api/config/node-url', { url, probe: true });
    t.is(status, 502);
    t.is(body['code'], code);
  };
  /** The node says no to everybody: exit code 6. */
  const probe = async (...more: string[]): Promise<void> => {
    const words = ['config', 'node-url', stranger.url, '--probe', ...folders, ...more];
    const error = await t.throwsAsync<Error & { code: number }>(run(process.execPath, [PROGRAM, ...words]));
    t.is(error?.code, 6);
  };
  await probeOverHttp(stranger.url, 'NODE_UNREACHABLE');
  t.false(stranger.sawCookie());
  await probeOverHttp(node.url, 'NODE_UNAUTHORIZED');
  t.true(node.sawCookie());
  await probe('--url', service.url);
  t.false(stranger.sawCookie(), 'over HTTP anybody may call');
  if (process.platform !== 'win32') {
    await probe();
    t.true(stranger.sawCookie(), 'the private socket');
  }
  await service.post('/api/config/node-url', { url: stranger.url });
  await probeOverHttp(stranger.url, 'NODE_UNAUTHORIZED');
  t.false(stranger.sawCookie());
  await service.stop();
  await probe();
  t.true(stranger.sawCookie(), 'a process of its own');
});
