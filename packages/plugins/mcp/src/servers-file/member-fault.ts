import type { z } from 'zod'

const kinds: Readonly<Record<string, string | undefined>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  record: 'an object',
  object: 'an object',
}

/** What is wrong with a member of the file in plain words and without its value; undefined where its schema says it itself. */
export const memberFault = (issue: z.core.$ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `has members that are not known here: ${issue.keys.map(key => key.slice(0, 40)).join(', ')}`
    case 'invalid_key':
      return issue.issues[0]?.message
    case 'too_small':
      return issue.origin === 'number' ? `must be at least ${issue.minimum}` : 'is too short'
    case 'too_big':
      return issue.origin === 'number' ? `must be at most ${issue.maximum}` : 'is too long'
    default:
      return undefined
  }
}
