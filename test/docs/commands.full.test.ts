// Every command on the pages runs, as it stands but for what is the reader's own, or is in the list of those that do not.

import fs from 'node:fs';
import anyTest from 'ava';
import { CliProcess } from '../helpers/cliProcess.ts';
import { NOT_RUN } from './support/notRun.ts';
import { inlineCommands, type PageCommand, pageCommands } from './support/pageCommands.ts';
import { ReadersMachine, type RunOptions } from './support/readersMachine.ts';

const test = process.platform === 'win32' ? anyTest.skip : anyTest;

const commands = pageCommands();
const reasonsFor = ({ text }: PageCommand): readonly string[] =>
  NOT_RUN.flatMap(({ command, reason, here = true }) => (here && command.test(text) ? [reason] : []));

test('what is not run has one reason, and each reason a command', (t) => {
  t.true(commands.length > 100);
  for (const command of commands) t.true(reasonsFor(command).length <= 1, command.text);
  for (const { command } of NOT_RUN)
    t.true(
      commands.some(({ text }) => command.test(text)),
      String(command),
    );
});

test('npm scripts and benchmarks on the pages are there', (t) => {
  const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  const benches = fs.readFileSync('bench/main.ts', 'utf8');
  for (const { text } of commands) {
    const [, script = 'test'] = /^npm (?:run ([\w:]+)|start|test)/.exec(text) ?? [];
    t.true(Object.hasOwn(scripts, script), text);
    const [, bench] = /^npm run bench (\w+)/.exec(text) ?? [];
    if (bench !== undefined) t.regex(benches, new RegExp(`^  ${bench}[,:]`, 'm'), text);
  }
});

test('commands within the text are there, with their flags', async (t) => {
  const helps = new Map<string, string>();
  const helpOf = async (...words: readonly string[]): Promise<string> => {
    const known = helps.get(words.join(' '));
    if (known !== undefined) return known;
    const { stdout } = await new CliProcess().run(...words, '--help');
    helps.set(words.join(' '), stdout);
    return stdout;
  };
  const top = await helpOf();
  const first = new Set([...top.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, word = '']) => word));
  const named = inlineCommands(first);
  t.true(named.length > 80);
  for (const { page, text } of named) {
    const all = text.split(' ');
    const start = all.findIndex((word) => first.has(word));
    if (start < 0) continue;
    // The longest beginning that is a command: the rest are its arguments.
    let help = top;
    for (let end = start + 1; end <= all.length; end += 1) {
      const words = all.slice(start, end);
      if (!words.every((word) => /^[a-z][a-z-]*$/.test(word))) break;
      const longer = await helpOf(...words);
      if (!longer.startsWith(`Usage: wallet-companion ${words.join(' ')} `)) break;
      help = longer;
    }
    t.not(help, top, `${page}: ${text}`);
    for (const [, flag = ''] of text.matchAll(/(?:^|[ [])(--[a-z-]+)/g))
      t.true(`${help}${top}--json`.includes(flag), `${page}: ${text} has ${flag}`);
  }
});

/** How a command runs that is not just run to its end with the code 0. */
interface How extends RunOptions {
  /** null: Ctrl-C ends it, as it does not listen to that. */
  readonly code?: number | null;
  /** What has happened before. */
  readonly before?: () => Promise<void>;
}

const EXTENSION = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
const SERVES: How = { alone: true, until: /listening on/ };

const howTo = (machine: ReadersMachine): readonly (readonly [RegExp, How])[] => [
  [/^wallet-companion (?:--password-file \S+ )?serve/, SERVES],
  [/^node --permission/, SERVES],
  [/^mkdir |wallet restore|wallet-companion setup|config anonymous-access/, { alone: true }],
  [
    /^wallet-companion watch/,
    {
      until: /./,
      meanwhile: () => {
        machine.devnet.mine();
        return machine.post('/api/sync', {});
      },
      code: 130,
    },
  ],
  [/bridge btcpay/, { until: /http:\/\/127/ }],
  [/^node docs\/examples/, { until: /listening/, code: null }],
  [/pay (?:--resume|prove|discard) /, { before: async () => void (await machine.preparesPayment()) }],
  [/pay --refund /, { before: () => machine.receivesPayment() }],
  [/pay combine /, { before: () => machine.signs() }],
  [
    /pay inspect /,
    { before: async () => fs.copyFileSync(`${machine.folder}/rent.pczt`, `${machine.folder}/payment.pczt`) },
  ],
  [/pay batch /, { before: () => machine.preparesTwoPayments() }],
  [/pair allow/, { before: () => machine.asksToPair(EXTENSION) }],
  [/pair refuse/, { before: () => machine.asksToPair(EXTENSION.replaceAll('a', 'b')) }],
  [/cat > /, { input: 'correct horse battery staple\n' }],
];

test('the other commands run, page by page', async (t) => {
  const machine = await ReadersMachine.start(t);
  const run = commands.filter((command) => reasonsFor(command).length === 0);
  t.true(run.length > 40);
  const failed: string[] = [];
  for (const [index, { page, text }] of run.entries()) {
    if (page !== run[index - 1]?.page) machine.turnPage();
    const { code = 0, before, ...options } = howTo(machine).find(([which]) => which.test(text))?.[1] ?? {};
    await before?.();
    const ran = await machine.run(text, options);
    if (ran.code !== code) failed.push(`${page}: ${text}\nends with ${ran.code}\n${ran.output}`);
  }
  t.deepEqual(failed, []);
});
