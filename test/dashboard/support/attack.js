// Runs in the hostile page; `target` is the companion's address. Resolves with whatever it could read.
async (target) => {
  const read = [];
  const attempts = [];
  const attempt = (name, work) => {
    attempts.push(
      Promise.resolve().then(work).then(
        (found) => found !== undefined && read.push(`${name}: ${String(found).slice(0, 200)}`),
        () => undefined,
      ),
    );
  };
  const paths = ['/', '/api/config', '/api/balance', '/api/wallet/status', '/api/events', '/metrics', '/api/openapi.json'];
  for (const path of [...paths, '/modules/dashboard/page/main.js']) {
    for (const mode of ['cors', 'no-cors', 'same-origin']) {
      attempt(`${mode} ${path}`, async () => {
        const response = await fetch(target + path, { mode, credentials: 'include' });
        return (await response.text()) || undefined;
      });
    }
  }
  const types = ['text/plain', 'application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json;charset=utf-16', ''];
  for (const path of ['/api/wallet/lock', '/api/wallet/create', '/api/config/theme', '/api/sync/cancel', '/api/pair']) {
    for (const type of types) {
      for (const mode of ['cors', 'no-cors']) {
        attempt(`${mode} POST ${path} as ${type}`, async () => {
          const body = new Blob(['{"theme":"dark","password":"x"}'], { type });
          const response = await fetch(target + path, { method: 'POST', mode, body });
          return (await response.text()) || undefined;
        });
      }
    }
    attempt(`beacon ${path}`, async () => void navigator.sendBeacon(target + path, '{}'));
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      attempt(`${method} ${path}`, async () => (await fetch(target + path, { method })).status);
    }
  }
  const loaded = (name, element, address) =>
    attempt(
      name,
      () =>
        new Promise((resolve, reject) => {
          element.onload = () => resolve(name === 'frame' ? undefined : 'it loaded');
          element.onerror = reject;
          element[address] = `${target}/`;
          document.body.append(element);
        }),
    );
  loaded('image', document.createElement('img'), 'src');
  loaded('script', document.createElement('script'), 'src');
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  loaded('style', link, 'href');
  for (const rel of ['prefetch', 'preload', 'modulepreload', 'prerender', 'preconnect', 'dns-prefetch']) {
    const hint = document.createElement('link');
    hint.rel = rel;
    if (rel === 'preload') hint.as = 'fetch';
    hint.href = `${target}/api/wallet/status`;
    document.head.append(hint);
  }
  const frame = document.createElement('iframe');
  attempt(
    'frame',
    () =>
      new Promise((resolve, reject) => {
        frame.onload = () => {
          try {
            resolve(frame.contentDocument?.body.innerText || undefined);
          } catch (refused) {
            reject(refused);
          }
        };
        frame.src = `${target}/`;
        document.body.append(frame);
      }),
  );
  attempt(
    'events',
    () =>
      new Promise((resolve, reject) => {
        const source = new EventSource(`${target}/api/events`, { withCredentials: true });
        source.onopen = () => resolve('the stream opened');
        source.onerror = reject;
      }),
  );
  attempt(
    'websocket',
    () =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${target.replace('http', 'ws')}/api/events`);
        socket.onopen = () => resolve('the socket opened');
        socket.onerror = reject;
      }),
  );
  attempt('worker', async () => {
    const worker = new Worker(`${target}/modules/dashboard/page/main.js`, { type: 'module' });
    return new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = reject;
    });
  });
  attempt('service worker', () => navigator.serviceWorker.register(`${target}/modules/dashboard/page/main.js`));
  attempt('import', () => import(`${target}/modules/dashboard/page/main.js`));
  // Forms, into frames, by both methods and all three encodings.
  for (const method of ['GET', 'POST']) {
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      for (const path of ['/api/wallet/lock', '/api/wallet/status', '/']) {
        const sink = document.createElement('iframe');
        sink.name = `sink-${method}-${enctype}-${path}`;
        const form = document.createElement('form');
        Object.assign(form, { method, enctype, action: target + path, target: sink.name });
        const input = document.createElement('input');
        Object.assign(input, { name: '{"theme":"dark","x":"', value: '"}' });
        form.append(input);
        document.body.append(sink, form);
        attempts.push(new Promise((resolve) => sink.addEventListener('load', resolve, { once: true })));
        form.submit();
      }
    }
  }
  await Promise.all(attempts);
  return read;
}
