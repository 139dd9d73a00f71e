// The report of a business day: a sheet in the reader's language that prints well, and its invoices as a file.

import type { Output } from '@wallet-companion/client';
import { placeIn } from '../../model/place.ts';
import { statementTexts } from '../../texts/statement.ts';
import { tillTexts } from '../../texts/till.ts';
import { call, formats, isWindow, store, to } from '../live/app.ts';
import { ActionButton } from '../parts/form.tsx';
import { useAnswer } from '../parts/hooks.ts';
import { Actions, Card, type Fact, Facts, Table } from '../parts/layout.tsx';
import { save } from '../parts/save.ts';
import { Amount, Hint, Notice, Problem } from '../parts/text.tsx';

type Report = NonNullable<Output<'days.get'>['day']>;

export function Day() {
  const { item = '' } = placeIn(location.hash);
  const [{ value, problem }] = useAnswer(
    () => call('days.get', { day_number: Number(item) }),
    [item, store.invoiceChanges],
  );
  return (
    <>
      <Problem text={problem} />
      {value?.day && <Sheet key={value.day.closed_at} day={value.day} />}
    </>
  );
}

function Sheet({ day }: { day: Report }) {
  const texts = tillTexts();
  const { day_number: number, closed_at: closed, lines, invoice_count: count } = day;
  const download = async () => {
    const { text = '' } = await call('days.get', { day_number: number, format: 'csv' });
    save(`day-${number}.csv`, text, 'text/csv');
  };
  const until = closed === null ? texts.stillOpen : formats.moment(closed);
  return (
    <div class="sheet">
      <Card title={closed === null ? texts.openReport(number) : texts.report(number)} isFocused>
        <Hint text={texts.fromTo(formats.moment(day.opened_at), until)} />
        <Notice text={day.warning} />
        <Facts rows={sums(day)} />
        <h3>{texts.invoices}</h3>
        {count === 0 ? <Hint text={texts.noneInDay} /> : <Lines lines={lines} />}
        <Hint text={count > lines.length ? texts.firstOf(lines.length, count) : ''} />
        <div class="no-print">
          <Actions>
            <a href={to('till')} children={texts.toTill} />
            {!isWindow && <button type="button" onClick={() => print()} children={statementTexts().print} />}
            {!isWindow && <ActionButton text={statementTexts().download} class="quiet" act={download} />}
          </Actions>
        </div>
      </Card>
    </div>
  );
}

function sums(day: Report): readonly (Fact | false)[] {
  const texts = tillTexts();
  const sum = (name: string, zatoshi: number): Fact => [name, <Amount key={name} zatoshi={zatoshi} />];
  const states = (Object.keys(texts.states) as (keyof typeof texts.states)[])
    .filter((state) => day.states[state] > 0)
    .map((state) => `${formats.count(day.states[state])} ${texts.states[state]}`);
  const { earlier_days: earlier } = day;
  return [
    [texts.invoices, [formats.count(day.invoice_count), ...states].join(' · ')],
    sum(texts.asked, day.asked_zatoshi),
    sum(texts.received, day.received_zatoshi),
    sum(texts.over, day.over_zatoshi),
    sum(texts.under, day.under_zatoshi),
    sum(texts.tooLate, day.late_zatoshi),
    sum(texts.refunded, day.refunded_zatoshi),
    ...day.money.map(
      ({ currency, asked, paid }): Fact => [
        currency,
        texts.moneySums(formats.money(asked, currency), formats.money(paid, currency)),
      ],
    ),
    earlier.invoice_count > 0 && [
      texts.earlier,
      texts.earlierSums(
        formats.amountText(earlier.received_zatoshi),
        formats.amountText(earlier.refunded_zatoshi),
      ),
    ],
  ];
}

function Lines({ lines }: Pick<Report, 'lines'>) {
  const texts = tillTexts();
  const heads = [texts.order, texts.state, texts.money, texts.asked, texts.received, texts.refunded] as const;
  return (
    <Table class="rows headed" heads={heads} numbers={4}>
      {lines.map((line) => {
        const { state, exception, currency, value, reference } = line;
        const name = reference ?? formats.moment(line.created_at);
        const cells = [
          value && currency ? formats.money(value, currency) : '',
          line.amount_zatoshi === null ? '' : formats.amountText(line.amount_zatoshi),
          formats.amountText(line.received_zatoshi),
          line.refunded_zatoshi === 0 ? '' : formats.amountText(line.refunded_zatoshi),
        ];
        return (
          <tr key={line.invoice_id}>
            <td class="memo-cell" dir="auto" children={name} />
            <td>
              {[texts.states[state], exception && texts.exceptions[exception]].filter(Boolean).join(', ')}
            </td>
            {cells.map((cell, index) => (
              <td key={heads[index + 2]} class="number" data-head={heads[index + 2]} children={cell} />
            ))}
          </tr>
        );
      })}
    </Table>
  );
}
