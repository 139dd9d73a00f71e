// What is the same above every page: whose wallet on which network, whether its servers answer, and how far it is behind.

import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { lightsOf } from '../../model/blockSource.ts';
import { blocksOf, stretches } from '../../model/coverage.ts';
import { hashOf } from '../../model/place.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { call, formats, store } from '../live/app.ts';
import { lockTill } from '../live/till.ts';
import { inOwnTab } from '../live/token.ts';
import { ActionButton } from './form.tsx';
import { Boundary } from './layout.tsx';
import { reachNow, tipNow } from './sync.tsx';

export const Top = ({ title }: { title: string }) => (
  <div class="top">
    <h1>{title}</h1>
    <Boundary>
      <Wallets />
    </Boundary>
    <span class="push" />
    {store.status && <span class="tag">{sharedTexts().networks[store.status.network]}</span>}
    {store.phase === 'open' && (
      <ActionButton text={sharedTexts().lock} class="quiet" act={() => call('wallet.lock')} />
    )}
    {store.phase === 'till' && <ActionButton text={sharedTexts().lock} class="quiet" act={lockTill} />}
  </div>
);

/** Only where there is a choice. */
function Wallets() {
  const { wallets, wallet: chosen = DEFAULT_WALLET } = store;
  if (wallets.length < 2) return null;
  return (
    <details class="wallets">
      <summary aria-label={sharedTexts().wallet(chosen)} children={chosen} />
      <ul>
        {wallets.map(({ name, unlocked, watch_only }) => (
          <li key={name}>
            <a
              href={hashOf({ wallet: name === DEFAULT_WALLET ? undefined : name, page: '' })}
              {...(name === chosen ? {} : inOwnTab())}
              aria-current={name === chosen}
              children={name}
            />
            <span class="hint">{sharedTexts().walletState(watch_only === true, unlocked)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

export function Lights() {
  const { servers, config } = store;
  const reach = reachNow();
  const tip = tipNow();
  const left = reach && blocksOf(stretches(reach), 'missing', 'ahead');
  const texts = sharedTexts();
  const behind = left ? texts.walletBehind(formats.counted(left, 'block')) : texts.walletUpToDate;
  return (
    <p class="lights">
      {servers &&
        lightsOf(servers, config?.block_source).map(([name, state]) => (
          <Light key={name} name={name} state={state} />
        ))}
      <span>
        {tip === null ? texts.newestUnknown : texts.block(formats.count(tip))}
        {tip !== null && reach && behind}
      </span>
    </p>
  );
}

const Light = ({ name, state }: { name: string; state: keyof ReturnType<typeof sharedTexts>['lights'] }) => (
  <span class="light" data-state={state}>{`${name} ${sharedTexts().lights[state]}`}</span>
);
