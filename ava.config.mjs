// Tests run compiled (worker threads cannot load TypeScript on Node 20). The folder may be changed to build elsewhere.
const out = process.env.WALLET_COMPANION_OUT ?? 'dist';

export default {
  files: [`${out}/test/**/*.test.js`],
  timeout: '10m',
};
