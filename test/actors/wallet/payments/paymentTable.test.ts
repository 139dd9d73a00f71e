// The table of docs/inside/pczt.md, which call does what in which status, against the table that decides it.

import { readFileSync } from 'node:fs';
import test from 'ava';
import {
  discard,
  type PaymentEvent,
  type Reaction,
  reactionTo,
  sending,
  UNSENT,
} from '../../../../src/actors/wallet/payments/paymentState.ts';
import { PAYMENT_STATUSES } from '../../../../src/protocol/operations/preparedPaymentFields.ts';
import { madeUpPayment } from '../../../helpers/madeUpPayment.ts';

const EXCEPTION = 'refused; → `discarded` for a `lost_note` that was never sent';

const SAID: Readonly<Record<string, Reaction>> = {
  given: 'yes',
  'given as it is': 'same',
  taken: 'yes',
  signs: 'yes',
  proves: 'yes',
  'says what is missing': 'yes',
  'asks, then sends again': 'yes',
  '`unsent` → `sent`': 'yes',
  '→ `discarded`': 'yes',
  'changes nothing': 'same',
  refused: 'no',
  [EXCEPTION]: 'no',
};

const TITLES: Readonly<Record<PaymentEvent, string>> = {
  pczt: 'PCZT for a signer or prover',
  copy: 'PCZT for `anyone`',
  combine: '`combine`',
  sign: '`sign`',
  prove: '`prove`',
  reprove: '`prove` with `replace`',
  broadcast: '`broadcast`',
  discard: '`discard`',
};

const STATES = [UNSENT, sending({ at: 1, source: 'node', transaction: '00' }), discard(UNSENT, 1)] as const;

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

test('docs/inside/pczt.md says of each call in each status what the code does', (t) => {
  const page = readFileSync('docs/inside/pczt.md', 'utf8');
  const table = page.slice(page.indexOf('\n| | `prepared`') + 1);
  const [head = [], , ...rows] = table.slice(0, table.indexOf('\n\n')).split('\n').map(cells);
  const columns = head.map((cell) => PAYMENT_STATUSES.filter((status) => cell.includes(`\`${status}\``)));
  t.deepEqual(columns.flat().sort(), [...PAYMENT_STATUSES].sort());
  for (const [event, title] of Object.entries(TITLES) as [PaymentEvent, string][]) {
    const row = rows.find(([cell]) => cell === title) ?? [];
    for (const [at, statuses] of columns.entries())
      for (const status of statuses)
        for (const state of STATES) {
          const output = row[at] ?? '';
          const isException = output === EXCEPTION && status === 'lost_note' && state.kind === 'unsent';
          const reaction = reactionTo(event, madeUpPayment(1, { state }), status);
          const place = `${event}, ${status}, ${state.kind}: ${output}`;
          t.is(reaction, isException ? 'yes' : SAID[output]!, place);
        }
  }
});
