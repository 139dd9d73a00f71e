// Puts payments into the note store of the given folder without end, each once as it was prepared and once with more in it;
// says each that is durable in both forms.

import { madeUpPayment } from '../../helpers/madeUpPayment.ts';
import { MASTER_KEY, noteDatabases } from '../notes/support/noteDatabase.ts';

const store = noteDatabases(process.argv[2] ?? '').open(MASTER_KEY);
// The last one may be half done.
for (let n = Math.max(1, store.payments().length); ; n++) {
  store.putPayment(madeUpPayment(n), 1);
  store.putPayment(madeUpPayment(n, { pczt: new Uint8Array(20_000).fill(n) }), 1);
  await new Promise((resolve) => process.send?.(n, resolve));
}
