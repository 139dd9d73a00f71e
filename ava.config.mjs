// Tests run compiled (worker threads cannot load TypeScript on Node 20). The folder may be changed to build elsewhere.
const out = process.env.WALLET_COMPANION_OUT ?? 'dist';
/** `npm run test:cpu` counts by process. */
const counting = process.env.WALLET_COMPANION_TEST_CPU === undefined ? {} : { require: ['./scripts/cpuOfTest.mjs'], workerThreads: false };

export default {
  files: [`${out}/test/**/*.test.js`, 'packages/*/dist/test/**/*.test.js'],
  // Without any test ending: the longest takes a minute or two, and a machine ten times slower is to pass too.
  timeout: '30m',
  ...counting,
};
