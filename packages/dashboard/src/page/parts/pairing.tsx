// Browser extensions that request pairing, and paired ones: the user compares the code that the extension shows.

import type { Output } from '@wallet-companion/client';
import { call, store } from '../live/app.ts';
import { ActionButton, Form, PasswordField, type Typed } from './form.tsx';
import { Card, Details, Facts } from './layout.tsx';
import { Hint } from './text.tsx';

type Asking = Output<'pairing.list'>['requests'][number];

export function PairingCard() {
  const { requests = [], allowed_origins: allowed = [] } = store.pairings ?? {};
  return (
    <Card title="Browser extensions">
      {requests.length === 0 && <Hint text="None is asking to be let in." />}
      {requests.map((request) => (
        <Request key={request.code} request={request} />
      ))}
      {allowed.length > 0 && (
        <ul class="origins">
          {allowed.map((origin) => (
            <Allowed key={origin} origin={origin} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Request({ request: { code, name, origin } }: { request: Asking }) {
  const refuse = async () => store.set({ pairings: await call('pairing.refuse', { code }) });
  const allow = async (typed: Typed) =>
    store.set({ pairings: await call('pairing.allow', { code, password: typed('password') }) });
  return (
    <div class="request">
      <p>
        An extension that calls itself <bdi>{`“${name ?? 'nothing'}”`}</bdi> asks to be let in. It could then
        read what this page shows. Allow it only if it shows the same code:
      </p>
      <p class="code">{code}</p>
      <Facts rows={[['Its address', <code key="origin">{origin}</code>]]} />
      <Form
        submit="The code is the same: allow"
        act={allow}
        more={<ActionButton text="Refuse" class="quiet" act={refuse} />}
      >
        <PasswordField />
      </Form>
    </div>
  );
}

function Allowed({ origin }: { origin: string }) {
  const revoke = async (typed: Typed) =>
    store.set({ pairings: await call('pairing.revoke', { origin, password: typed('password') }) });
  return (
    <li>
      <code>{origin}</code>
      <Details summary="Let in no longer">
        <Form submit="Shut it out" class="danger" act={revoke}>
          <PasswordField />
        </Form>
      </Details>
    </li>
  );
}
