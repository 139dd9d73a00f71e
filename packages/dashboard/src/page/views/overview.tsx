// The first page: the balance and its certainty, its history, and the latest transactions.

import { useMemo } from 'preact/hooks';
import { UNIT } from '../../model/amounts.ts';
import { balanceSentence, balanceState } from '../../model/balance.ts';
import { balanceHistory } from '../../model/history.ts';
import { unknownUpgradeText } from '../../model/serverText.ts';
import type { Funds } from '../live/funds.ts';
import { useApp } from '../parts/app.ts';
import { Chart } from '../parts/chart.tsx';
import { Actions, Card, Table } from '../parts/layout.tsx';
import { SyncButton, SyncState } from '../parts/sync.tsx';
import { Amount, Hint } from '../parts/text.tsx';
import { Transactions } from '../parts/transactions.tsx';

const LATEST = 5;

export function Overview() {
  const { store } = useApp();
  const { funds } = store;
  return (
    <div class="columns">
      <div>
        <Balance />
        <Card title="Scan">
          <SyncState />
          <Actions>
            <SyncButton source={store.follow?.source ?? 'node'} />
            <a href="#/scan">Details</a>
          </Actions>
        </Card>
      </div>
      <div>
        <Card title="History" aside={<span class="hint">{`in ${UNIT}`}</span>}>
          {funds && <History funds={funds} />}
        </Card>
        <Card title="Latest transactions">
          {funds && (
            <Transactions shown={funds.transactions.slice(0, LATEST)} nothing="None are known yet." />
          )}
          <p class="more">
            <a href="#/activity">All transactions</a>
          </p>
        </Card>
      </div>
    </div>
  );
}

function Balance() {
  const { formats, store } = useApp();
  const outdated = unknownUpgradeText(store.servers, formats);
  const balance = store.funds?.balance;
  const isUnknown = balance !== undefined && balanceState(balance) === 'unknown';
  const pending = balance?.pending_zatoshi
    ? `${formats.amountText(balance.pending_zatoshi)} of it still waits for confirmations. `
    : '';
  const warning = pending + (balance?.warning ?? '');
  return (
    <Card title="Balance">
      <p class="total">
        {balance === undefined ? (
          'Reading…'
        ) : isUnknown ? (
          'Unknown'
        ) : (
          <Amount zatoshi={balance.total_zatoshi} />
        )}
      </p>
      {balance && <Hint text={balanceSentence(balance, store.sync?.chain_tip ?? null, formats)} />}
      {outdated && (
        <p class="notice" role="alert">
          {outdated}
        </p>
      )}
      {warning && <p class="notice">{warning}</p>}
      <Table class="pools" heads={['Pool', 'Amount', 'Notes']} numbers={['Amount', 'Notes']}>
        {/* The companion lists pools by age; users look for the newest first. */}
        {Object.entries(balance?.pools ?? {})
          .toReversed()
          .map(([pool, part]) => (
            <tr key={pool}>
              <th scope="row" class="pool">
                {pool}
              </th>
              <td class="number">{isUnknown ? 'unknown' : <Amount zatoshi={part.total_zatoshi} />}</td>
              <td class="number">{isUnknown ? 'unknown' : formats.count(part.note_count)}</td>
            </tr>
          ))}
      </Table>
    </Card>
  );
}

function History({ funds }: { funds: Funds }) {
  const { formats } = useApp();
  const { balance, transactions, isCut } = funds;
  const points = useMemo(() => balanceHistory(balance.total_zatoshi, transactions), [funds]);
  const nowMs = useMemo(() => Math.max(Date.now(), points.at(-1)?.atMs ?? 0), [points]);
  if (balanceState(balance) === 'unknown')
    return <Hint text="There is nothing to draw before the first scan." />;
  if (points.length === 0) return <Hint text="No transactions have been found yet." />;
  const note = [
    ...(balance.complete ? [] : ['Blocks are missing, so this may change.']),
    ...(isCut ? [`The latest ${formats.count(transactions.length)} transactions.`] : []),
  ];
  return (
    <>
      <Chart points={points} nowMs={nowMs} />
      <Hint text={note.join(' ')} />
    </>
  );
}
