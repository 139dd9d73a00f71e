// Browser extensions that request pairing, and paired ones: the user compares the code that the extension shows.

import type { Output } from '@wallet-companion/client';
import { call, store } from '../live/app.ts';
import { ActionButton, Form, type FormProps, PasswordField } from './form.tsx';
import { Card, Details, Facts } from './layout.tsx';
import { Hint } from './text.tsx';

type Pairings = Output<'pairing.list'>;

export function PairingCard() {
  const { requests = [], allowed_origins: allowed = [] } = store.pairings ?? {};
  return (
    <Card title="Browser extensions">
      {requests.length === 0 && <Hint text="None is asking to be let in." />}
      {requests.map((request) => (
        <Request key={request.code} {...request} />
      ))}
      {allowed.length > 0 && (
        <ul class="origins">
          {allowed.map((origin) => (
            <li key={origin}>
              <code>{origin}</code>
              <Details summary="Let in no longer">
                <Decision
                  submit="Shut it out"
                  class="danger"
                  decide={(asked) => call('pairing.revoke', { origin, ...asked })}
                />
              </Details>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Request({ code, name, origin }: Pairings['requests'][number]) {
  const refuse = async () => store.set({ pairings: await call('pairing.refuse', { code }) });
  return (
    <div class="request">
      <p>
        An extension that calls itself <bdi>{`“${name ?? 'nothing'}”`}</bdi> asks to be let in. It could then
        read what this page shows. Allow it only if it shows the same code:
      </p>
      <p class="code">{code}</p>
      <Facts rows={[['Its address', <code key="origin">{origin}</code>]]} />
      <Decision
        submit="The code is the same: allow"
        decide={(asked) => call('pairing.allow', { code, ...asked })}
        more={<ActionButton text="Refuse" class="quiet" act={refuse} />}
      />
    </div>
  );
}

type DecisionProps = Omit<FormProps, 'act'> & { decide: (asked: { password: string }) => Promise<Pairings> };

const Decision = ({ decide, ...rest }: DecisionProps) => (
  <Form
    {...rest}
    act={async (typed) => store.set({ pairings: await decide({ password: typed('password') }) })}
  >
    <PasswordField />
  </Form>
);
