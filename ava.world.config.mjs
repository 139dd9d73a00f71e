// The suite against what others built (`npm run test:world`): servers, wallets, browsers, file systems. One file at a time.
export default {
  files: ['dist/test/world/**/*.world.js'],
  timeout: '60m',
  concurrency: 1,
};
