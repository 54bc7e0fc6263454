import { memberName, storable } from '@sibyl/protocol'
import * as z from 'zod'
import { brokenText, words } from './words.ts'

/** The operators of a rubric's conditions. */
export const conditionOperators = [
  'equals',
  'not-equals',
  'at-least',
  'at-most',
  'more-than',
  'less-than',
  'one-of',
  'contains',
  'exists',
] as const

const scalar = z.union([z.string().max(500).refine(storable, brokenText), z.number(), z.boolean()])

/** A condition over a claim's data: `{ id: 'used', path: '/hours', operator: 'at-least', value: 1, reason: '…' }`. */
export const rubricCondition = z.strictObject({
  id: memberName,
  /** An RFC 6901 JSON Pointer into the claim's data. */
  path: z
    .string()
    .max(500)
    .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'must be a JSON Pointer such as /hours')
    .refine(storable, brokenText),
  operator: z.enum(conditionOperators),
  /** The value to compare with: a number, a string, true or false, or a list of them for `one-of`. */
  value: z.union([scalar, z.array(scalar).min(1).max(100)]).optional(),
  /** Why a claim that does not meet it is refused, in words for people. */
  reason: words(1, 300),
})

export type RubricCondition = z.infer<typeof rubricCondition>
