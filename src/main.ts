#!/usr/bin/env node
// The program: the command line in the context of this process. What it is made of is wired in composition/.

// First: until it is loaded a SIGHUP would end the process.
import './service/hangup.ts';
import { runCli } from './cli/runCli.ts';
import { environment } from './composition/environment.ts';
import { lastLines, writeWhole } from './terminal/lineWriter.ts';

// Before any thread: there is no WebAssembly yet.
const { prepareWideKernel } = await import('@wallet-companion/kernel/kernelProcess');
prepareWideKernel();

// What fails is told where it was written: what runs goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => undefined);
  writeWhole(stream);
}

const exitCode = await runCli(process.argv.slice(2), environment);
process.exitCode = exitCode;
if (!(await lastLines())) process.exit(exitCode);
