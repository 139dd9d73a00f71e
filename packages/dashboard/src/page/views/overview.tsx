// The first page: the balance and its certainty, its history, and the latest transactions.

import { useMemo } from 'preact/hooks';
import { UNIT } from '../../model/amounts.ts';
import { balanceSentence, balanceState } from '../../model/balance.ts';
import { type Funds, waitingZatoshi } from '../../model/funds.ts';
import { supportText, unknownUpgradeText } from '../../model/serverText.ts';
import { balanceHistory } from '../../model/transactions.ts';
import { overviewTexts } from '../../texts/overview.ts';
import { scanTexts } from '../../texts/scan.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { formats, leastConfirmations, store, to } from '../live/app.ts';
import { Chart } from '../parts/chart.tsx';
import { Actions, Card, Columns, Table } from '../parts/layout.tsx';
import { Estimate, SyncButton, SyncState, tipNow } from '../parts/sync.tsx';
import { Amount, Hint, Notice } from '../parts/text.tsx';
import { Nothing, Transactions } from '../parts/transactions.tsx';
import { PhraseReminder } from './create.tsx';

export function Overview() {
  const { funds } = store;
  const texts = overviewTexts();
  return (
    <>
      <PhraseReminder />
      <Columns>
        <Balance />
        <Card title={scanTexts().scan}>
          <SyncState />
          <Actions>
            <SyncButton />
            <Estimate />
            <a href={to('scan')}>{texts.details}</a>
          </Actions>
        </Card>
        <Card title={texts.history} aside={<span class="hint">{texts.historyUnit(UNIT)}</span>}>
          {funds && <History funds={funds} />}
        </Card>
        <Card title={texts.latest}>
          {funds && <Transactions shown={funds.transactions.slice(0, 5)} />}
          {funds?.transactions.length === 0 ? (
            <Nothing />
          ) : (
            <p class="more">
              <a href={to('activity')}>{texts.allTransactions}</a>
            </p>
          )}
        </Card>
      </Columns>
    </>
  );
}

function Balance() {
  const { funds, servers, follow } = store;
  const texts = overviewTexts();
  const canVerify = follow?.verifies_with === 'node';
  const balance = funds?.balance;
  const isUnknown = balance === undefined || balanceState(balance) === 'unknown';
  const waiting = waitingZatoshi(funds?.notes ?? [], leastConfirmations());
  const pending = waiting ? texts.waiting(formats.amountText(waiting)) : '';
  const spendable =
    balance &&
    !isUnknown &&
    balance.spendable_zatoshi !== null &&
    balance.spendable_zatoshi !== balance.total_zatoshi
      ? texts.spendable(formats.amountText(balance.spendable_zatoshi))
      : '';
  return (
    <Card title={texts.balance}>
      <p class="total">
        {balance === undefined && sharedTexts().reading}
        {balance && (isUnknown ? texts.unknown : <Amount zatoshi={balance.total_zatoshi} />)}
      </p>
      <Hint text={balance && balanceSentence(balance, tipNow(), canVerify, formats)} />
      <Notice text={unknownUpgradeText(servers, formats)} role="alert" />
      <Notice text={supportText(servers)} role="alert" />
      <Notice text={spendable + pending + (balance?.warning ?? '')} />
      <Table class="pools" heads={[texts.pool, sharedTexts().amount, texts.notes]} numbers={2}>
        {/* The companion lists pools by age; users look for the newest first. */}
        {Object.entries(balance?.pools ?? {})
          .toReversed()
          .map(([pool, part]) => (
            <tr key={pool}>
              <th scope="row" class="pool" children={pool} />
              <td class="number">
                {isUnknown ? sharedTexts().unknown : <Amount zatoshi={part.total_zatoshi} />}
              </td>
              <td class="number">{isUnknown ? sharedTexts().unknown : formats.count(part.note_count)}</td>
            </tr>
          ))}
      </Table>
    </Card>
  );
}

function History({ funds }: { funds: Funds }) {
  const { balance, transactions, isCut } = funds;
  const texts = overviewTexts();
  const points = useMemo(() => balanceHistory(balance.total_zatoshi, transactions), [funds]);
  if (balanceState(balance) === 'unknown') return <Hint text={texts.afterFirstScan} />;
  if (points.length === 0) return <Hint text={texts.withFirstTransaction} />;
  const missing = balance.complete ? '' : texts.mayChange;
  const cut = isCut ? texts.cut(formats.count(transactions.length)) : '';
  return (
    <>
      <Chart points={points} />
      <Hint text={missing + cut} />
    </>
  );
}
