// No wallet yet: create one, restore one from its phrase, or watch one by its viewing key.

import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { Card, Focused } from '../parts/layout.tsx';
import { Create } from './create.tsx';
import type { FlowProps } from './flow.tsx';
import { Restore, Watch } from './restore.tsx';

type Flow = FunctionComponent<FlowProps>;

const CHOICES: readonly (readonly [title: string, text: string, flow: Flow])[] = [
  ['Create a new wallet', 'You get a recovery phrase to write down.', Create],
  ['Restore a wallet', 'You have a recovery phrase of 12 to 24 words.', Restore],
  ['Watch a wallet', 'You have a viewing key, and no phrase.', Watch],
];

export function Welcome() {
  const [chosen, choose] = useState<{ readonly Chosen: Flow }>();
  if (chosen !== undefined) {
    return (
      <div class="narrow">
        <Focused>
          <chosen.Chosen back={() => choose(undefined)} />
        </Focused>
      </div>
    );
  }
  return (
    <div class="narrow">
      <Card title="There is no wallet here yet">
        <p>
          The keys stay on this machine, in a file that only your password opens. This wallet watches and
          counts; it cannot spend.
        </p>
        <ul class="choices">
          {CHOICES.map(([title, text, Chosen]) => (
            <li key={title}>
              <button type="button" class="choice" onClick={() => choose({ Chosen })}>
                <strong>{title}</strong>
                <span>{text}</span>
              </button>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
