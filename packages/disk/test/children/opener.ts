// Opens a seal again and again, wipes what it got, and waits to be looked at: key, nonce, sealed bytes and context come as
// arguments.
import { xchacha } from '../../src/disk/sealing/xchacha.ts';

const [key, nonce, sealed, context] = process.argv
  .slice(2)
  .map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')));
const kept: Uint8Array[] = [];
for (let i = 0; i < 20; i++) {
  const opened = xchacha().decrypt(key!, nonce!, sealed!, context!);
  if (opened === undefined) throw new Error('it does not open');
  opened.fill(0);
  kept.push(opened);
}
process.stdout.write(`opened ${kept.length}\n`);
process.stdin.resume();
