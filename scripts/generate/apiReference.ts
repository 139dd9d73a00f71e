// docs/api.md and the pages in docs/api, generated from the table, so that the documentation matches what runs.

import {
  DEFAULT_INPUT_BYTES,
  DEFAULT_URL,
  filledPath,
  inKib,
  requestTo,
} from '@wallet-companion/client/contract';
import { argumentName } from '../../src/protocol/argumentName.ts';
import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts';
import { EVENT_TEXT } from '../../src/protocol/events.ts';
import { POOL_NAMES } from '../../src/protocol/fields.ts';
import type { FieldShape } from '../../src/protocol/generated/commands.ts';
import { httpOnlyPaths, httpOnlyRoutes } from '../../src/protocol/httpOnly.ts';
import { inputLimit } from '../../src/protocol/inputLimits.ts';
import { type Access, COMMON_ERRORS, type Operation } from '../../src/protocol/operation.ts';
import {
  type Feature,
  featureNames,
  isOfWallet,
  type OperationName,
  operations,
  operationsOfFeature,
} from '../../src/protocol/operations.ts';
import { answerText, type Linked } from './answerText.ts';
import { fieldShapes } from './fieldShapes.ts';
import { ACCESS_TEXT, reachText } from './openapi.ts';
import { shownInput } from './shownExample.ts';

const oneOf = (names: readonly string[]): string =>
  names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');

const INTRODUCTION = `# API reference

Made from the operation table (\`src/protocol/operations\`) by \`npm run generate\`; the same table answers, so these pages
do not drift. A machine-readable form is served at \`GET /api/openapi.json\`.

Here: [conventions](#conventions), [all operations](#operations), [what is over HTTP only](#over-http-only), [events](#events), [errors](#errors).
Each group of operations has a page with fields, samples, answers and errors.

## Conventions

- The base URL is \`${DEFAULT_URL}\`. The server listens on the loopback interface only.
- Bodies are JSON objects with \`Content-Type: application/json\`, at most 64 KiB where an operation does not say otherwise. Fields of GET routes are query parameters. A
  field that the path has in braces, as \`{payment_id}\`, is given there and nowhere else. A
  field that is \`null\` counts as absent; an unknown field is refused.
- Every POST operation takes \`password\`. Where it is not needed it is checked all the same, before anything is done, and opens the session. Before there is a wallet there is nothing to check it against.
  Three wrong ones are free; the next try has to wait 1 s, doubling to 5 s (\`TOO_MANY_ATTEMPTS\` with \`Retry-After\`), until a right one. Each class of caller waits for its own wrong ones:
  the private socket of the command line, the dashboard, each grant, and all others together.
- Where there is text alone, on the command line and in a query, a list of names has commas between them and a list of objects is JSON.
- Heights, counts and amounts are integers; amounts are in zatoshi. \`account\` is a ZIP 32 account index, \`pool\` is ${oneOf(POOL_NAMES)}. Block hashes and txids are lower-case hex in display
  order, nullifiers in protocol order. Times are RFC 3339 UTC.
- There is one session, not one a caller: \`wallet.unlock\` opens it, as do making and restoring a wallet, and
  it ends with \`wallet.lock\` or after \`auto_lock_seconds\` without a call that needs it. \`WALLET_LOCKED\` says that none is open.
- By default every program on this machine may call everything. \`anonymous_access\` in config.json (\`read\`, \`none\`) limits that; a [grant](grants.md) then says what a caller
  may do, on which wallets and how long: \`Authorization: Bearer TOKEN\`. Each operation says which scopes reach it. \`GRANT_REQUIRED\`, \`GRANT_EXPIRED\`, \`GRANT_SCOPE\` and \`GRANT_LIMIT\` refuse.
- A POST without fields may come without a body. Calls that ask a node or a server take as long as these do, \`POST /api/sync\` up to some
  minutes: it answers when it is done, and progress is at \`GET /api/sync/status\` and \`GET /api/events\` meanwhile.
- A table below each example says which members of an answer may be null or missing, and what does not speak for itself; what an operation above it has said is linked. Members may be added
  in later versions; a client ignores what it does not know.
- Every response has \`x-request-id\`; a caller may send its own.
- Web pages are refused. A packaged extension may call when a person has let it in (\`POST /api/pair\`), or its exact origin is in \`allowed_origins\` of config.json: at most 100 requests a
  second with a burst of 200, beyond that \`RATE_LIMITED\` with \`Retry-After\`. Programs that send no \`Origin\` have no such limit. An extension with
  host permissions on 127.0.0.1 is refused its GETs, which do not name it.
- A companion has as many wallets as are made in it, each with its own password, session, notes and events. All routes of these pages are of the default
  one. With \`/api/wallets/NAME/\` in place of \`/api/\` an operation that is marked "of each wallet" is of the wallet NAME: 1 to 32 lower-case
  letters, digits and dashes. \`POST /api/wallets/NAME/wallet/create\` makes it; before that it answers as the default wallet does without a file. On the
  command line that is \`--wallet NAME\`, over IPC and the socket \`"wallet": "NAME"\` in the message, in the client \`inWallet('NAME')\`. The other
  operations are of the companion as a whole, and a password that one of them takes is the default wallet's.
- On the command line every operation takes \`--json\`, which prints exactly the HTTP body.
`;

const TITLES: Readonly<Record<Feature, string>> = {
  wallet: 'Wallet: make, restore, open, back up',
  config: 'Configuration',
  keys: 'Accounts and addresses',
  balance: 'Balance',
  notes: 'Notes and transactions',
  changes: 'Changes to notes, for keeping books',
  witnesses: 'Witnesses of notes',
  labels: 'Labels of addresses',
  contacts: 'Contacts',
  books: 'History: export, balance at a date',
  paymentUri: 'Payment requests (ZIP 321)',
  invoices: 'Invoices',
  payments: 'Payments that are signed elsewhere (PCZT)',
  sync: 'Sync',
  coverage: 'Coverage: what has been scanned',
  mempool: 'Mempool: what is not mined yet',
  follow: 'Follow mode',
  lwd: 'The compact-block server and the local store',
  pairing: 'Pairing with browser extensions',
  grants: 'Grants: who may do what',
  hooks: 'Hooks',
  system: 'Version and status',
};

const NEEDS: Readonly<Record<Access, string>> = {
  anyone: '',
  session: 'session',
  password: 'password',
  session_or_password: 'session or password',
  owner_or_password: 'owner or password',
};

const INDEX = 'docs/api.md';

/** The generated pages: text by path from the root of the repository. */
export function referencePages(): ReadonlyMap<string, string> {
  const index = [INTRODUCTION, ...contents(), httpOnlySection(), eventSection(), errorSection()].join('\n');
  return new Map([[INDEX, index], ...featureNames.map((name) => [pageOf(name), page(name)] as const)]);
}

const pageOf = (feature: Feature): string => `docs/api/${feature}.md`;

const escaped = (text: string): string => text.replaceAll('|', '\\|');
const anchor = (name: OperationName): string => name.replaceAll('.', '').toLowerCase();

function contents(): readonly string[] {
  const groups = featureNames.map((feature) =>
    [
      `### ${TITLES[feature]}`,
      '',
      '| HTTP | needs | command | what it does |',
      '|---|---|---|---|',
      ...operationsOfFeature(feature).map((name) => routeRow(name, `api/${feature}.md`)),
      '',
    ].join('\n'),
  );
  return [
    ['## Operations', '', '"session": an unlocked wallet; "password": the password in the body.', ''].join(
      '\n',
    ),
    ...groups,
  ];
}

function routeRow(name: OperationName, page: string): string {
  const { http, access, cli, summary } = operations[name];
  const link = `[\`${http.method} ${http.path}\`](${page}#${anchor(name)})`;
  return `| ${link} | ${NEEDS[access]} | \`${cli.words.join(' ')}\` | ${escaped(summary)} |`;
}

const page = (feature: Feature): string =>
  [
    `# ${TITLES[feature]}\n\nMade from the operation table by \`npm run generate\`. What holds for all operations is in [the reference](../api.md).\n`,
    ...operationsOfFeature(feature).map((name, index, all) =>
      operationSection(name, all.slice(0, index).map(linked)),
    ),
  ].join('\n');

const linked = (name: OperationName): Linked => ({ name, link: `[${name}](#${anchor(name)})` });

function operationSection(name: OperationName, above: readonly Linked[]): string {
  const { http, cli, ipc, summary, access, reach, errors } = operations[name];
  const words = [
    ...cli.words,
    ...(cli.positional ?? []).map((field) => `<${argumentName(fieldShapes(name), field)}>`),
  ].join(' ');
  return [
    `## ${name}`,
    '',
    `\`${http.method} ${http.path}\` · command \`wallet-companion ${words}\` · IPC \`${ipc}\``,
    '',
    `${summary}. ${ACCESS_TEXT[access]} ${reachText(reach)}${isOfWallet(name) ? ' Of each wallet.' : ''}`,
    '',
    ...fieldTable(name),
    ...limitLines(name),
    ...requestLines(name),
    ...answerText(name, above),
    ...fileLines(http.files),
    ...(errors.length === 0 ? [] : [`Errors: ${[...errors].map((code) => `\`${code}\``).join(', ')}.`, '']),
  ].join('\n');
}

function limitLines(name: OperationName): readonly string[] {
  if (inputLimit(name) === DEFAULT_INPUT_BYTES) return [];
  const limit = `The input has at most ${inKib(inputLimit(name))}`;
  return [
    `${limit}; of those with more than ${inKib(DEFAULT_INPUT_BYTES)} four are taken at a time (\`BUSY\`).`,
    '',
  ];
}

function requestLines(name: OperationName): readonly string[] {
  const input = shownInput(name);
  if (Object.keys(input).length === 0) return [];
  const { method, path: route } = operations[name].http;
  const { target } = requestTo(method, route, input);
  if (method === 'GET') return [`Sample: \`GET ${target}\``, ''];
  const { rest } = filledPath(route, input);
  // JSON.stringify puts real line breaks only between fields; line breaks in a text are escaped.
  const body = JSON.stringify(rest, undefined, 1).replaceAll(/\n\s*/g, ' ');
  const start = target === route ? '' : `POST ${target}`;
  return [`Sample: \`${[start, ...(Object.keys(rest).length === 0 ? [] : [body])].join(' ').trim()}\``, ''];
}

function fileLines(files: Operation['http']['files']): readonly string[] {
  if (files === undefined) return [];
  const kinds = Object.entries(files).map(([format, { type }]) => `\`${format}\` as \`${type}\``);
  return [`Over HTTP ${kinds.join(', ')}, unless the request has \`Accept: application/json\`.`, ''];
}

function fieldTable(name: OperationName): readonly string[] {
  const fields = fieldShapes(name);
  if (fields.length === 0) return [];
  const rows = fields.flatMap((field) => [
    fieldRow(field, ''),
    ...(field.members ?? []).map((member) => fieldRow(member, `${field.name}[].`)),
  ]);
  return ['| field | type | required | meaning |', '|---|---|---|---|', ...rows, ''];
}

function fieldRow(
  { name, type, required, description, choices, members }: FieldShape,
  before: string,
): string {
  const values = choices?.map((choice) => `\`${choice}\``).join(', ');
  const kind =
    type === 'array'
      ? `list of ${members === undefined ? (values ?? 'names') : 'objects'}`
      : (values ?? type);
  return `| \`${before}${name}\` | ${kind} | ${required ? 'yes' : 'no'} | ${escaped(description)} |`;
}

function httpOnlySection(): string {
  const entries = httpOnlyPaths.map((path) => {
    const { summary, description, contentType } = httpOnlyRoutes[path];
    return `- \`GET ${path}\` (\`${contentType}\`): ${summary}. ${description}`;
  });
  return ['## Over HTTP only', '', 'No session needed.', '', ...entries, ''].join('\n');
}

function eventSection(): string {
  const rows = Object.entries(EVENT_TEXT).map(([name, text]) => `| \`${name}\` | ${escaped(text)} |`);
  return [
    '## Events',
    '',
    'Over `GET /api/events`, and to programs that subscribe through IPC or the socket. Amounts and addresses are there',
    'only while the wallet is unlocked; `address` is left out where a commit found more new addresses than can be derived on the way.',
    'All are of the default wallet, or of the companion as a whole: those of another wallet come from `GET /api/wallets/NAME/events`, and to who subscribes with its name.',
    '',
    '```',
    'id: 5f0e61d2.17',
    'event: reorg',
    'data: {"fork_height":3428150,"depth":2}',
    '```',
    '',
    '| event | data |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function errorSection(): string {
  const common = COMMON_ERRORS.map((code) => `\`${code}\``).join(', ');
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const { status, exit, title, retryable } = ERRORS[code];
    return `| \`${code}\` | ${status} | ${exit} | ${retryable ? 'yes' : 'no'} | ${title} |`;
  });
  return [
    '## Errors',
    '',
    'Every failure is `application/problem+json` (RFC 9457): `type`, `title`, `status`, `detail`, `code`, `retryable`,',
    '`request_id`, for bad fields `errors` (each with `path`, `message` and `code`), with `CONSENT_NEEDED` `consents`, for a payment of `payments.pay` that is kept `stopped_at` (`payment_id`, `step`), and for a sync that failed half-way',
    '`last_scan_height`. The status and the exit code of the command line follow from `code`.',
    '',
    `Every operation can also answer with ${common}; over HTTP with \`HOST_FORBIDDEN\`, \`ORIGIN_FORBIDDEN\`, \`RATE_LIMITED\`,`,
    '`METHOD_NOT_ALLOWED`, and for POST `BODY_TOO_LARGE` and `UNSUPPORTED_MEDIA_TYPE`.',
    '',
    '| code | HTTP status | exit code | retryable | title |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
