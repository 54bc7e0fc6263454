import { z } from 'zod'
import { describeIssues } from '../../errors/describe-issues.ts'

/** A JSON Schema to read, and the answer to check by it, both as JSON. */
export interface AnswerCheck {
  readonly schema: string
  /** Without one, only the schema is read. */
  readonly answer?: string | undefined
}

/** The result of a check: what is wrong with the schema or with the answer, if anything. */
export type CheckedAnswer = { readonly invalidSchema: string } | { readonly violation?: string }

/** Checks an answer by a JSON Schema. Patterns are for the model alone, since one of a caller could take forever. */
export const checkAnswer = ({ schema, answer }: AnswerCheck): CheckedAnswer => {
  let form: z.ZodType
  try {
    form = z.fromJSONSchema(withoutPatterns(JSON.parse(schema)) as z.core.JSONSchema.JSONSchema)
  } catch (error) {
    return { invalidSchema: error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read' }
  }
  return answer === undefined ? {} : checkForm(form, answer)
}

/** Checks JSON by a schema in zod. Throws `RangeError` if its references lead to themselves. */
export const checkForm = (form: z.ZodType, answer: string): { readonly violation?: string } => {
  const parsed = form.safeParse(JSON.parse(answer))
  return parsed.success ? {} : { violation: describeIssues(parsed.error.issues) }
}

/** Members of a schema that hold other schemas by names of the caller's own. */
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])

const withoutPatterns = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPatterns)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (key === 'pattern' || key === 'patternProperties' || key === 'format') return []
      if (key === 'enum' || key === 'const' || key === 'default') return [[key, member]]
      if (!named.has(key) || typeof member !== 'object' || member === null) return [[key, withoutPatterns(member)]]
      return [[key, Object.fromEntries(Object.entries(member).map(([name, one]) => [name, withoutPatterns(one)]))]]
    }),
  )
}
