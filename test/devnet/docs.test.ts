// docs/devnet.md against the devnet: the calls and faults it lists, and every answer it shows.
import { readFileSync } from 'node:fs';
import { INPUTS } from '@wallet-companion/devnet/calls';
import test from 'ava';
import { callDevnet } from './support/calls.ts';

const PAGE = 'docs/devnet.md';
const page = readFileSync(PAGE, 'utf8');

const COMMAND = /^\$ curl -s (?:--json '(.*)' )?http:\/\/127\.0\.0\.1:18280(\/\S*) \| jq -c ([.\w]+)$/;

interface Example {
  readonly line: string;
  readonly body: string | undefined;
  readonly path: string;
  readonly members: readonly string[];
  readonly shown: string;
}

function examples(): Example[] {
  const [, session = ''] = /## Over HTTP\n.*?```console\n(.*?)```/s.exec(page) ?? [];
  return session
    .split(/^(?=\$ )/m)
    .filter((part) => part !== '')
    .map((part) => {
      const [line = '', ...shown] = part.trimEnd().split('\n');
      const [, body, path = '', members = ''] = COMMAND.exec(line) ?? [];
      return { line, body, path, members: members.split('.').slice(1), shown: shown.join('\n') };
    });
}

test('every answer that the page shows is the one that comes', async (t) => {
  const { get, post } = await callDevnet(t, { seed: 'devnet' });
  const list = examples();
  t.true(list.length >= 10);
  for (const { line, body, path, members, shown } of list) {
    t.not(path, '', `not understood: ${line}`);
    const response = body === undefined ? await get(path) : await post(path, body);
    const answer = members.reduce<unknown>(
      (value, member) => (value as Record<string, unknown>)[member],
      await response.json(),
    );
    // As jq -c prints it: one line.
    t.is(shown, JSON.stringify(answer), line);
  }
});

test('the page lists every call, and every kind of fault', (t) => {
  const rows = [...page.matchAll(/^\| (`(?:GET|POST) .*?) \|/gm)].map(([, cell]) => cell).join();
  const listed = new Set([...rows.matchAll(/(?:GET|POST) (\/[\w/]*)/g)].map(([, path = '']) => path));
  t.deepEqual([...listed].sort(), Object.keys(INPUTS).sort());
  for (const option of INPUTS['/faults'].options)
    for (const kind of option.shape.kind.options) t.true(page.includes(`\`${kind}\``), kind);
});
