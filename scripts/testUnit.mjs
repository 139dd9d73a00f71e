// `npm run test:unit`: the tests that only compute, without sockets, threads, processes or files of their own. Folders say
// which tests these are: the rooms that only compute, and `unit` for the others.
import { buildAndRunAva } from './runAva.mjs';
import { quickTests } from './testFiles.mjs';
import { grouped } from './testGroups.mjs';

const COMPUTES = /^(?:packages\/(?:base|zcash|pczt)\/test\/|(?:packages\/\w+\/)?test\/(?:unit|protocol)\/)/;

await buildAndRunAva(process.argv.slice(2), () =>
  grouped(quickTests().filter((test) => COMPUTES.test(test))),
);
