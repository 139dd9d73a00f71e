// What is wrong with a value, said the same way wherever values come from: requests, command line, config.json.

import type { z } from 'zod';

/**
 * zod's own sentences quote the value that was given, which may be a secret in the wrong place: say only what was
 * expected.
 */
export function issueMessage(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      // No field takes fractions.
      return issue.expected === 'int' || issue.expected === 'number'
        ? 'must be an integer'
        : `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `has an unknown key: ${issue.keys.join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    // Both say what their schema says.
    case 'custom':
    case 'invalid_union':
      return issue.message;
    default:
      return 'is not valid';
  }
}
