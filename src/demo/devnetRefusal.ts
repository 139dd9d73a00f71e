// What the devnet refuses, as the companion says it: its program and its calls over HTTP answer by the one taxonomy.
import { DevnetError } from '@wallet-companion/devnet';
import { CompanionError, type FieldError } from '../protocol/errors.ts';
import { issueMessage } from '../protocol/issueMessage.ts';

export function toCompanionError(thrown: unknown): unknown {
  if (!(thrown instanceof DevnetError)) return thrown;
  const { message, issues, cause } = thrown;
  if (issues.length === 0) return new CompanionError('INVALID_REQUEST', message, { cause });
  const errors = issues.map(
    (issue): FieldError => ({ path: issue.path.map(String).join('.'), message: issueMessage(issue) }),
  );
  const detail = `${errors.map((error) => `${error.path} ${error.message}`.trim()).join('; ')}.`;
  return new CompanionError('INVALID_REQUEST', detail, { errors });
}
