// `doctor` on the command line: its text, its exit code, and its answer where nothing can start.

import test from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';
import { ok } from '../../src/protocol/result.ts';
import { CliProcess } from '../helpers/cliProcess.ts';

const WARN = { check: 'node_cookie', state: 'warn', what: 'Open to all.', do: 'chmod o-rwx on it.' } as const;
const FINE = { check: 'disk', state: 'ok', what: 'Much is free.', do: null } as const;

test('a line for each check with what to do below it; only a failure is one for scripts', async (t) => {
  const cli = new CliProcess();
  cli.link.answerWith('doctor.run', () => ok({ worst: 'warn', checks: [FINE, WARN] }));
  const { code, stdout } = await cli.run('doctor');
  t.is(code, 0);
  t.is(
    stdout,
    [
      'ok    disk         Much is free.',
      'warn  node cookie  Open to all.',
      '                   -> chmod o-rwx on it.',
      '',
    ].join('\n'),
  );
  cli.link.answerWith('doctor.run', () => ok({ worst: 'fail', checks: [{ ...WARN, state: 'fail' }] }));
  t.is((await cli.run('doctor')).code, 6);
  const json = await cli.run('doctor', '--json', '--data-dir', '/tmp/x');
  t.is(json.code, 6);
  t.is(JSON.parse(json.stdout).worst, 'fail');
});

test('where no companion can start the reason is the first finding, and other commands still fail', async (t) => {
  const cli = new CliProcess();
  cli.startFailure = new CompanionError('INVALID_REQUEST', 'config.json, line 3: wrong.');
  const { code, stdout } = await cli.run('doctor', '--data-dir', '/tmp/alice');
  t.is(code, 6);
  t.regex(stdout, /^FAIL {2}companion {2}config\.json, line 3: wrong\. \(INVALID_REQUEST\)$/m);
  t.false(stdout.includes('alice'));
  t.is((await cli.run('balance')).code, 2);
});
