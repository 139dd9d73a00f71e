// Messages for invalid values, the same wherever the value comes from: requests, command line, config.json.

import type * as z from 'zod';

/** zod's own messages quote the value, which may be a misplaced secret; these state only what was expected. */
export function issueMessage(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      // No field accepts fractions.
      return issue.expected === 'int' || issue.expected === 'number'
        ? 'must be an integer'
        : `must be of type ${issue.expected === 'record' ? 'object' : issue.expected}`;
    case 'invalid_value':
      return issue.message.startsWith('Invalid')
        ? `must be one of ${issue.values.map(String).join(', ')}`
        : issue.message;
    case 'unrecognized_keys':
      return `has an unknown key: ${issue.keys.join(', ')}`;
    case 'too_small':
      if (issue.origin === 'array') return `must have at least ${issue.minimum}`;
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'array') return `must have at most ${issue.maximum}`;
      return `must be at most ${issue.maximum}`;
    // These issues carry a message of their schema.
    case 'custom':
    case 'invalid_union':
      return issue.message;
    case 'invalid_format':
      // zod's own sentences quote the pattern.
      return issue.message.startsWith('Invalid') ? 'is not valid' : issue.message;
    default:
      return 'is not valid';
  }
}
