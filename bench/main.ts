// `npm run bench` prints the tables; `npm run bench NAME` one of them. `peers` needs cargo and compiles for minutes, `prover` too where cargo is,
// `memory` reads gigabytes (`-- --gb N`), `sync`, `history` and `answers` scan for minutes: they run only when
// named.
// `scaling` wants a Redis or Valkey.

import { cpus, platform, totalmem } from 'node:os';
import { run as headers } from '@wallet-companion/kernel/bench/headers';
import { run as kernel } from '@wallet-companion/kernel/bench/kernel';
import { run as trees } from '@wallet-companion/kernel/bench/trees';
import { run as reference } from '@wallet-companion/kernel/bench/trialDecryption';
import { prepareWideKernel } from '@wallet-companion/kernel/kernelProcess';
import { run as answers } from './answers.ts';
import { run as compact } from './compactSync.ts';
import { run as history } from './history.ts';
import { run as invoices } from './invoices.ts';
import { run as memory } from './memory.ts';
import { run as notes } from './notes.ts';
import { run as payments } from './payments.ts';
import { run as peers } from './peers.ts';
import { run as prover } from './prover.ts';
import { run as scaling } from './scaling.ts';
import { run as service } from './service.ts';
import { run as begin } from './start.ts';
import { run as sync } from './sync.ts';

prepareWideKernel();

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  reference,
  kernel,
  trees,
  headers,
  start: begin,
  answers,
  service,
  compact,
  invoices,
  memory,
  notes,
  payments,
  peers,
  prover,
  sync,
  history,
  scaling,
};
const USUAL = ['reference', 'kernel', 'trees', 'headers', 'start', 'service', 'compact', 'notes'];

const HELP = `npm run bench                   ${USUAL.join(', ')}
npm run bench NAME ...          these; there are ${Object.keys(BENCHES).join(', ')}
npm run bench NAME -- --OPTION  with options of that bench; docs/inside/performance.md has them

sync, history, answers take minutes, peers and prover compile first, memory reads gigabytes, scaling wants a Redis or Valkey.`;

const words = process.argv.slice(2);
if (words.some((word) => ['--help', '-h', 'help'].includes(word))) {
  console.log(HELP);
  process.exit(0);
}
const options = words.findIndex((word) => word.startsWith('--'));
const wanted = options === -1 ? words : words.slice(0, options);
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(
    `There is no bench "${unknown.join('", "')}"; there are: ${Object.keys(BENCHES).join(', ')}.`,
  );
  process.exit(2);
}
for (const name of wanted.length === 0 ? USUAL : wanted) {
  console.log(`\n== ${name}`);
  await BENCHES[name]!();
}
const processors = cpus();
console.log(
  `\n${processors.length} processors, ${processors[0]?.model.trim() ?? 'unknown'}; ${Math.round(totalmem() / 2 ** 30)} GiB; ${platform()} ${process.arch}; Node ${process.version}`,
);
