// The node's cookie goes to the address that config.json or the command line names, and to none that a caller set. Real
// servers write down what they are shown.
import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { mayHaveCookie } from '#chain/context/chainContext';
import type { Config } from '../../../src/actors/wallet/ports/configFile.ts';
import { RecordingServer } from '../../helpers/recordingServer.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../helpers/walletHarness.ts';

interface Companion {
  readonly wallet: WalletHarness;
  readonly folder: string;
  /** A sync, and the text of its failure. */
  sync(input?: object): Promise<string>;
  setNode(url: string): Promise<void>;
  config(): Record<string, unknown>;
  /** Edits config.json while stopped and starts again. */
  restart(edit?: Record<string, unknown>, flags?: Partial<Config>): Promise<Companion>;
}

async function companionOn(
  t: ExecutionContext,
  folder: string,
  flags: Partial<Config> = {},
): Promise<Companion> {
  const file = path.join(folder, 'config.json');
  const config = (): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8'));
  const wallet = await startWallet(t, { folder, config: flags });
  if (!(await wallet.call('wallet.exists')).exists) {
    await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 2_000_000 });
  }
  return {
    wallet,
    folder,
    sync: async (input = {}) => {
      const message = { name: 'sync.run', input: { password: PASSWORD, ...input }, requestId: 'r' };
      const result = await wallet.actor.dispatch(message);
      if (result.ok) return '';
      const codes = [
        'NODE_UNAUTHORIZED',
        'NODE_BAD_RESPONSE',
        ...('node_url' in input ? ['NODE_UNREACHABLE'] : []),
      ];
      t.true(codes.includes(result.error.code), result.error.code);
      return result.error.detail;
    },
    setNode: async (url) => {
      await wallet.call('config.node_url', { url });
    },
    config,
    restart: async (edit = {}, flags = {}) => {
      await wallet.stop();
      writeFileSync(file, JSON.stringify({ ...config(), ...edit }));
      return companionOn(t, folder, flags);
    },
  };
}

/** A companion whose owner names `node` in config.json. */
async function setUp(
  t: ExecutionContext,
  node: RecordingServer | undefined,
  flags: Partial<Config> = {},
): Promise<Companion> {
  const folder = temporaryFolder(t);
  const cookie = path.join(folder, 'cookie');
  writeFileSync(cookie, '__cookie__:secret');
  const named = node === undefined ? {} : { node_url: node.url };
  const config = { network: 'main', node_cookie_file: cookie, ...named };
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
  return companionOn(t, folder, flags);
}

test('an address in a request gets no cookie, unless it is the one that config.json names', async (t) => {
  const [node, stranger] = [await RecordingServer.start(t), await RecordingServer.start(t)];
  const companion = await setUp(t, node);
  await companion.sync();
  t.true(node.sawCookie());
  const detail = await companion.sync({ node_url: stranger.url });
  t.false(stranger.sawCookie());
  t.regex(detail, /that the request names/);
  await companion.sync({ node_url: `${node.url}/` });
  t.true(node.sawCookie());
});

test('an address set over HTTP gets none, not after a restart either', async (t) => {
  const [node, stranger] = [await RecordingServer.start(t), await RecordingServer.start(t)];
  const companion = await setUp(t, node);
  t.is(
    await companion.wallet.failure('config.node_url', { url: stranger.url, probe: true }),
    'NODE_UNREACHABLE',
  );
  t.false(stranger.sawCookie());
  await companion.setNode(stranger.url);
  await companion.sync();
  t.false(stranger.sawCookie());
  const again = await companion.restart();
  await again.sync();
  t.false(stranger.sawCookie());
  t.is((await again.wallet.call('config.get')).node_url, stranger.url);
  t.is(node.sawCookie(), undefined);
});

test('the named address set again over HTTP has its cookie, before and after a restart', async (t) => {
  const [node, stranger, other] = [
    await RecordingServer.start(t),
    await RecordingServer.start(t),
    await RecordingServer.start(t),
  ];
  const companion = await setUp(t, node);
  await companion.setNode(stranger.url);
  await companion.setNode(other.url);
  const again = await companion.restart();
  await again.setNode(stranger.url);
  await again.sync({ node_url: node.url });
  t.true(node.sawCookie(), 'it is still the one that config.json names');
  await again.setNode(node.url);
  await again.sync();
  t.true(node.sawCookie());
  t.is(again.config()['node_url_over_http'], null);
  await (await again.restart()).sync();
  t.true(node.sawCookie());
  t.is(stranger.sawCookie(), undefined);
});

test('setting over HTTP what is named already leaves no mark', async (t) => {
  const node = await RecordingServer.start(t);
  const companion = await setUp(t, node);
  await companion.setNode(node.url);
  t.false('node_url_over_http' in companion.config());
});

test('a person who edits node_url has the cookie sent there', async (t) => {
  const [node, stranger, next] = [
    await RecordingServer.start(t),
    await RecordingServer.start(t),
    await RecordingServer.start(t),
  ];
  const companion = await setUp(t, node);
  await companion.setNode(stranger.url);
  const edited = await companion.restart({ node_url: next.url });
  await edited.sync();
  t.true(next.sawCookie());
  await edited.setNode(stranger.url);
  await edited.sync();
  t.false(stranger.sawCookie());
  const trusting = await edited.restart({ node_url_over_http: null });
  await trusting.sync();
  t.true(stranger.sawCookie(), 'the mark was taken away by hand');
});

test('a flag names the node for its run', async (t) => {
  const [node, flagged, stranger] = [
    await RecordingServer.start(t),
    await RecordingServer.start(t),
    await RecordingServer.start(t),
  ];
  const companion = await setUp(t, node, { node_url: flagged.url });
  await companion.sync();
  t.true(flagged.sawCookie());
  await companion.setNode(stranger.url);
  await companion.sync();
  t.false(stranger.sawCookie());
  await companion.setNode(flagged.url);
  await companion.sync();
  t.true(flagged.sawCookie());
  const without = await companion.restart();
  await without.sync();
  t.false(flagged.sawCookie(), 'config.json has it from HTTP alone');
  const again = await without.restart({}, { node_url: flagged.url });
  await again.sync();
  t.true(flagged.sawCookie());
});

test('the owner of the files may name the node while running, and try it first', async (t) => {
  const [node, next] = [await RecordingServer.start(t), await RecordingServer.start(t)];
  const companion = await setUp(t, node);
  const message = { name: 'config.node_url', requestId: 'r', byOwner: true };
  await companion.wallet.actor.dispatch({ ...message, input: { url: next.url, probe: true } });
  t.true(next.sawCookie());
  await companion.wallet.actor.dispatch({ ...message, input: { url: next.url } });
  await companion.sync();
  t.true(next.sawCookie());
  await (await companion.restart()).sync();
  t.true(next.sawCookie());
});

test('nothing but true makes a message the owner’s', async (t) => {
  const [node, stranger] = [await RecordingServer.start(t), await RecordingServer.start(t)];
  const companion = await setUp(t, node);
  for (const byOwner of [undefined, null, 1, 'true', {}]) {
    const input = { url: stranger.url };
    await companion.wallet.actor.dispatch({ name: 'config.node_url', input, requestId: 'r', byOwner });
    await companion.sync();
    t.false(stranger.sawCookie());
  }
  const result = await companion.wallet.actor.dispatch({
    name: 'config.node_url',
    input: { url: stranger.url, byOwner: true },
    requestId: 'r',
  });
  t.is(result.ok ? undefined : result.error.code, 'INVALID_REQUEST');
});

test('no cookie goes in clear to another interface than loopback', async (t) => {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  if (outside === undefined) {
    t.pass('this machine has no other interface');
    return;
  }
  const node = await RecordingServer.start(t, outside.address);
  const companion = await setUp(t, node);
  t.regex(await companion.sync(), /on this machine or over https/);
  t.false(node.sawCookie());
});

test('a redirect is not followed', async (t) => {
  const [node, stranger] = [await RecordingServer.start(t), await RecordingServer.start(t)];
  node.redirectTo = stranger.url;
  const companion = await setUp(t, node);
  t.regex(await companion.sync(), /redirect/);
  t.true(node.sawCookie());
  t.is(stranger.sawCookie(), undefined);
});

test('a node in place of the default address is reported, the default address itself is not', async (t) => {
  const companion = await setUp(t, undefined);
  await companion.setNode('http://127.0.0.1:1');
  t.deepEqual(companion.config()['node_url_over_http'], {
    node_url: 'http://127.0.0.1:1',
    instead_of: 'http://127.0.0.1:8232',
  });
  await companion.setNode('http://127.0.0.1:8232');
  t.is(companion.config()['node_url_over_http'], null);
});

// ---------------------------------------------------------------------------------------------------------------------
// The rule alone

for (const url of [
  'http://127.0.0.1:8232',
  'http://127.9.9.9:8232',
  'http://localhost:8232',
  'http://LOCALHOST:8232',
  'http://[::1]:8232',
  'http://127.1:8232',
  'http://2130706433:8232',
  'https://node.example.org',
  'https://192.168.1.2:8232/rpc',
]) {
  test(`named, it may have the cookie: ${url}`, (t) => {
    t.true(mayHaveCookie(url, ['http://127.0.0.1:1', url]));
    t.false(mayHaveCookie(url, ['http://127.0.0.1:1']));
  });
}

for (const url of [
  'http://node.example.org:8232',
  'http://192.168.1.2:8232',
  'http://0.0.0.0:8232',
  'http://[::]:8232',
  'http://[::ffff:127.0.0.1]:8232',
  'http://localhost.:8232',
  'http://localhost.example.org:8232',
  'http://127.0.0.1.example.org:8232',
  'http://127.0.0.1@example.org:8232',
  'ftp://127.0.0.1',
  '',
  'nothing',
]) {
  test(`even named, it may not: ${url}`, (t) => {
    t.false(mayHaveCookie(url, [url]));
  });
}

for (const [url, named] of [
  ['http://127.0.0.1:8232', 'http://localhost:8232'],
  ['http://127.0.0.1:8233', 'http://127.0.0.1:8232'],
  ['http://127.0.0.1:8232', 'https://127.0.0.1:8232'],
  ['https://node.example.org/other', 'https://node.example.org/rpc'],
  ['https://evil.example.org', 'https://node.example.org'],
] as const) {
  test(`${url} is not ${named}`, (t) => {
    t.false(mayHaveCookie(url, [named]));
  });
}
