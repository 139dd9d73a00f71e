#!/usr/bin/env node
// The program: the command line in the context of this process. What it is made of is wired in composition/.

// First: until it is loaded a SIGHUP would end the process.
import './service/hangup.ts';
import { runCli } from './cli/runCli.ts';
import { environment } from './composition/environment.ts';

// Before any thread: there is no WebAssembly yet.
const { prepareWideKernel } = await import('@wallet-companion/shielded/kernelProcess');
prepareWideKernel();

/** Whoever reads may have seen enough (`| head`): that is no fault, and what runs goes on to its end. */
function outliveReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
process.stdout.on('error', outliveReader);
process.stderr.on('error', outliveReader);

process.exitCode = await runCli(process.argv.slice(2), environment);
