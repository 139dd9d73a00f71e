// Browser extensions that ask to be let in: the user compares the code that the extension shows, and gives what it asks for
// or less.

import type { Output } from '@wallet-companion/client';
import { useState } from 'preact/hooks';
import * as model from '../../model/grants.ts';
import { grantsTexts } from '../../texts/grants.ts';
import { call, formats, store } from '../live/app.ts';
import { ActionButton, Decision, Field, Ticks } from './form.tsx';
import { Card, Facts } from './layout.tsx';
import { Hint } from './text.tsx';

/** Those that are let in have grants. */
export function PairingCard() {
  const { requests = [] } = store.pairings ?? {};
  return (
    <Card title={grantsTexts().extensions}>
      {requests.length === 0 && <Hint text={grantsTexts().noneAsks} />}
      {requests.map((request) => (
        <Request key={request.code} {...request} />
      ))}
    </Card>
  );
}

type Requested = Output<'pairing.list'>['requests'][number];

function Request({ code, name, origin, days, has_token: hasToken, ...asked }: Requested) {
  const texts = grantsTexts();
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
        {`${texts.callsItself} `}
        <bdi>{`“${name ?? texts.noName}”`}</bdi>
        {` ${texts.asksIn}`}
      </p>
      <p class="code">{code}</p>
      <Facts rows={[[texts.itsAddress, <code key="origin">{origin}</code>]]} />
      <Hint text={hasToken ? '' : texts.noToken} />
      <Decision
        submit={texts.allow}
        decide={(password, typed) => allow(password, typed('days'))}
        more={<ActionButton text={texts.refuse} class="quiet" act={refuse} />}
      >
        <Ticks legend={texts.asksFor} {...scopes.ticks} />
        <Ticks legend={texts.onWallets} {...wallets.ticks} />
        <Days asked={days} />
      </Decision>
    </div>
  );
}

export const Days = ({ asked }: { asked: number | null }) => (
  <Field name="days" label={grantsTexts().howLong} options={model.dayChoices(asked, formats)} />
);

/** The scopes that are asked for; `first` are ticked. */
export const useScopes = (asked: readonly model.Scope[], first: readonly model.Scope[]) =>
  useTicks(asked, first, {
    all: model.EVERYTHING,
    known: model.SCOPES_OFFERED,
    text: model.scopeText,
    what: grantsTexts().whatItMayDo,
  });

export const useWallets = (asked: readonly string[], first: readonly string[]) =>
  useTicks(asked, first, {
    all: model.EVERY_WALLET,
    known: store.wallets.map(({ name }) => name),
    text: model.walletText,
    what: grantsTexts().whichWallets,
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
