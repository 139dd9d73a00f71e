// The first page: the balance and its certainty, its history, and the latest transactions.

import { useMemo } from 'preact/hooks';
import { UNIT } from '../../model/amounts.ts';
import { balanceSentence, balanceState } from '../../model/balance.ts';
import { type Funds, waitingZatoshi } from '../../model/funds.ts';
import { supportText, unknownUpgradeText } from '../../model/serverText.ts';
import { balanceHistory } from '../../model/transactions.ts';
import { formats, leastConfirmations, store, to } from '../live/app.ts';
import { Chart } from '../parts/chart.tsx';
import { Actions, Card, Columns, Table } from '../parts/layout.tsx';
import { SyncButton, SyncState, tipNow } from '../parts/sync.tsx';
import { Amount, Hint, Notice } from '../parts/text.tsx';
import { Nothing, Transactions } from '../parts/transactions.tsx';

export function Overview() {
  const { funds } = store;
  return (
    <Columns>
      <Balance />
      <Card title="Scan">
        <SyncState />
        <Actions>
          <SyncButton />
          <a href={to('scan')}>Details</a>
        </Actions>
      </Card>
      <Card title="History" aside={<span class="hint">{`in ${UNIT}`}</span>}>
        {funds && <History funds={funds} />}
      </Card>
      <Card title="Latest transactions">
        {funds && <Transactions shown={funds.transactions.slice(0, 5)} />}
        {funds?.transactions.length === 0 ? (
          <Nothing />
        ) : (
          <p class="more">
            <a href={to('activity')}>All transactions</a>
          </p>
        )}
      </Card>
    </Columns>
  );
}

function Balance() {
  const { funds, servers, follow } = store;
  const canVerify = follow?.verifies_with === 'node';
  const balance = funds?.balance;
  const isUnknown = balance === undefined || balanceState(balance) === 'unknown';
  const waiting = waitingZatoshi(funds?.notes ?? [], leastConfirmations());
  const pending = waiting ? `${formats.amountText(waiting)} of it still waits for confirmations. ` : '';
  const spendable =
    balance &&
    !isUnknown &&
    balance.spendable_zatoshi !== null &&
    balance.spendable_zatoshi !== balance.total_zatoshi
      ? `${formats.amountText(balance.spendable_zatoshi)} of it can be spent now. `
      : '';
  return (
    <Card title="Balance">
      <p class="total">
        {balance === undefined && 'Reading…'}
        {balance && (isUnknown ? 'Unknown' : <Amount zatoshi={balance.total_zatoshi} />)}
      </p>
      <Hint text={balance && balanceSentence(balance, tipNow(), canVerify, formats)} />
      <Notice text={unknownUpgradeText(servers, formats)} role="alert" />
      <Notice text={supportText(servers)} role="alert" />
      <Notice text={spendable + pending + (balance?.warning ?? '')} />
      <Table class="pools" heads={['Pool', 'Amount', 'Notes']} numbers={2}>
        {/* The companion lists pools by age; users look for the newest first. */}
        {Object.entries(balance?.pools ?? {})
          .toReversed()
          .map(([pool, part]) => (
            <tr key={pool}>
              <th scope="row" class="pool" children={pool} />
              <td class="number">{isUnknown ? 'unknown' : <Amount zatoshi={part.total_zatoshi} />}</td>
              <td class="number">{isUnknown ? 'unknown' : formats.count(part.note_count)}</td>
            </tr>
          ))}
      </Table>
    </Card>
  );
}

function History({ funds }: { funds: Funds }) {
  const { balance, transactions, isCut } = funds;
  const points = useMemo(() => balanceHistory(balance.total_zatoshi, transactions), [funds]);
  if (balanceState(balance) === 'unknown') return <Hint text="The line is drawn after the first scan." />;
  if (points.length === 0) return <Hint text="The line begins with the first transaction." />;
  const missing = balance.complete ? '' : 'Blocks are missing, so this may change. ';
  const cut = isCut ? `The latest ${formats.count(transactions.length)} transactions.` : '';
  return (
    <>
      <Chart points={points} />
      <Hint text={missing + cut} />
    </>
  );
}
