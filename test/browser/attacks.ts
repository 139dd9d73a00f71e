// What a hostile page may try, each as a script of its own that tells what it got to see. `to` is the companion as
// http://127.0.0.1:PORT, `own` the page's own origin.

export interface Attack {
  readonly name: string;
  readonly script: string;
  /** What the page saw, word for word: nothing of what was asked. */
  readonly sees: string;
  only?: 'secure';
  /** A browser that does not even send it is as good; `sent` (default) is held to make sure that the row tries something. */
  readonly sent?: false;
}

const SIMPLE_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''];
const OTHER_TYPES = ['application/json', 'text/plain;application/json', 'application/csp-report', 'text/xml'];
const THEME = `'{"theme":"dark"}'`;

const post = (type: string, init: string): string =>
  `return read(to + '/api/config/theme', { method: 'POST', headers: ${type === '' ? '{}' : `{ 'content-type': '${type}' }`}, body: new Blob([${THEME}]), ${init} })`;

const fetches: Attack[] = [
  ...SIMPLE_TYPES.flatMap((type) => [
    { name: `fetch POST as "${type}"`, script: post(type, ''), sees: 'refused' },
    { name: `fetch POST no-cors as "${type}"`, script: post(type, "mode: 'no-cors'"), sees: 'refused' },
    {
      name: `fetch POST no-cors, keepalive, as "${type}"`,
      script: post(type, "mode: 'no-cors', keepalive: true"),
      sees: 'refused',
    },
  ]),
  ...OTHER_TYPES.flatMap((type) => [
    { name: `fetch POST as "${type}"`, script: post(type, ''), sees: 'refused' },
    { name: `fetch POST no-cors as "${type}"`, script: post(type, "mode: 'no-cors'"), sees: 'refused' },
  ]),
  ...['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].map((method) => ({
    name: `fetch ${method}`,
    script: `return read(to + '/api/balance', { method: '${method}' })`,
    sees: 'refused',
  })),
  ...[
    '/api/config',
    '/api/notes',
    '/api/transactions/export?format=csv',
    '/healthz',
    '/metrics',
    '/api/openapi.json',
    '/',
    '/dashboard/main.js',
  ].flatMap((path) => [
    { name: `fetch ${path}`, script: `return read(to + '${path}')`, sees: 'refused' },
    {
      name: `fetch ${path} no-cors`,
      script: `return read(to + '${path}', { mode: 'no-cors', credentials: 'include' })`,
      sees: 'refused',
    },
  ]),
  ...['/api/wallet/create', '/api/sync/cancel', '/api/pair'].map((path) => ({
    name: `fetch POST ${path} no-cors`,
    script: `return read(to + '${path}', { method: 'POST', mode: 'no-cors', body: '{"password":"x"}' })`,
    sees: 'refused',
  })),
  {
    name: 'fetch POST without a body, which needs no preflight: lock',
    script: `return read(to + '/api/wallet/lock', { method: 'POST', mode: 'no-cors' })`,
    sees: 'refused',
  },
  {
    name: 'fetch with headers of its own choice',
    script: `return read(to + '/api/balance', { headers: { 'x-request-id': 'a', 'last-event-id': '0', host: 'localhost', origin: to, 'sec-fetch-site': 'none' } })`,
    sees: 'refused',
  },
  {
    name: 'fetch that asks as an extension',
    script: `return read(to + '/api/pair', { method: 'POST', mode: 'no-cors', body: '{"origin":"chrome-extension://abcdefghijklmnopabcdefghijklmnop"}' })`,
    sees: 'refused',
  },
  {
    name: 'XMLHttpRequest',
    script: `const x = new XMLHttpRequest(); x.open('GET', to + '/api/balance'); const end = said(x, 'loadend'); x.send(); await end; return x.status + x.responseText`,
    sees: '0',
  },
  {
    name: 'sendBeacon',
    script: `navigator.sendBeacon(to + '/api/wallet/lock'); return arrived()`,
    sees: 'sent',
  },
  {
    name: 'sendBeacon with JSON',
    script: `navigator.sendBeacon(to + '/api/config/theme', new Blob([${THEME}], { type: 'application/json' })); return arrived()`,
    sees: 'sent',
  },
  ...['301', '302', '307', '308'].flatMap((status) => [
    {
      name: `fetch, redirected by ${status}`,
      script: `return read('/${status}?' + encodeURIComponent(to + '/api/balance'))`,
      sees: 'refused',
    },
    {
      name: `fetch POST no-cors, redirected by ${status}`,
      script: `return read('/${status}?' + encodeURIComponent(to + '/api/wallet/lock'), { method: 'POST', mode: 'no-cors' })`,
      sees: 'refused',
    },
  ]),
];

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

const form = (method: string, type: string, path: string): string => `
  const frame = put('iframe', { name: 'target' });
  const made = put('form', { method: '${method}', enctype: '${type}', action: to + '${path}', target: 'target' });
  put('input', { name: '{"theme":"dark","x":"', value: '"}' }, made);
  const loaded = shown(frame);
  made.submit();
  await loaded;
  await arrived();
  const found = inside(() => frame.contentDocument?.body?.innerText ?? 'closed');
  frame.remove(); made.remove();
  return found`;

const forms: Attack[] = [
  ...FORM_TYPES.map((type) => ({
    name: `form POST, ${type}`,
    script: form('post', type, '/api/config/theme'),
    sees: 'closed',
  })),
  { name: 'form POST: lock', script: form('post', FORM_TYPES[0]!, '/api/wallet/lock'), sees: 'closed' },
  { name: 'form GET', script: form('get', FORM_TYPES[0]!, '/api/balance'), sees: 'closed' },
];

const element = (tag: string, fields: string): string =>
  `return settled('${tag}', { ${fields.replaceAll('URL', "to + '/api/balance'")} })`;

const elements: Attack[] = [
  { name: 'image', script: element('img', 'src: URL'), sees: 'error' },
  { name: 'image with CORS', script: element('img', "crossOrigin: '', src: URL"), sees: 'error' },
  {
    name: 'image, the icon itself',
    script: `return settled('img', { src: to + '/dashboard/icon.svg' })`,
    sees: 'error',
  },
  { name: 'script', script: element('script', 'src: URL'), sees: 'error' },
  {
    name: 'script, a module of the dashboard',
    script: `return settled('script', { type: 'module', src: to + '/dashboard/main.js' })`,
    sees: 'error',
  },
  {
    name: 'import()',
    script: `return import(to + '/dashboard/main.js').then(() => 'loaded', () => 'error')`,
    sees: 'error',
  },
  {
    name: 'style sheet',
    script: `return settled('link', { rel: 'stylesheet', href: to + '/dashboard/style.css' })`,
    sees: 'error',
  },
  {
    name: 'style sheet with an @import',
    script: `put('style', { textContent: '@import "' + to + '/dashboard/style.css"' }); return arrived()`,
    sees: 'sent',
  },
  {
    name: 'picture named by a style',
    script: `body.style.background = 'url("' + to + '/api/balance")'; const seen = await arrived(); body.style.background = ''; return seen`,
    sees: 'sent',
  },
  {
    name: 'font',
    script: `return new FontFace('x', 'url("' + to + '/api/balance")').load().then(() => 'loaded', () => 'error')`,
    sees: 'error',
  },
  { name: 'audio', script: element('audio', "preload: 'auto', src: URL"), sees: 'error' },
  { name: 'video', script: element('video', "preload: 'auto', src: URL"), sees: 'error' },
  {
    name: 'subtitles',
    script: `const video = put('video', { crossOrigin: 'anonymous' }); const track = put('track', { kind: 'subtitles', default: true }, video); const failed = said(track, 'error'); track.track.mode = 'showing'; track.src = to + '/api/balance'; return failed`,
    sees: 'error',
  },
  { name: 'object', script: element('object', 'data: URL'), sees: 'error' },
  {
    name: 'embed',
    script: `put('embed', { src: to + '/api/balance' }); return arrived()`,
    sees: 'sent',
  },
  ...['modulepreload', 'prefetch'].map((rel) => ({
    name: `link rel=${rel}`,
    script: `put('link', { rel: '${rel}', href: to + '/api/balance' }); return arrived()`,
    sees: 'sent',
  })),
  ...['script', 'style', 'image', 'fetch', 'font'].map((kind) => ({
    name: `link rel=preload as=${kind}`,
    script: `return settled('link', { rel: 'preload', as: '${kind}', href: to + '/api/balance' }, document.head)`,
    sees: 'error',
  })),
  {
    name: 'speculation rules: prefetch and prerender',
    script: `put('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ urls: [to + '/'], eagerness: 'immediate' }], prerender: [{ urls: [to + '/api/config'], eagerness: 'immediate' }] }) }); return arrived()`,
    sees: 'sent',
  },
];

const streams: Attack[] = [
  {
    name: 'EventSource',
    script: `const source = new EventSource(to + '/api/events'); const found = await Promise.race([said(source, 'wallet.locked'), said(source, 'open'), said(source, 'error')]); source.close(); return found`,
    sees: 'error',
  },
  {
    name: 'EventSource with credentials',
    script: `const source = new EventSource(to + '/api/events', { withCredentials: true }); const found = await Promise.race([said(source, 'open'), said(source, 'error')]); source.close(); return found`,
    sees: 'error',
  },
  {
    name: 'WebSocket',
    script: `const socket = new WebSocket(to.replace('http', 'ws') + '/api/events'); return Promise.race([said(socket, 'open'), said(socket, 'close')])`,
    sees: 'close',
  },
];

const windows: Attack[] = [
  ...['/', '/api/config', '/api/balance', '/api/events'].map((path) => ({
    name: `iframe of ${path}`,
    script: `return framed({ src: to + '${path}' })`,
    sees: 'closed',
  })),
  {
    name: 'iframe, sandboxed with all rights',
    script: `return framed({ sandbox: 'allow-scripts allow-same-origin allow-forms', src: to + '/' })`,
    sees: 'closed',
  },
  {
    name: 'iframe without credentials',
    script: `return framed({ credentialless: true, src: to + '/' })`,
    sees: 'closed',
  },
  {
    name: 'iframe, redirected',
    script: `return framed({ src: '/302?' + encodeURIComponent(to + '/') })`,
    sees: 'closed',
  },
  ...['/', '/api/balance', '/api/pair'].map((path) => ({
    name: `window.open ${path}`,
    script: `const other = open(to + '${path}'); await arrived(); other.postMessage('{"theme":"dark"}', '*'); return held(other)`,
    sees: 'lost',
  })),
  {
    name: 'window of its own that is led there',
    script: `const other = open('/'); await said(other, 'load'); other.location = to + '/'; await arrived(); return held(other)`,
    sees: 'lost',
  },
  {
    name: 'a link followed in another tab',
    script: `put('a', { href: to + '/api/balance', target: '_blank', rel: 'opener' }).click(); return arrived()`,
    sees: 'sent',
  },
  {
    name: 'a link followed with a ping',
    script: `put('a', { href: '#', ping: to + '/api/wallet/lock' }).click(); return arrived()`,
    sees: 'sent',
  },
  {
    name: 'a link followed as a download',
    script: `put('a', { href: to + '/api/transactions/export?format=csv', download: 'x.csv', target: '_blank' }).click(); return arrived()`,
    sees: 'sent',
  },
];

/** The opaque origin, which every sandboxed page has. */
const INNER = `const seen = [];
  const url = TO + '/api/balance';
  seen.push(await fetch(url).then((a) => a.text(), () => 'refused'));
  seen.push(await fetch(TO + '/api/wallet/lock', { method: 'POST', mode: 'no-cors' }).then((a) => a.type, () => 'refused'));
  seen.push(await fetch(TO + '/api/pair', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then((a) => a.text(), () => 'refused'));
  parent.postMessage(seen.join(), '*');`;

const inner = (fields: string): string => `
  const text = '<script type=module>' + ${JSON.stringify(INNER)}.replaceAll('TO', JSON.stringify(to)) + '</' + 'script>';
  return message(() => put('iframe', { ${fields} }))`;

const origins: Attack[] = [
  {
    name: 'origin null: sandboxed page',
    script: inner("sandbox: 'allow-scripts', srcdoc: text"),
    sees: 'refused,refused,refused',
  },
  {
    name: 'origin null: data: URL',
    script: inner("src: 'data:text/html,' + encodeURIComponent(text)"),
    sees: 'refused,refused,refused',
  },
  {
    name: 'blob: URL',
    script: inner("src: URL.createObjectURL(new Blob([text], { type: 'text/html' }))"),
    sees: 'refused,refused,refused',
  },
  { name: 'about:srcdoc', script: inner('srcdoc: text'), sees: 'refused,refused,refused' },
  {
    name: 'worker that imports from the companion',
    script: `const worker = new Worker('/imports.js?' + encodeURIComponent(to + '/dashboard/main.js')); return Promise.race([said(worker, 'error'), said(worker, 'message')])`,
    sees: 'error',
  },
  {
    name: 'worker of the companion',
    script: `try { new Worker(to + '/dashboard/main.js'); return 'made' } catch (error) { return error.name }`,
    sees: 'SecurityError',
    sent: false,
  },
  {
    name: 'service worker that asks',
    script: `await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready; const { active } = await navigator.serviceWorker.ready; const answer = new Promise((resolve) => navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data), { once: true })); active.postMessage(to + '/api/balance'); return answer`,
    sees: 'refused',
  },
  {
    name: 'service worker that answers its own page with ours',
    script: `await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready; navigator.serviceWorker.controller ?? await said(navigator.serviceWorker, 'controllerchange'); return read('/through-worker?' + encodeURIComponent(to + '/api/balance'), { mode: 'no-cors' })`,
    sees: 'refused',
  },
];

export const ATTACKS: readonly Attack[] = [
  ...fetches,
  ...forms,
  ...elements,
  ...streams,
  ...windows,
  ...origins,
];
