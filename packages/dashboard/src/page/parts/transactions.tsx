// Transactions as an expandable list, one line each with details below it; and notes as a table that becomes cards on a
// narrow screen.

import { changeOf, type Transaction } from '../../model/history.ts';
import type { Note } from '../live/funds.ts';
import { useApp } from './app.ts';
import { CopyButton } from './copy.tsx';
import { Facts, Table } from './layout.tsx';
import { Amount, Change, Hint, Label, Memo } from './text.tsx';

export function Transactions({ shown, nothing }: { shown: readonly Transaction[]; nothing: string }) {
  return (
    <ul class="transactions">
      {shown.length === 0 && <li class="hint">{nothing}</li>}
      {shown.map((transaction) => (
        <Line key={transaction.txid} transaction={transaction} />
      ))}
    </ul>
  );
}

function Line({ transaction }: { transaction: Transaction }) {
  const { formats } = useApp();
  const { txid, height, confirmations, fee_zatoshi: fee, received_outputs, sent_outputs } = transaction;
  // The wallet's own change is left out.
  const received = received_outputs.filter(({ scope }) => scope === 'external');
  const sent = sent_outputs.filter(({ scope }) => scope === 'external');
  const memo = [...received, ...sent].find((output) => output.memo?.text !== undefined)?.memo?.text;
  const id = (
    <span class="with-copy">
      <code>{txid}</code>
      <CopyButton what="the transaction id" text={txid} />
    </span>
  );
  return (
    <li>
      <details>
        <summary>
          <span>
            {kindOf(transaction)}
            <Label text={received_outputs.find(({ label }) => label !== null)?.label} />
          </span>
          <span class="when hint">{formats.moment(transaction.time)}</span>
          {memo !== undefined && <span class="memo-line">{memo}</span>}
          <Change zatoshi={changeOf(transaction)} />
        </summary>
        <div class="details">
          <Facts
            rows={[
              ['Block', `${formats.count(height)}, ${formats.counted(confirmations, 'confirmation')}`],
              fee !== null && ['Fee', formats.amountText(fee)],
              ['Transaction', id],
            ]}
          />
          {received.map((output, index) => (
            <div key={index} class="part">
              <p>
                {`Received in ${output.pool}: ${formats.amountText(output.value_zatoshi)}`}
                <Label text={output.label} />
              </p>
              <Memo memo={output.memo} />
            </div>
          ))}
          {sent.map((output, index) => (
            <div key={index} class="part">
              <p>{`Sent: ${formats.amountText(output.value_zatoshi)} to`}</p>
              <code>{output.recipient}</code>
              <Memo memo={output.memo} />
            </div>
          ))}
          {!transaction.complete && (
            <Hint text="The whole transaction has not been read yet: memos may be missing." />
          )}
        </div>
      </details>
    </li>
  );
}

function kindOf({ received_zatoshi, spent_zatoshi, sent_outputs }: Transaction): string {
  if (spent_zatoshi === 0) return 'Received';
  const isInternal = sent_outputs.length > 0 && sent_outputs.every(({ scope }) => scope === 'internal');
  return received_zatoshi > 0 && isInternal ? 'Moved within the wallet' : 'Sent';
}

export function Notes({ shown }: { shown: readonly Note[] }) {
  const { formats } = useApp();
  if (shown.length === 0) return <Hint text="No notes." />;
  return (
    <Table class="notes" heads={['Pool', 'Block', 'Memo', 'State', 'Amount']} numbers={['Amount']}>
      {shown.map((note, index) => (
        <tr key={index}>
          <td class="pool">
            {note.pool}
            {note.scope === 'internal' && <span class="tag">change</span>}
            <Label text={note.label} />
          </td>
          <td>{formats.count(note.height)}</td>
          <td class="memo-cell" dir="auto">
            {note.memo?.text ?? (note.memo === null ? '' : 'not text')}
          </td>
          <td class={note.spent === null ? '' : 'hint'}>
            {note.spent === null ? 'Unspent' : `Spent in block ${formats.count(note.spent.height)}`}
          </td>
          <td class="number">
            <Amount zatoshi={note.value_zatoshi} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
