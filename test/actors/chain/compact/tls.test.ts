import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { FixtureCompactServer } from '../../../helpers/fixtureCompactServer.ts';
import { FixtureNode } from '../../../helpers/fixtureNode.ts';
import {
  compactMain,
  FIRST,
  MAIN_INFO,
  rawMain,
  TIP,
  TREES_BEFORE,
} from '../../../helpers/knownSeedBlocks.ts';

const CERTIFICATE = path.resolve('test/fixtures/tls/localhost.crt');
const tls = { key: readFileSync('test/fixtures/tls/localhost.key'), cert: readFileSync(CERTIFICATE) };
const probe = fileURLToPath(new URL('support/tlsProbe.js', import.meta.url));

async function start(
  t: ExecutionContext,
  withTls: boolean,
): Promise<{ node: FixtureNode; server: FixtureCompactServer }> {
  const option = withTls ? { tls } : {};
  const node = await FixtureNode.start({
    chain: 'main',
    firstHeight: FIRST,
    blocks: rawMain,
    treesBefore: TREES_BEFORE,
    ...option,
  });
  const server = await FixtureCompactServer.start({ blocks: compactMain, info: MAIN_INFO, ...option });
  t.teardown(async () => {
    server.stop();
    await node.stop();
  });
  return { node, server };
}

async function ask(nodeUrl: string, compactUrl: string, environment: NodeJS.ProcessEnv): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [probe, nodeUrl, compactUrl], {
    // gRPC's own variable would replace the roots that the system trusts.
    env: { ...process.env, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: '', ...environment },
  });
  return JSON.parse(stdout);
}

test('https is TLS, with certificates that the system trusts', async (t) => {
  const { node, server } = await start(t, true);
  const trusting = { NODE_EXTRA_CA_CERTS: CERTIFICATE };
  t.deepEqual(await ask(node.url, `https://${server.host}`, trusting), [TIP, TIP]);
});

test('a certificate that nobody vouches for is refused', async (t) => {
  const { node, server } = await start(t, true);
  t.deepEqual(await ask(node.url, `https://${server.host}`, {}), [
    'NODE_UNREACHABLE',
    'COMPACT_SERVER_UNREACHABLE',
  ]);
});

test('https to a server without TLS fails, and never falls back to plain text', async (t) => {
  const { node, server } = await start(t, false);
  const nodeUrl = node.url.replace('http:', 'https:');
  t.deepEqual(await ask(nodeUrl, `https://${server.host}`, {}), [
    'NODE_UNREACHABLE',
    'COMPACT_SERVER_UNREACHABLE',
  ]);
  t.deepEqual([...node.calls, ...server.calls], []);
});

test('plain text to a server with TLS fails', async (t) => {
  const { node, server } = await start(t, true);
  const answers = await ask(node.url.replace('https:', 'http:'), `http://${server.host}`, {});
  // The node's side hangs up, which is also how some nodes ask for their cookie.
  t.deepEqual(answers, ['NODE_UNAUTHORIZED', 'COMPACT_SERVER_UNREACHABLE']);
});
