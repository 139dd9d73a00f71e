// What programs and extensions may do: the grants, new ones for programs, and what was done with them.

import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { useState } from 'preact/hooks';
import * as model from '../../model/grants.ts';
import { call, formats, store } from '../live/app.ts';
import { Decision, Field, Ticks } from './form.tsx';
import { useAnswer } from './hooks.ts';
import { Card, Details, Facts } from './layout.tsx';
import { Days, useScopes, useWallets } from './pairing.tsx';
import { Shown } from './reveal.tsx';
import { Boxed, CopyButton, Hint, Label, Problem } from './text.tsx';

const LINES = 20;

/** Has to be done once more after each change. */
const readAll = () => Promise.all([call('grants.list'), call('grants.log', { limit: LINES })]);

/** A grant that was just made, or has a new token. */
type Fresh = { readonly grant: model.Grant; readonly token: string };
type Changed = (fresh?: Fresh) => void;

export function GrantsCard() {
  const [changes, setChanges] = useState(0);
  const [fresh, setFresh] = useState<Fresh>();
  const [{ value, problem }] = useAnswer(readAll, [store.pairings, changes]);
  const changed: Changed = (made) => {
    setFresh(made);
    setChanges(changes + 1);
  };
  const [list, log] = value ?? [];
  return (
    <Card title="Grants">
      <Hint text={list && model.ANONYMOUS_TEXT[list.anonymous_access]} />
      <Problem text={problem} />
      {fresh && (
        <div class="request">
          <p>
            The token of <bdi>{`“${fresh.grant.name}”`}</bdi>, shown this once. A program sends it as
            “Authorization: Bearer TOKEN”.
          </p>
          <Boxed text={fresh.token} />
          <Shown key={fresh.token} hide={() => setFresh(undefined)}>
            <CopyButton what="the token" text={fresh.token} />
          </Shown>
        </div>
      )}
      <ul class="origins">
        {list?.grants.map((grant) => (
          <Granted key={grant.id} grant={grant} changed={changed} />
        ))}
        {list?.allowed_origins.map((origin) => (
          <li key={origin}>
            <code>{origin}</code>
            <Hint text={model.BARE_ORIGIN_TEXT} />
            <ShutOut origin={origin} />
          </li>
        ))}
      </ul>
      <Details summary="Make a grant for a program">
        <NewGrant key={changes} changed={changed} />
      </Details>
      <Details summary="What was done with grants">
        {log?.lines.length === 0 && <Hint text="Nothing yet." />}
        <ul class="labels">
          {log?.lines.map(({ at, name, operation, result }, index) => (
            <li key={index}>
              <span>
                <bdi>{name}</bdi>
                {`: ${operation}`}
              </span>
              <span class="hint">{`${result}, ${formats.moment(at)}`}</span>
            </li>
          ))}
        </ul>
      </Details>
    </Card>
  );
}

function Granted({ grant, changed }: { grant: model.Grant; changed: Changed }) {
  const { id, name, origin, scopes, wallets, expired, last_used_at: used } = grant;
  const limits = model.limitsText(grant, formats);
  return (
    <li>
      <p>
        <bdi>{name}</bdi>
        <Label text={origin === null ? null : 'extension'} />
        <Label text={expired ? 'expired' : null} />
      </p>
      <Facts
        rows={[
          ['It may', model.scopesText(scopes)],
          ['Wallets', model.walletsText(wallets)],
          ['Holds', model.untilText(grant, formats)],
          ['Last used', used === null ? 'never' : formats.moment(used)],
          limits !== '' && ['At most', limits],
          origin !== null && ['Its address', <code key="origin">{origin}</code>],
        ]}
      />
      {origin === null ? (
        <>
          <Details summary="Give it a new token">
            <Decision
              submit="The one before ends: go on"
              class="quiet"
              decide={async (password) => changed(await call('grants.rotate', { grant: id, ...password }))}
            />
          </Details>
          <Details summary="Revoke">
            <Decision
              submit="End it now"
              class="danger"
              decide={async (password) => {
                await call('grants.revoke', { grant: id, ...password });
                changed();
              }}
            />
          </Details>
        </>
      ) : (
        <ShutOut origin={origin} />
      )}
    </li>
  );
}

const ShutOut = ({ origin }: { origin: string }) => (
  <Details summary="Let in no longer">
    <Decision
      submit="Shut it out"
      class="danger"
      decide={async (password) =>
        store.set({ pairings: await call('pairing.revoke', { origin, ...password }) })
      }
    />
  </Details>
);

function NewGrant({ changed }: { changed: Changed }) {
  const scopes = useScopes([model.EVERYTHING], []);
  const wallets = useWallets([model.EVERY_WALLET], [store.wallet ?? DEFAULT_WALLET]);
  return (
    <Decision
      submit="Make the grant"
      decide={async (password, typed) => {
        const given = { scopes: scopes.chosen(), wallets: wallets.chosen() };
        const days = model.daysOf(typed('days'), null);
        changed(await call('grants.create', { name: typed('name'), ...given, ...days, ...password }));
      }}
    >
      <Field kind="label" name="name" label="For which program" required />
      <Ticks legend="It may" {...scopes.ticks} />
      <Ticks legend="On these wallets" {...wallets.ticks} />
      <Days asked={null} />
    </Decision>
  );
}
