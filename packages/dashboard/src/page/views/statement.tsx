// The statement of a year or month: a sheet in the reader's language and time zone that prints well, and its list as a file.

import { useState } from 'preact/hooks';
import { Formats } from '../../model/amounts.ts';
import { missingBlocks } from '../../model/balance.ts';
import * as model from '../../model/statement.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { statementTexts } from '../../texts/statement.ts';
import { call, formats, isWindow, store } from '../live/app.ts';
import { languages } from '../live/language.ts';
import { ActionButton, Field, Form, type Typed } from '../parts/form.tsx';
import { useAnswer } from '../parts/hooks.ts';
import { Actions, Card, type Fact, Facts, Table } from '../parts/layout.tsx';
import { save } from '../parts/save.ts';
import { Amount, Hint, Notice } from '../parts/text.tsx';

interface Shown {
  readonly asked: model.Asked;
  readonly period: string;
  readonly statement: model.Statement;
  readonly rows: readonly model.Row[];
}

const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);
const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function Statement() {
  const texts = statementTexts();
  const [shown, setShown] = useState<Shown>();
  const [{ value: known }] = useAnswer(() => Promise.all([call('accounts.list'), call('labels.list')]), []);
  const [{ accounts }, { labels }] = known ?? [{ accounts: [] }, { labels: [] }];
  const { transactions = [], isCut = true } = store.funds ?? {};
  const years = model.yearsOf(isCut ? undefined : transactions.at(-1)?.time, Date.now());
  const show = async (typed: Typed) => {
    const [year, month, label] = [typed('year'), typed('month'), typed('label')];
    const asked = {
      ...model.periodOf(year, month),
      time_zone: typed('time_zone').trim() || ownZone(),
      ...(typed('account') === '' ? {} : { account: Number(typed('account')) }),
    };
    const listed = { ...asked, ...(label === '' ? {} : { label }) };
    const [{ statement }, { rows }] = await Promise.all([
      call('statement.get', asked),
      model.readExport(call, listed, 'json'),
    ]);
    const period =
      year === '' ? texts.everything : month === '' ? year : formats.month(Number(month), Number(year));
    setShown({ asked: listed, period, statement: statement!, rows });
    store.announce(texts.shown);
  };
  const named = [...new Set(labels.map(({ label }) => label))];
  return (
    <>
      <div class="no-print">
        <Card title={texts.title}>
          <Hint text={texts.help} />
          <Form submit={texts.show} act={show} onInput={() => setShown(undefined)}>
            <div class="filters">
              <Field
                name="year"
                label={texts.year}
                options={[
                  ...years.map((year) => [String(year), String(year)] as const),
                  ['', texts.allYears],
                ]}
              />
              <Field
                name="month"
                label={texts.month}
                options={[
                  ['', texts.wholeYear],
                  ...MONTHS.map((month) => [String(month), formats.month(month)] as const),
                ]}
              />
              <Field
                name="account"
                label={texts.account}
                hidden={accounts.length < 2}
                options={[
                  ['', texts.allAccounts],
                  ...accounts.map(({ account }) => [String(account), String(account)] as const),
                ]}
              />
              <Field
                name="label"
                label={texts.label}
                hidden={named.length === 0}
                options={[['', texts.allLabels], ...named.map((label) => [label, label] as const)]}
              />
            </div>
            <Field
              name="time_zone"
              label={texts.zone}
              help={texts.zoneHelp}
              defaultValue={ownZone()}
              suggested={Intl.supportedValuesOf('timeZone')}
            />
          </Form>
        </Card>
      </div>
      {shown && <Sheet {...shown} />}
    </>
  );
}

function Sheet({ asked, period, statement, rows }: Shown) {
  const texts = statementTexts();
  const { accounts, labels, complete, warning, time_zone: zone } = statement;
  const local = new Formats(languages, zone);
  const download = async () =>
    save('statement.csv', (await model.readExport(call, asked, 'csv')).text, 'text/csv');
  return (
    <div class="sheet">
      <Card title={texts.heading(period)} isFocused>
        <Hint text={texts.from(period, zone)} />
        <Notice text={complete ? '' : texts.incomplete(formats.counted(missingBlocks(statement), 'block'))} />
        <Notice text={warning} />
        <Facts rows={sums(statement)} />
        {accounts.length > 1 &&
          accounts.map((one) => (
            <div key={one.account}>
              <h3>{texts.accountNumber(one.account)}</h3>
              <Facts rows={sums(one)} />
            </div>
          ))}
        {labels.length > 0 && (
          <>
            <h3>{texts.byLabel}</h3>
            <Table heads={[texts.label, texts.received, texts.notes]} numbers={2}>
              {labels.map(({ label, received_zatoshi: received, note_count: notes }) => (
                <tr key={label}>
                  <th scope="row" dir="auto" children={label} />
                  <td class="number">
                    <Amount zatoshi={received} />
                  </td>
                  <td class="number">{formats.count(notes)}</td>
                </tr>
              ))}
            </Table>
          </>
        )}
        <h3>{texts.list}</h3>
        <Hint text={asked.label === undefined ? '' : texts.onlyLabel(asked.label)} />
        <List rows={rows} local={local} hasBalance={asked.label === undefined} />
        <div class="no-print">
          <Actions>
            {!isWindow && <button type="button" onClick={() => print()} children={texts.print} />}
            {!isWindow && <ActionButton text={texts.download} class="quiet" act={download} />}
          </Actions>
        </div>
      </Card>
    </div>
  );
}

type Sums = Pick<
  model.Statement,
  | 'opening_zatoshi'
  | 'received_zatoshi'
  | 'sent_zatoshi'
  | 'refunded_zatoshi'
  | 'fee_zatoshi'
  | 'closing_zatoshi'
> &
  Partial<Pick<model.Statement, 'start_height' | 'end_height'>>;

function sums(of: Sums): readonly (Fact | false)[] {
  const texts = statementTexts();
  const sum = (name: string, zatoshi: number | null): Fact => [name, <Amount key={name} zatoshi={zatoshi} />];
  const { start_height: from, end_height: to, refunded_zatoshi: refunded } = of;
  return [
    sum(texts.opening, of.opening_zatoshi),
    sum(texts.received, of.received_zatoshi),
    sum(texts.sent, of.sent_zatoshi),
    refunded ? sum(texts.refunded, refunded) : false,
    sum(texts.fees, of.fee_zatoshi),
    sum(texts.closing, of.closing_zatoshi),
    from !== undefined &&
      to !== undefined && [texts.blocks, texts.blockRange(formats.count(from), formats.count(to))],
  ];
}

function List({
  rows,
  local,
  hasBalance,
}: {
  rows: readonly model.Row[];
  local: Formats;
  hasBalance: boolean;
}) {
  const texts = statementTexts();
  if (rows.length === 0) return <Hint text={texts.none} />;
  const heads = [texts.time, texts.what, texts.in, texts.out, ...(hasBalance ? [texts.balance] : [])];
  const cell = (zatoshi: number | null) =>
    zatoshi === null ? sharedTexts().unknown : zatoshi === 0 ? '' : formats.amountText(zatoshi);
  return (
    <Table class="rows" heads={heads} numbers={heads.length - 2}>
      {rows.map((row, index) => (
        <tr key={index}>
          <td>{local.moment(row.time)}</td>
          <td class="memo-cell" dir="auto" children={model.whatOf(row)} />
          <td class="number">{cell(row.received_zatoshi)}</td>
          <td class="number">{cell(row.sent_zatoshi)}</td>
          {hasBalance && (
            <td class="number">
              {row.balance_zatoshi === null ? cell(null) : formats.amountText(row.balance_zatoshi)}
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}
