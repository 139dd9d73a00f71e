// Only the HTTP side of the operation table, so that the client brings no schema library into a browser. `npm run
// generate` writes the generated file.

import { isOfWallet, operationNames, operations } from '../../src/protocol/operations.ts';

export const ROUTES_FILE = 'packages/client/src/contract/generated/routes.ts';

export function routesSource(): string {
  const rows = operationNames.map((name) => {
    const { method, path } = operations[name].http;
    return `  '${name}': { method: '${method}', path: '${path}' },`;
  });
  return `// Made from the operation table by \`npm run generate\`; do not edit.

import type { Inputs } from './types.ts';

/** The operations that each wallet has. */
export type WalletOperation =
${operationNames
  .filter(isOfWallet)
  .map((name) => `  | '${name}'`)
  .join('\n')};

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

export const ROUTES: Readonly<Record<keyof Inputs, Route>> = {
${rows.join('\n')}
};
`;
}
