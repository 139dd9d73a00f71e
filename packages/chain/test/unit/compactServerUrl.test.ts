import type { CompanionError } from '@wallet-companion/client/contract';
import test from 'ava';
import { parseCompactServerUrl } from '../../src/chain/compact/compactServerUrl.ts';

for (const [text, host, tls, loopback] of [
  ['https://lwd.example.org', 'lwd.example.org:443', true, false],
  ['https://lwd.example.org:9067', 'lwd.example.org:9067', true, false],
  ['http://127.0.0.1:9067', '127.0.0.1:9067', false, true],
  ['http://127.0.0.1:9067/', '127.0.0.1:9067', false, true],
  ['http://lwd.example.org', 'lwd.example.org:80', false, false],
  ['127.0.0.1:9067', '127.0.0.1:9067', false, true],
  ['localhost:9067', 'localhost:9067', false, true],
  ['[::1]:9067', '[::1]:9067', false, true],
  ['lwd.example.org:443', 'lwd.example.org:443', true, false],
  ['http://unix:9067', 'unix:9067', false, false],
  ['LOCALHOST:9067', 'localhost:9067', false, true],
  ['127.0.0.1:80', '127.0.0.1:80', false, true],
  ['lwd.example.org:80', 'lwd.example.org:80', true, false],
  ['HTTPS://LWD.Example.org', 'lwd.example.org:443', true, false],
  ['http://[0:0:0:0:0:0:0:1]:9067', '[::1]:9067', false, true],
  ['https://[2001:DB8::1]', '[2001:db8::1]:443', true, false],
  ['127.0.0.1.example.org:443', '127.0.0.1.example.org:443', true, false],
] as const) {
  test(`${text} is ${host}, ${tls ? 'TLS' : 'plain'}`, (t) => {
    t.deepEqual(parseCompactServerUrl(text), { host, target: `dns:${host}`, tls, loopback });
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
