// `npm run test:unit`: computation alone, no sockets, threads, processes or files of the tests' own. Folders say which
// tests these are: the rooms that only compute, and `unit` for the others.
const out = process.env.WALLET_COMPANION_OUT ?? 'dist';

export default {
  files: [`${out}/tests/{,packages/*/}test/{unit,shielded,values,protocol}/**/*.test.js`],
  timeout: '30m',
};
