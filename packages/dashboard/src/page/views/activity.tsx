// Every transaction and every note, with a search that runs in the page.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Direction, matches } from '../../model/search.ts';
import type { Funds } from '../live/funds.ts';
import { useApp } from '../parts/app.ts';
import { Export } from '../parts/export.tsx';
import { Field, TextField } from '../parts/form.tsx';
import { Card } from '../parts/layout.tsx';
import { Hint } from '../parts/text.tsx';
import { Notes, Transactions } from '../parts/transactions.tsx';

const STEP = 50;
const NOTHING_YET: Pick<Funds, 'transactions' | 'notes' | 'isCut'> = {
  transactions: [],
  notes: [],
  isCut: false,
};

export function Activity() {
  return (
    <div class="wide">
      <TransactionCard />
      <NoteCard />
    </div>
  );
}

function TransactionCard() {
  const { formats, store } = useApp();
  const { transactions, isCut } = store.funds ?? NOTHING_YET;
  const [words, setWords] = useState('');
  const [direction, setDirection] = useState<Direction>('all');
  const [count, setCount] = useState(STEP);
  const found = useMemo(
    () => transactions.filter((transaction) => matches(transaction, { words, direction })),
    [transactions, words, direction],
  );
  const isNarrow = words.trim() !== '' || direction !== 'all';
  const all = formats.counted(transactions.length, 'transaction');
  const cut = isCut ? ', the latest; older ones are there on the command line' : '';
  const text = isNarrow ? `${formats.count(found.length)} of ${all}` : `${all}${cut}`;
  useEffect(() => {
    if (isNarrow) store.say(text);
    setCount(STEP);
  }, [words, direction]);
  return (
    <Card title="Transactions" aside={<Export />}>
      <search class="filters">
        <TextField
          name="words"
          label="Search"
          placeholder="Memo, label, address, block"
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <Field
          label="Show"
          control={(ids) => (
            <select {...ids} onInput={({ currentTarget }) => setDirection(currentTarget.value as Direction)}>
              <option value="all">Everything</option>
              <option value="in">Received</option>
              <option value="out">Sent</option>
            </select>
          )}
        />
      </search>
      {store.funds && (
        <>
          <Hint text={text} />
          <Transactions shown={found.slice(0, count)} nothing="Nothing to show." />
        </>
      )}
      {found.length > count && <More text="Show more" more={() => setCount(count + STEP)} />}
    </Card>
  );
}

function NoteCard() {
  const { notes } = useApp().store.funds ?? NOTHING_YET;
  const [isUnspentOnly, setUnspentOnly] = useState(false);
  const [count, setCount] = useState(STEP);
  const wanted = isUnspentOnly ? notes.filter(({ spent }) => spent === null) : notes;
  const aside = (
    <label class="check">
      <input type="checkbox" onChange={({ currentTarget }) => setUnspentOnly(currentTarget.checked)} />
      Only unspent
    </label>
  );
  return (
    <Card title="Notes" aside={aside}>
      <Hint text="A note is one payment as the chain has it, like a coin: it is spent as a whole, and what is left comes back as a new one." />
      <Notes shown={wanted.slice(0, count)} />
      {wanted.length > count && <More text="Show more notes" more={() => setCount(count + STEP)} />}
    </Card>
  );
}

function More({ text, more }: { text: string; more: () => void }) {
  return (
    <button type="button" class="quiet" onClick={more}>
      {text}
    </button>
  );
}
