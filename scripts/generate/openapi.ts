// The OpenAPI 3.1 document, made from the table. Its `info.version` is the version of the API, not of the program, so a
// release that does not change the API leaves it as it is.

import { DEFAULT_URL, filledPath, PROBLEM_TYPE, pathMembers } from '@wallet-companion/client/contract';
import * as z from 'zod';
import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts';
import { GRANT_ERRORS, type Reach, SCOPES } from '../../src/protocol/grants.ts';
import { type HttpOnlyRoute, httpOnlyPaths, httpOnlyRoutes } from '../../src/protocol/httpOnly.ts';
import { type Access, COMMON_ERRORS, type Operation } from '../../src/protocol/operation.ts';
import { isOfWallet, type OperationName, operationNames, operations } from '../../src/protocol/operations.ts';
import { examples } from './examples.ts';
import { shownInput } from './shownExample.ts';

type Json = Readonly<Record<string, unknown>>;

const API_VERSION = '1';

/** Errors of the guard, the rate limit and the body reader, which come before the operation. */
const FRONT_ERRORS: readonly ErrorCode[] = ['HOST_FORBIDDEN', 'ORIGIN_FORBIDDEN', ...GRANT_ERRORS];
const BODY_ERRORS: readonly ErrorCode[] = ['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

export const ACCESS_TEXT: Readonly<Record<Access, string>> = {
  anyone: 'No session needed.',
  session: 'Needs an unlocked wallet.',
  password: 'Needs the password in the body.',
  session_or_password: 'Needs an unlocked wallet, or the password in the body.',
  owner_or_password: 'Needs the password in the body; from the owner on the command line it does not.',
};

/** Which callers that are not the owner may call it. */
export function reachText(reach: Reach): string {
  if (reach === 'anyone') return 'Open without a grant.';
  if (reach === 'owner') return 'No grant reaches it.';
  if (reach.length === SCOPES.length) return 'Any grant reaches it.';
  return `Grants with ${reach.map((scope) => `\`${scope}\``).join(' or ')} reach it.`;
}

const SECURITY_SCHEMES: Json = {
  grant: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token of a grant (`wallet-companion grant create`). It is needed where `anonymous_access` in config.json is `read` or `none`, and limits the caller where it is sent. The scopes that reach an operation are in `x-grant-scopes`.',
  },
};

/** The empty object: a call without a grant is possible too, as far as `anonymous_access` allows it. */
const securityOf = (reach: Reach): Json =>
  reach === 'owner' || reach === 'anyone'
    ? { security: [{}] }
    : { security: [...reach.map((scope) => ({ grant: [scope] })), {}], 'x-grant-scopes': [...reach] };

/** Every error code that a call of the operation over HTTP can return. */
export function httpErrors(name: OperationName): readonly ErrorCode[] {
  const { errors, http } = operations[name];
  const fromBody = http.method === 'POST' ? BODY_ERRORS : [];
  return [...new Set([...errors, ...COMMON_ERRORS, ...FRONT_ERRORS, ...fromBody])];
}

export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wallet Companion',
      version: API_VERSION,
      description:
        'Local companion for a shielded Zcash wallet. It listens on the loopback interface only. Amounts are integers in zatoshi; hashes are hex in display order; times are RFC 3339 UTC. Operations with `x-of-each-wallet` are of the default wallet at the path that is given; with `/api/wallets/{wallet}/` in place of `/api/` they are of the wallet of that name (`GET /api/wallets` lists them), with its own password and session; for a name without a wallet every GET but that of `wallet.exists` is `NO_WALLET`.',
      license: { name: 'MIT OR Apache-2.0', identifier: 'MIT OR Apache-2.0' },
    },
    servers: [{ url: DEFAULT_URL }],
    tags: [...new Set(operationNames.map(tagOf))].map((name) => ({ name })),
    paths: { ...operationPaths(), ...otherPaths() },
    components: { schemas: { Problem: problemSchema() }, securitySchemes: SECURITY_SCHEMES },
  };
}

const tagOf = (name: OperationName): string => name.split('.')[0] ?? name;

function operationPaths(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const name of operationNames) {
    const { method, path } = operations[name].http;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(name) };
  }
  return paths;
}

function operationObject(name: OperationName): Json {
  const { summary, access, http, output, reach } = operations[name];
  return {
    operationId: name,
    tags: [tagOf(name)],
    summary,
    description: `${ACCESS_TEXT[access]} ${reachText(reach)}`,
    ...securityOf(reach),
    ...(isOfWallet(name) ? { 'x-of-each-wallet': true } : {}),
    ...(http.method === 'GET'
      ? { parameters: [...pathParameters(name), ...queryParameters(name)] }
      : { ...pathParametersOfPost(name), requestBody: requestBody(name) }),
    responses: {
      [http.status ?? 200]: {
        description: summary,
        content: {
          'application/json': { schema: outputSchema(output), example: examples[name].output },
          ...fileContents(http.files),
        },
      },
      ...problemResponses(httpErrors(name)),
    },
  };
}

const fileContents = (files: Operation['http']['files'] = {}): Json =>
  Object.fromEntries(Object.values(files).map(({ type }) => [type, { schema: { type: 'string' } }]));

interface InputSchema {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

function inputSchema(name: OperationName): InputSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(operations[name].input, { io: 'input' });
  return schema as InputSchema;
}

/** The input members that are not in the path. */
function inputBesides(name: OperationName): InputSchema {
  const { properties = {}, required = [], ...schema } = inputSchema(name);
  const inPath = pathMembers(operations[name].http.path);
  const rest = Object.entries(properties).filter(([field]) => !inPath.includes(field));
  return {
    ...schema,
    properties: Object.fromEntries(rest),
    required: required.filter((field) => !inPath.includes(field)),
  };
}

function pathParameters(name: OperationName): readonly Json[] {
  const { properties = {} } = inputSchema(name);
  return pathMembers(operations[name].http.path).map((field) => {
    const { description, ...schema } = properties[field] ?? {};
    return { name: field, in: 'path', required: true, description, schema };
  });
}

function pathParametersOfPost(name: OperationName): Json {
  const parameters = pathParameters(name);
  return parameters.length === 0 ? {} : { parameters };
}

function queryParameters(name: OperationName): readonly Json[] {
  const { properties = {}, required = [] } = inputBesides(name);
  return Object.entries(properties).map(([field, { description, ...schema }]) => ({
    name: field,
    in: 'query',
    required: required.includes(field),
    // Text has no null; an empty value stands for it.
    ...(required.includes(field) ? {} : { allowEmptyValue: true }),
    description,
    schema,
  }));
}

function requestBody(name: OperationName): Json {
  const { properties = {}, required = [], ...schema } = inputBesides(name);
  const nullable = Object.entries(properties).map(([field, property]) =>
    required.includes(field) ? [field, property] : [field, orNull(property)],
  );
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: {
          ...schema,
          properties: Object.fromEntries(nullable),
          ...(required.length > 0 ? { required } : {}),
        },
        example: filledPath(operations[name].http.path, shownInput(name)).rest,
      },
    },
  };
}

/** An optional field that is null counts as absent. */
function orNull(property: Json): Json {
  const { type, enum: values } = property;
  return { ...property, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

/** Allows further properties, so that a field added later does not break the schema. */
function outputSchema(output: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(output, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });
  return schema;
}

function problemResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, some]) => [String(status), problemResponse(some)]));
}

function problemResponse(codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
    content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function problemSchema(): Json {
  return {
    type: 'object',
    description: 'RFC 9457 problem details',
    required: ['type', 'title', 'status', 'detail', 'code', 'retryable', 'request_id'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'One sentence that says what to do' },
      code: { type: 'string', enum: Object.keys(ERRORS) },
      retryable: { type: 'boolean' },
      request_id: { type: 'string' },
      errors: {
        type: 'array',
        description: 'Each bad field',
        items: {
          type: 'object',
          required: ['path', 'message', 'code'],
          properties: {
            path: { type: 'string' },
            message: { type: 'string' },
            code: {
              type: 'string',
              description:
                'What is wrong with the field, for programs; where nothing more exact is known, the code of the failure',
            },
          },
        },
      },
      consents: {
        type: 'array',
        description: 'With CONSENT_NEEDED: what to name in `privacy`, where the caller agrees',
        items: { type: 'string' },
      },
      stopped_at: {
        type: 'object',
        description:
          'Of a call that pays: the payment that is kept, and the step that failed. The same call goes on with it',
        required: ['payment_id', 'step'],
        properties: {
          payment_id: { type: 'string' },
          step: { type: 'string', enum: ['sign', 'prove', 'send'] },
        },
      },
      last_scan_height: { type: 'integer', description: 'What a sync had committed when it failed' },
    },
  };
}

/** The paths that are served besides the operations. */
function otherPaths(): Json {
  const paths = httpOnlyPaths.map((path) => {
    const route: HttpOnlyRoute = httpOnlyRoutes[path];
    const { operationId, summary, description, reach, contentType, schema, errors, query = {} } = route;
    const parameters = Object.entries(query).map(([name, allowed]) => ({
      name,
      in: 'query',
      required: false,
      schema: allowed,
    }));
    const codes: readonly ErrorCode[] = ['INVALID_REQUEST', 'INTERNAL', ...errors, ...FRONT_ERRORS];
    const get = {
      operationId,
      tags: ['system'],
      summary,
      description: `${ACCESS_TEXT.anyone} ${reachText(reach)} ${description}`,
      ...securityOf(reach),
      ...(parameters.length === 0 ? {} : { parameters }),
      responses: {
        200: { description: summary, content: { [contentType]: { schema } } },
        ...problemResponses(codes),
      },
    };
    return [path, { get }] as const;
  });
  return Object.fromEntries(paths);
}
