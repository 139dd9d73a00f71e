// What programs and extensions may do: the grants, new ones for programs, and what was done with them.

import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { useState } from 'preact/hooks';
import * as model from '../../model/grants.ts';
import { grantsTexts } from '../../texts/grants.ts';
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
  const texts = grantsTexts();
  return (
    <Card title={texts.title}>
      <Hint text={list && texts.anonymous[list.anonymous_access]} />
      <Problem text={problem} />
      {fresh && (
        <div class="request">
          <p>
            {`${texts.tokenOf} `}
            <bdi>{`“${fresh.grant.name}”`}</bdi>
            {texts.tokenOnce}
          </p>
          <Boxed text={fresh.token} />
          <Shown key={fresh.token} hide={() => setFresh(undefined)}>
            <CopyButton what={texts.theToken} text={fresh.token} />
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
            <Hint text={texts.bareOrigin} />
            <ShutOut origin={origin} />
          </li>
        ))}
      </ul>
      <Details summary={texts.make}>
        <NewGrant key={changes} changed={changed} />
      </Details>
      <Details summary={texts.log}>
        {log?.lines.length === 0 && <Hint text={texts.nothing} />}
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
  const texts = grantsTexts();
  return (
    <li>
      <p>
        <bdi>{name}</bdi>
        <Label text={origin === null ? null : texts.extension} />
        <Label text={expired ? texts.expired : null} />
      </p>
      <Facts
        rows={[
          [texts.itMay, model.scopesText(scopes)],
          [texts.wallets, model.walletsText(wallets)],
          [texts.holds, model.untilText(grant, formats)],
          [texts.lastUsed, used === null ? texts.never : formats.moment(used)],
          limits !== '' && [texts.atMost, limits],
          origin !== null && [texts.itsAddress, <code key="origin">{origin}</code>],
        ]}
      />
      {origin === null ? (
        <>
          <Details summary={texts.rotate}>
            <Decision
              submit={texts.rotateSubmit}
              class="quiet"
              decide={async (password) => changed(await call('grants.rotate', { grant: id, ...password }))}
            />
          </Details>
          <Details summary={texts.revoke}>
            <Decision
              submit={texts.revokeSubmit}
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
  <Details summary={grantsTexts().shutOut}>
    <Decision
      submit={grantsTexts().shutOutSubmit}
      class="danger"
      decide={async (password) =>
        store.set({ pairings: await call('pairing.revoke', { origin, ...password }) })
      }
    />
  </Details>
);

function NewGrant({ changed }: { changed: Changed }) {
  const texts = grantsTexts();
  const scopes = useScopes([model.EVERYTHING], []);
  const wallets = useWallets([model.EVERY_WALLET], [store.wallet ?? DEFAULT_WALLET]);
  return (
    <Decision
      submit={texts.makeSubmit}
      decide={async (password, typed) => {
        const given = { scopes: scopes.chosen(), wallets: wallets.chosen() };
        const days = model.daysOf(typed('days'), null);
        changed(await call('grants.create', { name: typed('name'), ...given, ...days, ...password }));
      }}
    >
      <Field kind="label" name="name" label={texts.forProgram} required />
      <Ticks legend={texts.itMay} {...scopes.ticks} />
      <Ticks legend={texts.onWallets} {...wallets.ticks} />
      <Days asked={null} />
    </Decision>
  );
}
