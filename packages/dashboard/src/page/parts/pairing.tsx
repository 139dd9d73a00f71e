// Browser extensions that ask to be let in: the user compares the code that the extension shows, and gives what it asks for
// or less.

import type { Output } from '@wallet-companion/client';
import { useState } from 'preact/hooks';
import * as model from '../../model/grants.ts';
import { call, formats, store } from '../live/app.ts';
import { ActionButton, Decision, Field, Ticks } from './form.tsx';
import { Card, Facts } from './layout.tsx';
import { Hint } from './text.tsx';

/** Those that are let in have grants. */
export function PairingCard() {
  const { requests = [] } = store.pairings ?? {};
  return (
    <Card title="Browser extensions">
      {requests.length === 0 && <Hint text="None is asking to be let in." />}
      {requests.map((request) => (
        <Request key={request.code} {...request} />
      ))}
    </Card>
  );
}

const NO_TOKEN =
  'It has no token of its own. Any program on this machine that names this address would be taken for it.';

type Requested = Output<'pairing.list'>['requests'][number];

function Request({ code, name, origin, days, has_token: hasToken, ...asked }: Requested) {
  const scopes = useScopes(asked.scopes, asked.scopes);
  const wallets = useWallets(asked.wallets, asked.wallets);
  const allow = async (password: { password: string }, choice: string) => {
    const given = { scopes: scopes.chosen(), wallets: wallets.chosen(), ...model.daysOf(choice, days) };
    store.set({ pairings: await call('pairing.allow', { code, ...given, ...password }) });
  };
  const refuse = async () => store.set({ pairings: await call('pairing.refuse', { code }) });
  return (
    <div class="request">
      <p>
        An extension that calls itself <bdi>{`“${name ?? 'nothing'}”`}</bdi> asks to be let in. Allow it only
        if it shows the same code:
      </p>
      <p class="code">{code}</p>
      <Facts rows={[['Its address', <code key="origin">{origin}</code>]]} />
      <Hint text={hasToken ? '' : NO_TOKEN} />
      <Decision
        submit="The code is the same: allow"
        decide={(password, typed) => allow(password, typed('days'))}
        more={<ActionButton text="Refuse" class="quiet" act={refuse} />}
      >
        <Ticks legend="It asks for this, and may then" {...scopes.ticks} />
        <Ticks legend="On these wallets" {...wallets.ticks} />
        <Days asked={days} />
      </Decision>
    </div>
  );
}

export const Days = ({ asked }: { asked: number | null }) => (
  <Field name="days" label="How long" options={model.dayChoices(asked, formats)} />
);

/** The scopes that are asked for; `first` are ticked. */
export const useScopes = (asked: readonly model.Scope[], first: readonly model.Scope[]) =>
  useTicks(asked, first, {
    all: model.EVERYTHING,
    known: model.SCOPES_OFFERED,
    text: model.scopeText,
    what: 'what it may do',
  });

export const useWallets = (asked: readonly string[], first: readonly string[]) =>
  useTicks(asked, first, {
    all: model.EVERY_WALLET,
    known: store.wallets.map(({ name }) => name),
    text: model.walletText,
    what: 'wallets',
  });

type Kind<T> = { all: T; known: readonly T[]; text: (one: T) => string; what: string };

function useTicks<T extends string>(
  asked: readonly T[],
  first: readonly T[],
  { all, known, text, what }: Kind<T>,
) {
  const [ticked, tick] = useState(first);
  return {
    ticks: { offered: model.offerChoices(asked, all, known), all, ticked, tick, text },
    chosen: () => model.requireChoice(ticked, all, what),
  };
}
