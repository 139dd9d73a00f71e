// Every transaction and every note, with a search that runs in the page; and the history as a file for a spreadsheet.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { Objection } from '../../model/problems.ts';
import { readExport } from '../../model/statement.ts';
import { type Direction, matches } from '../../model/transactions.ts';
import { activityTexts } from '../../texts/activity.ts';
import { receiptsTexts } from '../../texts/receipts.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { statementTexts } from '../../texts/statement.ts';
import { call, formats, isWindow, store, to } from '../live/app.ts';
import { ActionButton, Check, Field } from '../parts/form.tsx';
import { Card } from '../parts/layout.tsx';
import { save } from '../parts/save.ts';
import { Hint } from '../parts/text.tsx';
import { Notes, Nothing, Transactions } from '../parts/transactions.tsx';

const STEP = 50;

export const Activity = () => (
  <>
    <TransactionCard />
    <NoteCard />
  </>
);

function TransactionCard() {
  const { transactions = [], isCut = false } = store.funds ?? {};
  const texts = activityTexts();
  const [words, setWords] = useState('');
  const [direction, setDirection] = useState<Direction>('all');
  const [count, setCount] = useState(STEP);
  const found = useMemo(
    () => transactions.filter((transaction) => matches(transaction, { words, direction })),
    [store.funds, words, direction],
  );
  const isNarrow = words.trim() !== '' || direction !== 'all';
  const all = formats.counted(transactions.length, 'transaction');
  const text = isNarrow ? texts.someOf(formats.count(found.length), all) : isCut ? texts.latestOf(all) : all;
  useEffect(() => {
    if (isNarrow) store.announce(text);
    setCount(STEP);
  }, [words, direction]);
  return (
    <Card title={texts.transactions} aside={<Export />}>
      <search class="filters">
        <Field label={texts.search} kind="search" placeholder={sharedTexts().searchFor} onText={setWords} />
        <Field
          label={texts.show}
          options={Object.entries(texts.directions)}
          onText={(chosen) => setDirection(chosen as Direction)}
        />
      </search>
      <Hint text={store.funds && text} />
      <p>
        <a href={to('statement')}>{statementTexts().open}</a>
        {' · '}
        <a href={to('receipts')}>{receiptsTexts().checkOne}</a>
      </p>
      <Transactions shown={found.slice(0, count)} />
      {store.funds && found.length === 0 && (isNarrow ? <Hint text={texts.noMatch} /> : <Nothing />)}
      <More text={texts.more} isThere={found.length > count} more={() => setCount(count + STEP)} />
    </Card>
  );
}

function NoteCard() {
  const { notes = [], areNotesCut = false } = store.funds ?? {};
  const texts = activityTexts();
  const [isUnspentOnly, setUnspentOnly] = useState(false);
  const [count, setCount] = useState(STEP);
  const wanted = isUnspentOnly ? notes.filter(({ spent }) => spent === null) : notes;
  const aside = <Check text={texts.unspentOnly} isOn={isUnspentOnly} check={setUnspentOnly} />;
  return (
    <Card title={texts.notes} aside={aside}>
      <Hint text={texts.notesHelp} />
      <Hint text={areNotesCut ? texts.latestNotesOf(formats.counted(notes.length, 'note')) : ''} />
      {wanted.length > 0 && <Notes shown={wanted.slice(0, count)} />}
      {store.funds &&
        wanted.length === 0 &&
        (notes.length > 0 ? <Hint text={texts.allSpent} /> : <Nothing />)}
      <More text={texts.moreNotes} isThere={wanted.length > count} more={() => setCount(count + STEP)} />
    </Card>
  );
}

const More = ({ text, isThere, more }: { text: string; isThere: boolean; more: () => void }) =>
  isThere ? <button type="button" class="quiet" onClick={more} children={text} /> : null;

/** The window has no downloads, so there the user copies the text. */
const Export = () =>
  isWindow ? (
    <ActionButton text={activityTexts().copyCsv} class="quiet small" act={copyAll} />
  ) : (
    <ActionButton
      text={activityTexts().downloadCsv}
      class="quiet small"
      act={async () => save('transactions.csv', await csv(), 'text/csv')}
    />
  );

const csv = async (): Promise<string> => (await readExport(call, {}, 'csv')).text;

async function copyAll(): Promise<void> {
  await navigator.clipboard.writeText(await csv()).catch(() => {
    throw new Objection(activityTexts().csvNotCopied);
  });
  store.announce(activityTexts().csvCopied);
}
