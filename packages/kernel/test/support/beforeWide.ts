// Entry of a process in which WebAssembly has run before the wide build is loaded, and runs in a new instance after it.
import { loadKernel } from '../../src/kernel/loadKernel.ts';
import { findNoteFault } from '../../src/kernel/noteSelfTest.ts';
import { prepareWideKernel } from '../../src/kernel/wideFlags.ts';

/** Functions of which each calls the first one through a table: what the kernel never does, and other WebAssembly does. */
const CALLERS = 1_000;

function callThroughTable(): void {
  const leb = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)];
  const section = (id: number, bytes: number[]): number[] => [id, ...leb(bytes.length), ...bytes];
  const times = <T>(value: T): T[] => Array.from({ length: CALLERS }, () => value);
  const seven = [4, 0, 0x41, 7, 0x0b];
  const indirectly = [7, 0, 0x41, 0, 0x11, 0, 0, 0x0b];
  const types = section(1, [1, 0x60, 0, 1, 0x7f]);
  const functions = section(3, [...leb(CALLERS + 1), 0, ...times(0)]);
  const table = section(4, [1, 0x70, 0, 1]);
  const exported = section(7, [1, 1, 0x66, 0, ...leb(CALLERS)]);
  const elements = section(9, [1, 0, 0x41, 0, 0x0b, 1, 0]);
  const code = section(10, [...leb(CALLERS + 1), ...seven, ...times(indirectly).flat()]);
  const parts = [[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], types, functions, table, exported, elements, code];
  const module = new WebAssembly.Module(Uint8Array.from(parts.flat()));
  const { f } = new WebAssembly.Instance(module).exports as { f: () => number };
  for (let i = 0; i < 1_000; i++) if (f() !== 7) throw new Error('a call through a table');
}

if (process.argv[2] === 'prepared') prepareWideKernel();
callThroughTable();
const before = await loadKernel({ choice: 'portable' });
const faults = [findNoteFault(before)];
const after = await loadKernel({ choice: 'watched wide' });
callThroughTable();
for (const module of [before, after, ...(after.watch?.others ?? [])]) faults.push(findNoteFault(module));
process.stdout.write(JSON.stringify({ variant: after.variant, reason: after.reason, faults }));
