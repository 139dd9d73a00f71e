import test from 'ava';
import * as z from 'zod';
import { examples } from '../../scripts/generate/examples.ts';
import { operationNames, operations } from '../../src/protocol/operations.ts';
import { inputFields } from '../../src/protocol/textInput.ts';

const unique = (values: readonly string[]): boolean => new Set(values).size === values.length;

test('no two operations share a route, a command or a command line', (t) => {
  const all = operationNames.map((name) => operations[name]);
  t.true(unique(all.map(({ http }) => `${http.method} ${http.path}`)));
  t.true(unique(all.map(({ ipc }) => ipc)));
  t.true(unique(all.map(({ cli }) => cli.words.join(' '))));
});

test('each answer with an amount of the wallet has room for its caveat', (t) => {
  // Amounts of payments alone, of limits, and of what others ask for.
  const others = /^(payments|grants|till|pczt|payment_uri|receipts)\./;
  for (const name of operationNames) {
    const output = JSON.stringify(z.toJSONSchema(operations[name].output));
    const { hasFunds = false } = operations[name];
    t.is(hasFunds, /_zatoshi":/.test(output) && !others.test(name), name);
    if (hasFunds) t.regex(output, /"warning":/, name);
  }
});

test('no command line is the beginning of another one with arguments', (t) => {
  for (const name of operationNames) {
    const { words, positional = [] } = operations[name].cli;
    if (positional.length === 0) continue;
    const prefix = words.join(' ');
    t.false(operationNames.some((other) => operations[other].cli.words.join(' ').startsWith(`${prefix} `)));
  }
});

test('the routes of the specification are there', (t) => {
  const routes = new Set(
    operationNames.map((name) => `${operations[name].http.method} ${operations[name].http.path}`),
  );
  for (const route of [
    'GET /api/wallet/exists',
    'POST /api/wallet/create',
    'POST /api/wallet/restore',
    'POST /api/wallet/unlock',
    'GET /api/config',
    'POST /api/config/node-url',
    'POST /api/config/theme',
    'GET /api/balance',
    'POST /api/sync',
    'GET /api/lwd/info',
    'GET /api/lwd/chain-tip',
    'POST /api/lwd/sync/compact',
  ]) {
    t.true(routes.has(route), route);
  }
});

for (const name of operationNames) {
  test(`${name}: the sample answer satisfies the output schema`, (t) => {
    const parsed = operations[name].output.safeParse(examples[name].output);
    t.true(parsed.success, parsed.error?.message);
  });

  test(`${name}: the sample input names every field, and positional arguments are fields`, (t) => {
    const fields = inputFields(name).map((field) => field.name);
    t.deepEqual(Object.keys(examples[name].input).sort(), [...fields].sort());
    for (const argument of operations[name].cli.positional ?? []) t.true(fields.includes(argument));
  });

  test(`${name}: an operation that asks for a password can answer that it is wrong`, (t) => {
    const { access, errors } = operations[name];
    const asks = inputFields(name).some((field) => field.name === 'password');
    if (access === 'password' || access === 'session_or_password') {
      t.true(asks);
      t.true(errors.includes('WRONG_PASSWORD') && errors.includes('NO_WALLET'));
    }
    if (access === 'session') t.true(errors.includes('WALLET_LOCKED') && errors.includes('NO_WALLET'));
    t.is(new Set(errors).size, errors.length, 'a code is listed twice');
  });
}
