// `node scripts/walks.mjs` after a build: how many files and functions a call passes, by V8's own counters around one call: a GET up
// to the actor, and five walks through the wallet actor. Begun twice, counted the second time: what is loaded once is no part of it.
import { Session } from 'node:inspector';
import path from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const root = path.resolve(import.meta.dirname, '..');
const OURS = /\/(?:dist\/src|packages\/(?!devnet)[a-z]+\/dist\/src)\//;
const ZATOSHI = 100_000_000;

if (isMainThread) await walk();
else await serveDevnet();

/** In a thread of its own, whose functions are not counted. */
async function serveDevnet() {
  const { Devnet } = await import('@wallet-companion/devnet');
  const { firstAddress } = await import('@wallet-companion/zcash/addresses');
  const { deriveViewingKeys } = await import('@wallet-companion/zcash/keys');
  const { SEED } = await import('@wallet-companion/pczt/test/spendingAccount');
  const devnet = new Devnet({ seed: 'walks' });
  const address = (account) =>
    firstAddress(deriveViewingKeys(SEED, devnet.params, account), devnet.params, 0n).unifiedAddress;
  const own = address(0);
  parentPort.on('message', async () => {
    devnet.payTo(own, { pool: 'ironwood', zatoshi: ZATOSHI });
    parentPort.postMessage('paid');
  });
  for (const _ of [1, 2]) devnet.payTo(own, { pool: 'ironwood', zatoshi: ZATOSHI });
  devnet.mineEmpty(12);
  parentPort.postMessage({ nodeUrl: await devnet.node.listen(), other: address(7) });
}

async function walk() {
  const { startHttpFront } = await import('../dist/test/helpers/httpFront.js');
  const { startWallet, PASSWORD } = await import('../dist/test/helpers/walletHarness.js');
  const { jsonLink } = await import('../dist/src/protocol/jsonCalls.js');
  const { PHRASE } = await import('@wallet-companion/pczt/test/spendingAccount');
  const ends = [];
  const devnet = new Worker(new URL(import.meta.url));
  ends.push(() => devnet.terminate());
  const next = () => new Promise((resolve) => devnet.once('message', resolve));
  const { nodeUrl, other } = await next();
  const config = { network: 'regtest', node_url: nodeUrl, block_source: 'node', auto_lock_seconds: 0 };
  const wallet = await startWallet({ title: 'walks', teardown: (end) => ends.push(end) }, { config });
  ends.push(() => wallet.stop());
  let reached = () => undefined;
  const { dispatchJson } = jsonLink(wallet.link);
  const behind = {
    ...wallet.link,
    dispatchJson: (...call) => {
      reached();
      return dispatchJson(...call);
    },
  };
  const front = await startHttpFront({ behind });
  ends.push(() => front.close());
  const counter = new Session();
  counter.connect();
  counter.post('Profiler.enable');
  counter.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

  const walks = {
    unlock: {
      before: () => wallet.call('wallet.lock'),
      run: () => wallet.call('wallet.unlock', { password: PASSWORD }),
    },
    balance: { run: () => wallet.call('balance.get') },
    'sync of a block with a note': {
      before: () => {
        devnet.postMessage('pay');
        return next();
      },
      run: () => wallet.call('sync.run'),
    },
    prepare: { run: () => wallet.call('payments.prepare', { address: other, zatoshi: ZATOSHI / 2 }) },
    'invoice create': { run: () => wallet.call('invoices.create', { amount_zatoshi: 1000 }) },
  };
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  await wallet.call('sync.run');
  const get = async () => {
    let counts;
    take(counter);
    reached = () => {
      counts ??= take(counter);
    };
    await front.get('/api/balance');
    return counts;
  };
  await get();
  report('GET /api/balance, before the actor', await get());
  for (const [name, { before = () => undefined, run }] of Object.entries(walks)) {
    await before();
    await run();
    await before();
    take(counter);
    await run();
    report(name, take(counter));
  }
  counter.disconnect();
  for (const end of ends.reverse()) await end();
}

/** Since the last time: `file function` of what was called, with how often. */
function take(counter) {
  let counts = new Map();
  counter.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error;
    const called = result
      .filter(({ url }) => OURS.test(url))
      .flatMap(({ url, functions }) =>
        functions.flatMap(({ functionName, ranges: [range] }) =>
          range.count > 0 && range.startOffset > 0
            ? [[`${url} ${functionName} ${range.startOffset}`, range.count]]
            : [],
        ),
      );
    counts = new Map(called);
  });
  return counts;
}

/** With a name as the argument, that walk's functions are listed. */
function report(name, counts) {
  const files = new Set([...counts.keys()].map((key) => key.split(' ')[0]));
  console.log(`${name}: ${files.size} files, ${counts.size} functions`);
  if (process.argv[2] === undefined || !name.startsWith(process.argv[2])) return;
  for (const [key, count] of counts) {
    const [url, functionName] = key.split(' ');
    const file = path
      .relative(root, url.replace('file://', ''))
      .replace(/(^|\/)dist\//, '$1')
      .replace(/js$/, 'ts');
    console.log(`  ${file} ${functionName || '(closure)'} ${count}`);
  }
}
