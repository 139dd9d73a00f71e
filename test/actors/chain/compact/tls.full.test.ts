import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream';
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
    env: { ...process.env, ...environment },
  });
  return JSON.parse(stdout);
}

/** The port at this address whose connections are carried on; ends and faults of one side are the other's. */
async function relay(t: ExecutionContext, to: string, at: string): Promise<number> {
  const [host, port] = to.split(':');
  const server = createServer((socket) => {
    pipeline(socket, connect(Number(port), host), socket, () => undefined);
  });
  await once(server.listen(0, at), 'listening');
  t.teardown(() => void server.close());
  return (server.address() as { readonly port: number }).port;
}

test('https is TLS, with certificates that the system trusts', async (t) => {
  const { node, server } = await start(t, true);
  const trusting = { NODE_EXTRA_CA_CERTS: CERTIFICATE };
  t.deepEqual(await ask(node.url, `https://${server.host}`, trusting), [TIP, TIP]);
});

test('no variable of a library decides about roots, ciphers, verification or the way to a server', async (t) => {
  const { node, server } = await start(t, true);
  const library = {
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: '/missing',
    GRPC_SSL_CIPHER_SUITES: 'none',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
  const url = `https://${server.host}`;
  t.deepEqual(await ask(node.url, url, { ...library, NODE_EXTRA_CA_CERTS: CERTIFICATE }), [TIP, TIP]);
  const replaced = { ...library, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: CERTIFICATE };
  t.deepEqual(await ask(node.url, url, replaced), ['NODE_UNREACHABLE', 'COMPACT_SERVER_UNREACHABLE']);
  if (process.platform !== 'linux') return;
  // An address that gRPC does not know as one of this machine.
  const plain = await start(t, false);
  const port = await relay(t, plain.server.host, '127.0.0.1');
  const proxy = { http_proxy: 'http://127.0.0.1:1', no_proxy: '' };
  t.deepEqual(await ask(plain.node.url, `http://0.0.0.0:${port}`, proxy), [TIP, TIP]);
});

test('a certificate is for the host by its name or by its address, and for no other', async (t) => {
  const { node, server } = await start(t, true);
  const trusting = { NODE_EXTRA_CA_CERTS: CERTIFICATE };
  const port = Number(server.host.split(':').at(-1));
  const answers = (host: string) => ask(node.url, `https://${host}`, trusting);
  t.deepEqual(await answers(`localhost:${port}`), [TIP, TIP]);
  t.deepEqual(await answers(`127.0.0.1:${port}`), [TIP, TIP]);
  // Linux alone has more addresses of this machine from the start.
  if (process.platform !== 'linux') return;
  const other = `127.0.0.2:${await relay(t, `127.0.0.1:${port}`, '127.0.0.2')}`;
  t.deepEqual(await answers(other), [TIP, 'COMPACT_SERVER_UNREACHABLE']);
});

test('a certificate without a trusted issuer is refused', async (t) => {
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
