// What the steps of setup share.

import type { Questions } from '../terminal/questions.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import type { SetupCall } from './setupCommand.ts';
import type { SetupLink } from './setupLink.ts';

export interface SetupContext {
  readonly call: SetupCall;
  readonly environment: CliEnvironment;
  readonly link: SetupLink;
  /** Undefined: nobody is asked. */
  readonly ask: Questions | undefined;
  /** A sentence for the person; programs that read JSON get none. */
  readonly print: (text: string) => void;
}
