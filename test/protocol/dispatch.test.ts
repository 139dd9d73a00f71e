// Where a password goes that an operation has no use for: to whoever checks it, and nowhere else.
import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { dispatchMessage, inputPastPassword } from '../../src/protocol/dispatch.ts';
import { wrongPassword } from '../../src/protocol/errors.ts';
import type { Actor } from '../../src/protocol/operation.ts';
import {
  type Handlers,
  isOperationName,
  type OperationName,
  operationNames,
  operations,
} from '../../src/protocol/operations.ts';
import { failure, ok, type Result } from '../../src/protocol/result.ts';
import { inputFields } from '../../src/protocol/textInput.ts';

const PASSWORD = 'correct horse';

/** Handlers that keep what they were given. */
function recorder<A extends Actor>(seen: unknown[]): Handlers<A> {
  const handler = (name: OperationName) => (input: unknown) => {
    seen.push(input);
    return examples[name].output;
  };
  return Object.fromEntries(operationNames.map((name) => [name, handler(name)])) as unknown as Handlers<A>;
}

const takesPassword = (name: OperationName): boolean =>
  inputFields(name).some((field) => field.name === 'password');

test('every POST operation takes a password and says what comes of a wrong one; no GET does', (t) => {
  for (const name of operationNames) {
    const { http, errors } = operations[name];
    t.is(takesPassword(name), http.method === 'POST', name);
    if (http.method === 'GET') continue;
    if (!errors.includes('WALLET_EXISTS')) {
      for (const code of ['WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS', 'NO_WALLET'] as const)
        t.true(errors.includes(code), name);
    }
  }
});

for (const name of operationNames) {
  const { actor, checksPassword } = operations[name];
  if (checksPassword !== true) continue;
  const message = { name, input: examples[name].input, requestId: 'r' };
  const { password: _, ...withoutIt } = examples[name].input as { password?: string };

  test(`${name}: the password is checked, and its handler does not see it`, async (t) => {
    const seen: unknown[] = [];
    const checked: string[] = [];
    const dispatching = {
      logFault: () => t.fail(),
      keeper: { isSet: () => false, requireOwn: () => t.fail() },
      checkPassword: async (password: Uint8Array) => checked.push(Buffer.from(password).toString()) > 0,
    };
    t.true((await dispatchMessage(actor, recorder(seen), message, dispatching)).ok);
    t.deepEqual(checked, [PASSWORD]);
    t.deepEqual(seen, [withoutIt]);
    const without = { ...message, input: withoutIt, byOwner: true };
    t.true((await dispatchMessage(actor, recorder(seen), without, dispatching)).ok);
    t.deepEqual(checked, [PASSWORD]);
  });

  test(`${name}: a wrong password runs no handler, and an unchecked one is INTERNAL`, async (t) => {
    const seen: unknown[] = [];
    const faults: unknown[] = [];
    const logFault = (_where: string, fault: unknown) => void faults.push(fault);
    const checkPassword = async () => {
      throw wrongPassword();
    };
    t.like(await dispatchMessage(actor, recorder(seen), message, { logFault, checkPassword }), {
      ok: false,
      error: { code: 'WRONG_PASSWORD' },
    });
    t.is(faults.length, 0);
    t.like(await dispatchMessage(actor, recorder(seen), message, { logFault }), {
      ok: false,
      error: { code: 'INTERNAL' },
    });
    t.is(faults.length, 1);
    t.false(String(faults[0]).includes(PASSWORD));
    t.deepEqual(seen, []);
  });
}

const CALLER = { byOwner: true, origin: 'http://127.0.0.1:8634' };

test('what is passed on to an actor without passwords has none; the wallet actor was asked before', async (t) => {
  const asked: object[] = [];
  const answering = (answer: Result<unknown>) => async (message: object) => {
    asked.push(message);
    return answer;
  };
  const input = { start_height: 5, password: 'e\u0301' };
  const RIGHT = { handled: { start_height: 5 }, hasPassword: true };
  t.deepEqual(await inputPastPassword('lwd.sync_compact', input, CALLER, answering(ok(RIGHT))), ok(RIGHT));
  t.like(asked, [{ of: 'lwd.sync_compact', input, ...CALLER }]);
  const refusal = failure(wrongPassword());
  t.deepEqual(await inputPastPassword('lwd.sync_compact', input, CALLER, answering(refusal)), refusal);
  t.is(asked.length, 2);
  // Nothing to ask about: no password, a null one, or input that is bad anyhow.
  t.deepEqual(
    await inputPastPassword('lwd.sync_compact', { password: null }, CALLER, answering(refusal)),
    ok({ handled: {}, hasPassword: false }),
  );
  t.deepEqual(
    await inputPastPassword('lwd.info', {}, CALLER, answering(refusal)),
    ok({ handled: {}, hasPassword: false }),
  );
  for (const [bad, code] of [
    [{ password: 'x', start_height: 9, end_height: 5 }, 'INVALID_RANGE'],
    [{ password: 5 }, 'INVALID_REQUEST'],
    [{ password: '' }, 'INVALID_PASSWORD_FORMAT'],
  ] as const) {
    t.like(await inputPastPassword('lwd.sync_compact', bad, CALLER, answering(refusal)), {
      ok: false,
      error: { code },
    });
  }
  t.is(asked.length, 2);
  // The question is no operation: no front can send it.
  t.false(isOperationName((asked[0] as { name: unknown }).name));
});
