// Taking a line apart without reading its arguments gives what reading all of it would give.
import test from 'ava';
import { readEnvelope } from '../../src/ipc/envelope.ts';
import { CompanionError } from '../../src/protocol/errors.ts';

const bytes = (text: string): Buffer => Buffer.from(new TextEncoder().encode(text));

const LINES: readonly string[] = [
  '{}',
  ' { } ',
  '{"id":1,"command":"wallet_unlock","args":{"password":"p"}}',
  '{"args":{"password":"a\\"}],{[","deep":[{"x":[]},"\\\\"]},"id":"x","command":"c","request_id":"r"}',
  '\t{ "id" : -1.5e3 , "command" : "ü" , "args" : [ 1, 2 ] }\r',
  '{"id":null,"command":true,"args":7}',
  '{"id":1,"args":{"a":1},"args":{"b":2}}',
  '{"\\u0069d":9,"\\u0061rgs":{}}',
];

for (const line of LINES) {
  test(`${line}: the same as when it is read`, (t) => {
    const { args: wanted, ...rest } = JSON.parse(line);
    const given = bytes(line);
    const { message, args } = readEnvelope(given);
    t.deepEqual(message, rest);
    t.deepEqual(args === undefined ? undefined : JSON.parse(new TextDecoder().decode(args)), wanted);
    t.is(args?.byteLength, args?.buffer.byteLength);
    t.true(given.every((byte) => byte === 0));
  });
}

test('of unknown members only the name is reported', (t) => {
  t.deepEqual(readEnvelope(bytes('{"id":1,"password":"hunter2","__proto__":{"x":1}}')).message, {
    id: 1,
    password: null,
    ['__proto__']: null,
  });
});

test('what is no object is reported as it is', (t) => {
  t.deepEqual(readEnvelope(bytes(' [1]')), { message: [1], args: undefined });
});

for (const line of [
  '',
  '{',
  '{"id"',
  '{"id":',
  '{"id":}',
  '{"id":1',
  '{"id":1,',
  '{"id":1,}',
  '{"id":1 "command":"x"}',
  '{id:1}',
  '{"id":1}}',
  '{"id":1} x',
  '{"args":{"a":"x}',
  '{"args":"\\',
  '{"args":[',
  '{"id":nope}',
  '{"id":"a\u0001"}',
]) {
  test(`${JSON.stringify(line)} is refused without any of it`, (t) => {
    const given = bytes(line);
    const error = t.throws<CompanionError>(() => readEnvelope(given), { instanceOf: CompanionError });
    t.is(error?.code, 'INVALID_REQUEST');
    t.is(error?.cause, undefined);
    t.true(given.every((byte) => byte === 0));
  });
}

test('what is not UTF-8 is refused', (t) => {
  t.throws(() => readEnvelope(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), {
    instanceOf: CompanionError,
  });
});
