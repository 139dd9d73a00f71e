// What is the same above every page: whose wallet on which network, whether its servers answer, and how far it is behind.

import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { lightsOf } from '../../model/blockSource.ts';
import { blocksOf, stretches } from '../../model/coverage.ts';
import { hashOf } from '../../model/place.ts';
import { LIGHT_TEXT } from '../../model/serverText.ts';
import { call, formats, store } from '../live/app.ts';
import { inOwnTab } from '../live/token.ts';
import { ActionButton } from './form.tsx';
import { Boundary } from './layout.tsx';
import { reachNow, tipNow } from './sync.tsx';

const NETWORKS = { main: 'main network', test: 'test network', regtest: 'regtest' };

export const Top = ({ title }: { title: string }) => (
  <div class="top">
    <h1>{title}</h1>
    <Boundary>
      <Wallets />
    </Boundary>
    <span class="push" />
    {store.status && <span class="tag">{NETWORKS[store.status.network]}</span>}
    {store.phase === 'open' && <ActionButton text="Lock" class="quiet" act={() => call('wallet.lock')} />}
  </div>
);

/** Only where there is a choice. */
function Wallets() {
  const { wallets, wallet: chosen = DEFAULT_WALLET } = store;
  if (wallets.length < 2) return null;
  return (
    <details class="wallets">
      <summary aria-label={`Wallet: ${chosen}`} children={chosen} />
      <ul>
        {wallets.map(({ name, unlocked, watch_only }) => (
          <li key={name}>
            <a
              href={hashOf({ wallet: name === DEFAULT_WALLET ? undefined : name, page: '' })}
              {...(name === chosen ? {} : inOwnTab())}
              aria-current={name === chosen}
              children={name}
            />
            <span class="hint">{`${watch_only ? 'watched, ' : ''}${unlocked ? 'open' : 'locked'}`}</span>
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
  const behind = left ? `${formats.counted(left, 'block')} behind` : 'up to date';
  return (
    <p class="lights">
      {servers &&
        lightsOf(servers, config?.block_source).map(([name, state]) => (
          <Light key={name} name={name} state={state} />
        ))}
      <span>
        {tip === null ? 'Newest block unknown' : `Block ${formats.count(tip)}`}
        {tip !== null && reach && `, the wallet is ${behind}`}
      </span>
    </p>
  );
}

const Light = ({ name, state }: { name: string; state: keyof typeof LIGHT_TEXT }) => (
  <span class="light" data-state={state}>{`${name} ${LIGHT_TEXT[state]}`}</span>
);
