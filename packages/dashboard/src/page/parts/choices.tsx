// Settings of the companion of which one value is on: its colours, and the one source of blocks that every page uses.

import type { Input } from '@wallet-companion/client';
import { type BlockSource, SOURCES } from '../../model/blockSource.ts';
import { scanTexts } from '../../texts/scan.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { call, store } from '../live/app.ts';
import { Check } from './form.tsx';
import { useAttempt } from './hooks.ts';
import { Card } from './layout.tsx';
import { Hint, Problem } from './text.tsx';

const THEMES = ['system', 'light', 'dark'] as const satisfies readonly Input<'config.theme'>['theme'][];

interface ChoicesProps<V extends string> {
  title: string;
  group: 'theme' | 'block_source';
  values: readonly V[];
  names: Readonly<Record<V, string>>;
  choose: (value: V) => Promise<Parameters<typeof store.configured>[0]>;
  help?: string;
}

function Choices<V extends string>({ title, group, values, names, choose, help }: ChoicesProps<V>) {
  const { problem, attempt } = useAttempt();
  const check = (value: V) => attempt(async () => store.configured(await choose(value), ''));
  return (
    <Card title={title}>
      <fieldset class="choices-row">
        <legend class="unseen" children={title} />
        {values.map((value) => {
          const isOn = store.config?.[group] === value;
          return (
            <Check key={value} group={group} text={names[value]} isOn={isOn} check={() => check(value)} />
          );
        })}
      </fieldset>
      <Problem text={problem} />
      <Hint text={help} />
    </Card>
  );
}

export const Appearance = () => (
  <Choices
    title={settingsTexts().appearance}
    group="theme"
    values={THEMES}
    names={settingsTexts().themes}
    choose={(theme) => call('config.theme', { theme })}
  />
);

const useSource = (source: BlockSource) => call('config.block_source', { source });

export const SourceCard = () => (
  <Choices
    title={scanTexts().source}
    group="block_source"
    values={SOURCES}
    names={scanTexts().sources}
    choose={useSource}
    help={scanTexts().sourceHelp}
  />
);
