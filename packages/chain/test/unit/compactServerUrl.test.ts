import type { CompanionError } from '@wallet-companion/client/contract';
import test from 'ava';
import { parseCompactServerUrl } from '../../src/chain/compact/compactServerUrl.ts';

for (const [text, host, tls] of [
  ['https://lwd.example.org', 'lwd.example.org:443', true],
  ['https://lwd.example.org:9067', 'lwd.example.org:9067', true],
  ['http://127.0.0.1:9067', '127.0.0.1:9067', false],
  ['http://127.0.0.1:9067/', '127.0.0.1:9067', false],
  ['http://lwd.example.org', 'lwd.example.org:80', false],
  ['127.0.0.1:9067', '127.0.0.1:9067', false],
  ['localhost:9067', 'localhost:9067', false],
  ['[::1]:9067', '[::1]:9067', false],
  ['lwd.example.org:443', 'lwd.example.org:443', true],
  ['http://unix:9067', 'unix:9067', false],
  ['LOCALHOST:9067', 'localhost:9067', false],
  ['127.0.0.1:80', '127.0.0.1:80', false],
  ['lwd.example.org:80', 'lwd.example.org:80', true],
  ['HTTPS://LWD.Example.org', 'lwd.example.org:443', true],
  ['http://[0:0:0:0:0:0:0:1]:9067', '[::1]:9067', false],
  ['https://[2001:DB8::1]', '[2001:db8::1]:443', true],
  ['127.0.0.1.example.org:443', '127.0.0.1.example.org:443', true],
  // A hidden service seals what it carries.
  ['abc.onion:9067', 'abc.onion:9067', false],
  ['abc.onion.example.org:9067', 'abc.onion.example.org:9067', true],
] as const) {
  test(`${text} is ${host}, ${tls ? 'TLS' : 'plain'}`, (t) => {
    const [, hostname, port] = /^(.*):(\d+)$/.exec(host)!;
    const expected = { host, hostname, port: Number(port), target: `dns:${host}`, tls };
    t.deepEqual(parseCompactServerUrl(text), expected);
  });
}

for (const text of [
  '',
  'lwd.example.org',
  'ftp://127.0.0.1:9067',
  'https://',
  'https://user:pass@lwd.example.org',
  'https://lwd.example.org/path',
  'https://lwd.example.org/?a=b',
  '127.0.0.1:99999',
  '127.0.0.1:9067/path',
  '127.0.0.999:9067',
  'user:pass@127.0.0.1:9067',
  'https://lwd.example.org//',
  'http://::1:9067',
  'http://[fe80::1%25eth0]:9067',
  'http://[fe80::1%eth0]:9067',
  'unix:/run/lwd.sock',
  'unix:///run/lwd.sock',
  'http://lwd.exam\nple.org',
  ' http://127.0.0.1:9067',
]) {
  test(`"${text}" is no compact server`, (t) => {
    t.is(t.throws<CompanionError>(() => parseCompactServerUrl(text))?.code, 'INVALID_URL');
  });
}
