// Every transaction and every note, with a search that runs in the page; and the history as a file for a spreadsheet.

import type { Output } from '@wallet-companion/client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Objection } from '../../model/problems.ts';
import { type Direction, matches } from '../../model/transactions.ts';
import { call, formats, isWindow, store } from '../live/app.ts';
import { ActionButton, Check, Field } from '../parts/form.tsx';
import { Card } from '../parts/layout.tsx';
import { save } from '../parts/save.ts';
import { Hint } from '../parts/text.tsx';
import { Notes, Nothing, Transactions } from '../parts/transactions.tsx';

const STEP = 50;
const NOT_COPIED =
  'This window did not allow copying: "wallet-companion transactions export" writes the same.';
const NO_MATCH = 'Nothing fits. Write less of it, or show everything.';
const DIRECTIONS = Object.entries({ all: 'Everything', in: 'Received', out: 'Sent' });

export const Activity = () => (
  <>
    <TransactionCard />
    <NoteCard />
  </>
);

function TransactionCard() {
  const { transactions = [], isCut = false } = store.funds ?? {};
  const [words, setWords] = useState('');
  const [direction, setDirection] = useState<Direction>('all');
  const [count, setCount] = useState(STEP);
  const found = useMemo(
    () => transactions.filter((transaction) => matches(transaction, { words, direction })),
    [store.funds, words, direction],
  );
  const isNarrow = words.trim() !== '' || direction !== 'all';
  const all = formats.counted(transactions.length, 'transaction');
  const cut = isCut ? ', the latest; older ones are there on the command line' : '';
  const text = isNarrow ? `${formats.count(found.length)} of ${all}` : `${all}${cut}`;
  useEffect(() => {
    if (isNarrow) store.announce(text);
    setCount(STEP);
  }, [words, direction]);
  return (
    <Card title="Transactions" aside={<Export />}>
      <search class="filters">
        <Field label="Search" kind="search" onText={setWords} />
        <Field label="Show" options={DIRECTIONS} onText={(chosen) => setDirection(chosen as Direction)} />
      </search>
      <Hint text={store.funds && text} />
      <Transactions shown={found.slice(0, count)} />
      {store.funds && found.length === 0 && (isNarrow ? <Hint text={NO_MATCH} /> : <Nothing />)}
      <More text="Show more" isThere={found.length > count} more={() => setCount(count + STEP)} />
    </Card>
  );
}

function NoteCard() {
  const { notes = [] } = store.funds ?? {};
  const [isUnspentOnly, setUnspentOnly] = useState(false);
  const [count, setCount] = useState(STEP);
  const wanted = isUnspentOnly ? notes.filter(({ spent }) => spent === null) : notes;
  const aside = <Check text="Only unspent" isOn={isUnspentOnly} check={setUnspentOnly} />;
  return (
    <Card title="Notes" aside={aside}>
      <Hint text="A note is one payment as the chain has it, like a coin: it is spent as a whole, and what is left comes back as a new one." />
      {wanted.length > 0 && <Notes shown={wanted.slice(0, count)} />}
      {store.funds &&
        wanted.length === 0 &&
        (notes.length > 0 ? <Hint text="All of them are spent." /> : <Nothing />)}
      <More text="Show more notes" isThere={wanted.length > count} more={() => setCount(count + STEP)} />
    </Card>
  );
}

const More = ({ text, isThere, more }: { text: string; isThere: boolean; more: () => void }) =>
  isThere ? <button type="button" class="quiet" onClick={more} children={text} /> : null;

/** The window has no downloads, so there the user copies the text. */
const Export = () =>
  isWindow ? (
    <ActionButton text="Copy as CSV" class="quiet small" act={copyAll} />
  ) : (
    <ActionButton
      text="Download as CSV"
      class="quiet small"
      act={async () => save('transactions.csv', await csv(), 'text/csv')}
    />
  );

async function csv(): Promise<string> {
  let text = '';
  for (let from: { cursor?: string } | undefined = {}; from; ) {
    const page: Output<'transactions.export'> = await call('transactions.export', { format: 'csv', ...from });
    text += page.text ?? '';
    from = page.next_cursor ? { cursor: page.next_cursor } : undefined;
  }
  return text;
}

async function copyAll(): Promise<void> {
  await navigator.clipboard.writeText(await csv()).catch(() => {
    throw new Objection(NOT_COPIED);
  });
  store.announce('The history was copied.');
}
