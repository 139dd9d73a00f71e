// The wide kernel is used only where a separate process has tested it, and the result is kept for this machine alone.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import test, { type ExecutionContext } from 'ava';
import { type WideTest, wideFault } from '../../src/workers/wideKernel.ts';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

/** Stands in for the process; counts its starts in a file. */
function tester(t: ExecutionContext, code: string) {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'process.mjs');
  const starts = path.join(folder, 'starts');
  writeFileSync(starts, '');
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(starts)}, '.');\n${code}`,
  );
  return {
    starts: () => readFileSync(starts, 'utf8').length,
    options: {
      tested: 'this',
      configDir: folder,
      isNamed: false,
      entry: pathToFileURL(file),
    } satisfies WideTest,
    kept: () => JSON.parse(readFileSync(path.join(folder, 'kernel.json'), 'utf8')) as unknown,
    record: path.join(folder, 'kernel.json'),
  };
}

const says = (fault: string | null) => `process.stdout.write(${JSON.stringify(JSON.stringify(fault))});`;

test('a kernel that passes is used, and is tested once', async (t) => {
  const { options, starts, kept, record } = tester(t, says(null));
  t.is(await wideFault(options), undefined);
  t.is(await wideFault(options), undefined);
  t.is(starts(), 1);
  t.deepEqual(kept(), { tested: 'this', fault: null });
  t.is(statSync(record).mode & 0o777, 0o600);
});

test('another engine, processor or kernel is tested again', async (t) => {
  const { options, starts, kept } = tester(t, says(null));
  await wideFault(options);
  t.is(await wideFault({ ...options, tested: 'another' }), undefined);
  t.is(starts(), 2);
  t.deepEqual(kept(), { tested: 'another', fault: null });
});

test('a kernel that fails is not tested again, unless config.json names it', async (t) => {
  const { options, starts } = tester(t, says('it is slow'));
  t.is(await wideFault(options), 'it is slow');
  t.is(await wideFault(options), 'it is slow');
  t.is(starts(), 1);
  t.is(await wideFault({ ...options, isNamed: true }), 'it is slow');
  t.is(starts(), 2);
});

for (const [what, code] of [
  ['a signal', 'process.kill(process.pid, "SIGSEGV"); setInterval(() => {}, 1000);'],
  ['an abort', 'process.abort();'],
  ['an exception', 'throw new Error("out of range");'],
] as const)
  test(`an engine that ends the process by ${what} is not asked again`, async (t) => {
    const { options, starts } = tester(t, code);
    t.is(await wideFault(options), 'the wide kernel ended the process that tested it');
    t.is(await wideFault(options), 'the wide kernel ended the process that tested it');
    t.is(starts(), 1);
  });

test('a process that does not end, or does not start, says nothing about the kernel', async (t) => {
  const endless = tester(t, 'setInterval(() => {}, 1000);');
  const patienceMs = 300;
  t.is(await wideFault({ ...endless.options, patienceMs }), 'the test of the wide kernel took too long');
  t.throws(endless.kept, { code: 'ENOENT' });
});

test('a record that is damaged, a folder or none leads to another test', async (t) => {
  const { options, starts, record, kept } = tester(t, says(null));
  for (const damaged of [
    '',
    '{',
    '{"tested":"this"}',
    '{"tested":"this","fault":null,"more":1}',
    'x'.repeat(10_000),
  ]) {
    writeFileSync(record, damaged);
    t.is(await wideFault(options), undefined);
    t.deepEqual(kept(), { tested: 'this', fault: null });
  }
  t.is(starts(), 5);
  t.is(await wideFault({ ...options, configDir: undefined }), undefined);
  t.is(await wideFault({ ...options, configDir: path.join(options.configDir, 'missing') }), undefined);
  t.is(starts(), 7);
});

/** Runs the test in something that ends while it runs; settles when the process that tests has ended, too. */
async function untilTesterEnds(t: ExecutionContext, run: (code: string) => () => unknown): Promise<void> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const module = (name: string) =>
    JSON.stringify(new URL(`../../src/workers/${name}.js`, import.meta.url).href);
  // It hangs as a compiler does: no event reaches it. Should nothing end it, it ends itself after the test has failed.
  const { options } = tester(
    t,
    `import { connect } from 'node:net';
    import { endWithParent } from ${module('endWithParent')};
    endWithParent();
    const { port } = ${JSON.stringify(server.address())};
    const end = Date.now() + 120_000;
    connect(port, '127.0.0.1', () => { while (Date.now() < end); });`,
  );
  const code = `import(${module('wideKernel')}).then(({ wideFault }) =>
    wideFault({ ...${JSON.stringify(options)}, entry: new URL(${JSON.stringify(options.entry.href)}) }));`;
  const end = run(code);
  const [connection] = (await once(server, 'connection')) as [Socket];
  // A process that is killed closes it without a word, or resets it.
  connection.on('error', () => undefined);
  const closed = once(connection.resume(), 'close');
  await end();
  await closed;
}

test('the process ends with the thread that waits for it', async (t) => {
  t.timeout(60_000);
  await untilTesterEnds(t, (code) => {
    const thread = new Worker(code, { eval: true });
    return () => thread.terminate();
  });
  t.pass();
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`the process ends when its parent ends by ${signal}`, async (t) => {
    t.timeout(60_000);
    await untilTesterEnds(t, (code) => {
      const parent = untilTestEnds(t, spawn(process.execPath, ['-e', code], { stdio: 'ignore' }));
      return () => parent.kill(signal);
    });
    t.pass();
  });

test('the real process says what this Node has', async (t) => {
  const fault = await wideFault({ tested: 'this', configDir: undefined, isNamed: false });
  if (/^(24|26)\./.test(process.versions.node) && process.arch === 'x64')
    t.regex(fault ?? 'it works', /^it works$|not worth it here/);
  else t.is(fault, 'wide vectors need Node 24 or 26 on x64');
});
