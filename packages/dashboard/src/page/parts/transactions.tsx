// Transactions as an expandable list, one line each with details below it; and notes as a table that becomes cards on a
// narrow screen.

import { type Note, noteWaits, waitingText } from '../../model/funds.ts';
import { changeOf, kindOf, type Transaction } from '../../model/transactions.ts';
import { activityTexts } from '../../texts/activity.ts';
import { receiptsTexts } from '../../texts/receipts.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { formats, leastConfirmations, store, to } from '../live/app.ts';
import { Facts, Table } from './layout.tsx';
import { Amount, CopyButton, type HasMemo, Hint, Label, Memo } from './text.tsx';

/** What to do where nothing is known. */
export function Nothing() {
  const texts = activityTexts();
  const isScanned = store.funds?.balance.as_of_height != null;
  return (
    <p class="hint">
      {`${isScanned ? texts.noTransactions : texts.notScanned} `}
      <a href={to(isScanned ? 'receive' : 'scan')}>{isScanned ? texts.showAddress : texts.beginScan}</a>
    </p>
  );
}

export const Transactions = ({ shown }: { shown: readonly Transaction[] }) => (
  <ul class="transactions">
    {shown.map((transaction) => (
      <Line key={transaction.txid} transaction={transaction} />
    ))}
  </ul>
);

function Line({ transaction }: { transaction: Transaction }) {
  const { txid, height, confirmations, fee_zatoshi: fee, received_outputs, sent_outputs } = transaction;
  const texts = activityTexts();
  // The wallet's own change is left out.
  const received = received_outputs.filter(({ scope }) => scope === 'external');
  const sent = sent_outputs.filter(({ scope }) => scope === 'external');
  const memo = [...received, ...sent].find((output) => output.memo?.text !== undefined)?.memo?.text;
  const label = received_outputs.find((output) => output.label !== null)?.label;
  const waits = waitingText(confirmations, transaction.spent_zatoshi > 0, leastConfirmations());
  const id = (
    <span class="with-copy">
      <code>{txid}</code>
      <CopyButton what={texts.transactionId} text={txid} />
    </span>
  );
  return (
    <li>
      <details>
        <summary class={waits && 'waits'}>
          <span>
            {kindOf(transaction)}
            <Label text={label} />
            <Label text={waits} />
          </span>
          <span class="when hint">{formats.moment(transaction.time)}</span>
          {memo !== undefined && <span class="memo-line">{memo}</span>}
          <Amount zatoshi={changeOf(transaction)} isChange />
        </summary>
        <div class="details">
          <Facts
            rows={[
              [
                texts.block,
                `${formats.count(height)}, ${waits ?? formats.counted(confirmations, 'confirmation')}`,
              ],
              fee !== null && [texts.fee, formats.amountText(fee)],
              [texts.transaction, id],
            ]}
          />
          {[...received, ...sent].map((one, index) => (
            <Part key={index} {...one} />
          ))}
          {transaction.complete || <Hint text={texts.notWhole} />}
          {sent.length > 0 && <ReceiptLink txid={txid} />}
        </div>
      </details>
    </li>
  );
}

/** To the receipts for what it paid to others in shielded pools; what a transparent output pays, everybody can read. */
export const ReceiptLink = ({ txid }: { txid: string }) => (
  <p>
    <a href={to(`receipts/${txid}`)}>{receiptsTexts().makeOne}</a>
  </p>
);

type Output = { pool: string; value_zatoshi: number; label?: string | null; recipient?: string } & HasMemo;

function Part({ pool, value_zatoshi, label, recipient, memo }: Output) {
  const amount = formats.amountText(value_zatoshi);
  const texts = activityTexts();
  return (
    <div class="part">
      {recipient === undefined ? texts.receivedIn(pool, amount) : texts.sentTo(amount)}
      <Label text={label} />
      {recipient !== undefined && <code>{recipient}</code>}
      <Memo memo={memo} />
    </div>
  );
}

export function Notes({ shown }: { shown: readonly Note[] }) {
  const texts = activityTexts();
  const heads = [texts.pool, texts.block, texts.memo, texts.state, sharedTexts().amount];
  return (
    <Table class="notes" heads={heads} numbers={1}>
      {shown.map((note, index) => {
        const { pool, scope, label, height, memo, spent, value_zatoshi } = note;
        return (
          <tr key={index}>
            <td class="pool">
              {pool}
              <Label text={scope === 'internal' ? texts.change : null} />
              <Label text={label} />
            </td>
            <td>{formats.count(height)}</td>
            <td class="memo-cell" dir="auto" children={memo?.text ?? (memo ? texts.notText : '')} />
            <td class={spent ? 'hint' : ''}>
              {spent
                ? texts.spentIn(formats.count(spent.height))
                : (noteWaits(note, leastConfirmations()) ?? texts.unspent)}
            </td>
            <td class="number">
              <Amount zatoshi={value_zatoshi} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
