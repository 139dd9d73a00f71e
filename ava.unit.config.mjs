// `npm run test:unit`: computation alone, no sockets, threads, processes or files of the tests' own.
const out = process.env.WALLET_COMPANION_OUT ?? 'dist';

const folders = ['shielded', 'async', 'protocol'];
/** Tests of the same kind in folders that also have others. */
const single = [
  ['architecture', 'docs', 'plan', 'batchInversion', 'fastestEntry', 'humanText', 'xchacha', 'jsonDocument'],
  ['ranges', 'nullifierIndex', 'stopSignal', 'after', 'inOrder', 'patience', 'prefetch', 'blockPacking'],
  ['compactServerUrl', 'storedTreeSizes', 'eventLog'],
].flat();

export default {
  files: [
    `{${out},packages/shielded/dist}/test/{${folders}}/**/*.test.js`,
    `{${out},packages/shielded/dist}/test/**/{${single}}.test.js`,
  ],
  timeout: '30m',
};
