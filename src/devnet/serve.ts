// The devnet alone, on the ports where a companion on regtest expects its servers:
//   node dist/src/devnet/serve.js [--http PORT] [--seed TEXT] …; --help says the rest
import { runDevnet } from './runDevnet.ts';

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
try {
  await runDevnet({
    args: process.argv.slice(2),
    input: process.stdin,
    print: (line) => console.log(line),
    signal: ending.signal,
  });
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 2;
}
// A terminal that is still open would keep the process.
process.stdin.destroy();
