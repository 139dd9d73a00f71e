// The operation table without its schemas, for command lines and for the start of the program: building the schemas takes
// longer than most commands do. `npm run generate` writes the generated file.

import { isOfWallet, type OperationName, operationNames, operations } from '../../src/protocol/operations.ts';
import { fieldShapes } from './fieldShapes.ts';

export const COMMANDS_FILE = 'src/protocol/generated/commands.ts';

export const commandsSource =
  (): string => `// Made from the operation table by \`npm run generate\`; do not edit.

import type { Inputs } from '@wallet-companion/client/contract';

/** An array is a list of names, or of objects where it has \`members\`. */
export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

export interface FieldShape {
  readonly name: string;
  readonly type: JsonType;
  readonly required: boolean;
  readonly description: string;
  /** The allowed values, if they are a short list; of a list those of its items. */
  readonly choices?: readonly string[];
  /** Of the objects in a list. */
  readonly members?: readonly FieldShape[];
}

/** operation.ts explains the members. */
export interface CommandRow {
  readonly access: 'anyone' | 'session' | 'password' | 'session_or_password' | 'owner_or_password';
  readonly summary: string;
  /** As texts name it: "GET /api/contacts". */
  readonly route: string;
  readonly hasNoDeadline?: true;
  readonly makesWallet?: true;
  readonly removesWallet?: true;
  /** It asks one wallet of several. */
  readonly isOfWallet: boolean;
  readonly cli: {
    readonly words: readonly string[];
    readonly formerly?: readonly string[];
    readonly positional?: readonly string[];
    readonly files?: readonly string[];
    readonly confirmPassword?: true;
    readonly view?: 'checks' | 'inspection' | 'payment' | 'payments' | 'transactions';
    readonly columns?: readonly string[];
    readonly lines?: readonly string[];
    readonly amountsFromScan?: true;
    readonly file?: 'batch' | 'export' | 'code' | 'prepared' | 'pczt' | 'text';
    readonly repeated?: true;
    readonly scans?: true;
    readonly takesRecipient?: true;
    readonly flags?: Readonly<Record<string, string>>;
    readonly takesWallets?: true;
    readonly warning?: string;
    readonly withoutCompanion?: string;
    readonly showsConfig?: true;
    readonly mustAdd?: true;
    readonly mustPass?: true;
    readonly mustEqual?: true;
    readonly mustProve?: true;
    readonly asksWords?: 'after' | 'instead';
    readonly remindsOfBackup?: true;
  };
  readonly fields: readonly FieldShape[];
}

export const COMMANDS: Readonly<Record<keyof Inputs, CommandRow>> = {
${operationNames.map((name) => `  '${name}': ${JSON.stringify(row(name))},\n`).join('')}};
`;

function row(name: OperationName) {
  const { access, summary, hasNoDeadline, makesWallet, removesWallet, cli, http } = operations[name];
  return {
    access,
    summary,
    route: `${http.method} ${http.path}`,
    isOfWallet: isOfWallet(name),
    hasNoDeadline,
    makesWallet,
    removesWallet,
    cli,
    fields: fieldShapes(name),
  };
}
