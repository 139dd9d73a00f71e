// Settings of the companion of which one value is on: its colours, and the one source of blocks that every page uses.

import type { Input } from '@wallet-companion/client';
import { type BlockSource, SOURCE_CHOICES, SOURCE_HELP } from '../../model/blockSource.ts';
import { call, store } from '../live/app.ts';
import { Check } from './form.tsx';
import { useAttempt } from './hooks.ts';
import { Card } from './layout.tsx';
import { Hint, Problem } from './text.tsx';

const THEMES: readonly { readonly value: Input<'config.theme'>['theme']; readonly name: string }[] = [
  { value: 'system', name: 'Same as the system' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
];

interface ChoicesProps<V extends string> {
  title: string;
  group: 'theme' | 'block_source';
  values: readonly { readonly value: V; readonly name: string }[];
  choose: (value: V) => Promise<Parameters<typeof store.configured>[0]>;
  help?: string;
}

function Choices<V extends string>({ title, group, values, choose, help }: ChoicesProps<V>) {
  const { problem, attempt } = useAttempt();
  const check = (value: V) => attempt(async () => store.configured(await choose(value), ''));
  return (
    <Card title={title}>
      <fieldset class="choices-row">
        <legend class="unseen" children={title} />
        {values.map(({ value, name }) => {
          const isOn = store.config?.[group] === value;
          return <Check key={value} group={group} text={name} isOn={isOn} check={() => check(value)} />;
        })}
      </fieldset>
      <Problem text={problem} />
      <Hint text={help} />
    </Card>
  );
}

export const Appearance = () => (
  <Choices
    title="Appearance"
    group="theme"
    values={THEMES}
    choose={(theme) => call('config.theme', { theme })}
  />
);

const useSource = (source: BlockSource) => call('config.block_source', { source });

export const SourceCard = () => (
  <Choices
    title="Where blocks come from"
    group="block_source"
    values={SOURCE_CHOICES}
    choose={useSource}
    help={SOURCE_HELP}
  />
);
