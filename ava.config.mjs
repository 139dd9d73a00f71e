// Tests run compiled (worker threads cannot load TypeScript on Node 20), and bundled where a script of ours starts them, which
// saves a second of CPU in each file. The folder may be changed to build elsewhere.
const out = process.env.WALLET_COMPANION_OUT ?? 'dist';
const isBundled = process.env.WALLET_COMPANION_BUNDLED !== undefined;
/** `npm run test:cpu` counts by process. */
const counting = process.env.WALLET_COMPANION_TEST_CPU === undefined ? {} : { require: ['./scripts/cpuOfTest.mjs'], workerThreads: false };

/** They begin first: else the last minutes of a run are one of them, alone on its processor. */
const LONGEST = [
  'groups/service-1',
  'groups/service-2',
  'groups/actors-wallet-1',
  'groups/actors-chain-1',
  'docs/commands',
  'service/wallets',
  'service/memory',
  'dashboard/wallet',
  'service/threads',
  'service/restart',
  'crashes/crashes',
  'crashes/powerLoss',
  'storage/killed',
  'service/walletsTogether',
  'actors/chain/hostileSources',
  'service/memoryAfterLock',
  'truth/week',
  'browser/extensions',
];
const begins = (file) => {
  const place = LONGEST.findIndex((name) => file.replace('.full.', '.').endsWith(`/${name}.test.js`));
  return place < 0 ? LONGEST.length : place;
};

export default {
  sortTestFiles: (a, b) => begins(a) - begins(b) || a.localeCompare(b),
  files: isBundled ? [`${out}/tests/**/*.test.js`] : [`${out}/test/**/*.test.js`, 'packages/*/dist/test/**/*.test.js'],
  // Without any test ending: the longest takes a minute or two, and a machine several times slower is to pass too.
  timeout: '10m',
  ...counting,
};
