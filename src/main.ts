#!/usr/bin/env node
// The program: the command line in the context of this process. What it is made of is wired in composition/.

// First: until it is loaded a SIGHUP would end the process.
import './service/hangup.ts';
import { systemReason, systemWords } from '@wallet-companion/client/contract';

/** Its parts open many files at once, which the machine may refuse. */
const { runCli, environment, kernel, lastLines, writeWhole } = await load().catch((error: unknown) => {
  if (systemReason(error) === undefined) throw error;
  console.error(`The program could not be loaded${systemWords(error)}`);
  process.exit(7);
});

// Before any thread: there is no WebAssembly yet.
kernel.prepareWideKernel();

// What fails is reported where it was written: what runs goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => undefined);
  writeWhole(stream);
}

const exitCode = await runCli(process.argv.slice(2), environment);
process.exitCode = exitCode;
if (!(await lastLines())) process.exit(exitCode);

async function load() {
  const { runCli } = await import('./cli/runCli.ts');
  const { environment } = await import('./composition/environment.ts');
  const { lastLines, writeWhole } = await import('./terminal/lineWriter.ts');
  const kernel = await import('@wallet-companion/kernel/kernelProcess');
  return { runCli, environment, kernel, lastLines, writeWhole };
}
