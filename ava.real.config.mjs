// The suite against a real node (`npm run test:real`): minutes of mining and proving, one file at a time.
export default {
  files: ['dist/test/real/**/*.real.js'],
  timeout: '30m',
  concurrency: 1,
};
