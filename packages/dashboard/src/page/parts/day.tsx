// The business day at the till: opened, with the question whether the wallet stays open, and closed with a report.

import type { Output } from '@wallet-companion/client';
import { useState } from 'preact/hooks';
import { tillTexts } from '../../texts/till.ts';
import { call, formats, isWindow, store, to } from '../live/app.ts';
import { walletMayLock } from '../live/till.ts';
import { StartTill } from './cashier.tsx';
import { Check, Form, PasswordField, type Typed } from './form.tsx';
import { useAnswer } from './hooks.ts';
import { Card, Details } from './layout.tsx';
import { Hint, Problem } from './text.tsx';

/** On the list; older ones are on the command line. */
const LISTED = 31;

export const dayHref = (day: { readonly day_number: number }): string => to(`day/${day.day_number}`);

export function DayCard() {
  const texts = tillTexts();
  const [{ value: days, problem }, setDays] = useAnswer(
    async () => (await call('days.list', { limit: LISTED })).days,
    [store.invoiceChanges],
  );
  const open = days?.find(({ closed_at: closed }) => closed === null);
  const closed = days?.filter((day) => day !== open) ?? [];
  const opened = (day: Output<'days.open'>) => {
    setDays([day, ...closed]);
    store.announce(texts.dayOpen(day.day_number, formats.moment(day.opened_at)));
  };
  return (
    <Card title={texts.day}>
      <Problem text={problem} />
      {days && (open ? <Close day={open} /> : <Open opened={opened} />)}
      {!isWindow && <StartTill />}
      {closed.length > 0 && (
        <Details summary={texts.reports}>
          <ul class="labels">
            {closed.map((day) => (
              <li key={day.day_number}>
                <a href={dayHref(day)} children={texts.report(day.day_number)} />
                <span>{formats.moment(day.closed_at ?? day.opened_at)}</span>
              </li>
            ))}
          </ul>
        </Details>
      )}
    </Card>
  );
}

/** A wallet that locks itself sees no payment until it is opened again. */
function Open({ opened }: { opened: (day: Output<'days.open'>) => void }) {
  const texts = tillTexts();
  const mayLock = walletMayLock();
  const [staysOpen, setStaysOpen] = useState(true);
  const open = async (typed: Typed) => {
    if (mayLock && staysOpen)
      store.set({
        follow: await call('follow.set', { enabled: true, keep_open: true, password: typed('password') }),
      });
    opened(await call('days.open'));
  };
  return (
    <Form submit={texts.openDay} act={open}>
      <Hint text={texts.noDay} />
      {mayLock && <Check text={texts.staysOpen} isOn={staysOpen} check={setStaysOpen} />}
      {mayLock && staysOpen && <PasswordField />}
    </Form>
  );
}

function Close({ day }: { day: Output<'days.open'> }) {
  const texts = tillTexts();
  const staysOpen = store.follow?.enabled === true && store.follow.keep_open;
  const [locks, setLocks] = useState(true);
  const close = async () => {
    // First what can be tried again: a day closes once.
    if (staysOpen && locks)
      store.set({ follow: await call('follow.set', { enabled: true, keep_open: false }) });
    const closed = await call('days.close');
    location.hash = dayHref(closed);
  };
  return (
    <>
      <p>
        <a href={dayHref(day)} children={texts.dayOpen(day.day_number, formats.moment(day.opened_at))} />
      </p>
      <Hint text={texts.invoicesMade(formats.count(day.invoice_count))} />
      <Details summary={texts.closeDay}>
        <Form submit={texts.closeFor(day.day_number)} act={close}>
          <Hint text={texts.closing} />
          {staysOpen && <Check text={texts.locksAfter} isOn={locks} check={setLocks} />}
        </Form>
      </Details>
    </>
  );
}
