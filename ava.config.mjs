// Tests run compiled (worker threads cannot load TypeScript on Node 20). The folder may be changed to build elsewhere.
const out = process.env.WALLET_COMPANION_OUT ?? 'dist';

export default {
  files: [`${out}/test/**/*.test.js`, 'packages/*/dist/test/**/*.test.js'],
  // Without any test ending: the longest takes a minute or two, and a machine ten times slower is to pass too.
  timeout: '30m',
};
