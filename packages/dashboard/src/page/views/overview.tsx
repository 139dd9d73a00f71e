// The first page: the balance and its certainty, its history, and the latest transactions.

import { useMemo } from 'preact/hooks';
import { UNIT } from '../../model/amounts.ts';
import { balanceSentence, balanceState } from '../../model/balance.ts';
import type { Funds } from '../../model/funds.ts';
import { balanceHistory } from '../../model/history.ts';
import { unknownUpgradeText } from '../../model/serverText.ts';
import { formats, store } from '../live/app.ts';
import { Chart } from '../parts/chart.tsx';
import { Actions, Card, Columns, Table } from '../parts/layout.tsx';
import { SyncButton, SyncState } from '../parts/sync.tsx';
import { Amount, Hint, Notice } from '../parts/text.tsx';
import { Transactions } from '../parts/transactions.tsx';

export function Overview() {
  const { funds, follow } = store;
  return (
    <Columns>
      <Balance />
      <Card title="Scan">
        <SyncState />
        <Actions>
          <SyncButton source={follow?.source ?? 'node'} />
          <a href="#/scan">Details</a>
        </Actions>
      </Card>
      <Card title="History" aside={<span class="hint">{`in ${UNIT}`}</span>}>
        {funds && <History funds={funds} />}
      </Card>
      <Card title="Latest transactions">
        {funds && <Transactions shown={funds.transactions.slice(0, 5)} nothing="None are known yet." />}
        <p class="more">
          <a href="#/activity">All transactions</a>
        </p>
      </Card>
    </Columns>
  );
}

function Balance() {
  const { funds, servers, sync } = store;
  const balance = funds?.balance;
  const isUnknown = balance === undefined || balanceState(balance) === 'unknown';
  const pending = balance?.pending_zatoshi
    ? `${formats.amountText(balance.pending_zatoshi)} of it still waits for confirmations. `
    : '';
  return (
    <Card title="Balance">
      <p class="total">
        {balance === undefined && 'Reading…'}
        {balance && (isUnknown ? 'Unknown' : <Amount zatoshi={balance.total_zatoshi} />)}
      </p>
      <Hint text={balance && balanceSentence(balance, sync?.chain_tip ?? null, formats)} />
      <Notice text={unknownUpgradeText(servers, formats)} role="alert" />
      <Notice text={pending + (balance?.warning ?? '')} />
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
  if (balanceState(balance) === 'unknown')
    return <Hint text="There is nothing to draw before the first scan." />;
  if (points.length === 0) return <Hint text="No transactions have been found yet." />;
  const missing = balance.complete ? '' : 'Blocks are missing, so this may change. ';
  const cut = isCut ? `The latest ${formats.count(transactions.length)} transactions.` : '';
  return (
    <>
      <Chart points={points} />
      <Hint text={missing + cut} />
    </>
  );
}
