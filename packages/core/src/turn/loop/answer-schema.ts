import { createContext, Script } from 'node:vm'
import { OracleError } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import { describeIssues } from '../calls/tool-error-text.ts'
import type { AnswerSchema } from '../store/requested-turn.ts'

/** The longest schema of an answer, in characters of JSON. */
const maxSchema = 32_000

/** Time limit of the check of an answer, which blocks this process, in milliseconds. */
const checkLimitMs = 200

/** The schema of an answer is not one. */
export class OutputSchemaInvalid extends OracleError {
  readonly code = 'output_schema_invalid'
  override readonly status = 400

  constructor(reason: string) {
    super(`The schema of the answer is invalid: ${reason}. Send a JSON Schema of at most ${maxSchema} characters.`)
  }
}

/** The answer does not have the form that its schema asks for. */
export class AnswerInvalid extends OracleError {
  readonly code = 'answer_invalid'

  constructor(violation: string) {
    super(`The answer does not match its schema: ${violation}`)
  }
}

/**
 * Reads the schema of an answer: zod, or JSON Schema. Patterns of a JSON Schema are for the model alone, since a pattern
 * of a caller could take forever to check.
 *
 * @throws OutputSchemaInvalid `output_schema_invalid`
 */
export const answerSchemaOf = (given: z.ZodType | JsonObject): AnswerSchema => {
  const isZod = 'safeParse' in given
  const json = JSON.stringify(
    isZod ? z.toJSONSchema(given as z.ZodType, { io: 'input', unrepresentable: 'any' }) : given,
  )
  if (json.length > maxSchema) throw new OutputSchemaInvalid(`it has ${json.length} characters`)
  const schema = isZod ? (given as z.ZodType) : fromJson(given)
  return {
    note: `Give your final answer as JSON that matches this JSON Schema, with nothing before or after it:\n${json}`,
    read(text) {
      const answer = withoutFence(text.trim())
      let value: unknown
      try {
        value = JSON.parse(answer)
      } catch {
        return { fault: 'it is not JSON' }
      }
      const parsed = withinLimit(() => schema.safeParse(value))
      return parsed.success ? { json: answer } : { fault: describeIssues(parsed.error.issues) }
    },
  }
}

const call = new Script('work()')

/** Runs a check within its time limit: references and alternatives of a caller's schema can multiply without end. */
const withinLimit = <Result>(work: () => Result): Result => {
  try {
    return call.runInContext(createContext({ work }), { timeout: checkLimitMs }) as Result
  } catch (error) {
    const isOverrun =
      (error as Error).name === 'RangeError' || (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    if (!isOverrun) throw error
    throw new AnswerInvalid(`the schema cannot be checked within ${checkLimitMs} ms.`)
  }
}

const fromJson = (given: JsonObject): z.ZodType => {
  try {
    return z.fromJSONSchema(withoutPatterns(given) as z.core.JSONSchema.JSONSchema)
  } catch (error) {
    throw new OutputSchemaInvalid(error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read')
  }
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

const fence = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/i

const withoutFence = (text: string): string => fence.exec(text)?.[1]?.trim() ?? text

/** Returns the message that asks the model for another answer. */
export const askAgain = (violation: string): string =>
  `Your answer was rejected: ${violation}. Answer again, only with JSON that matches the schema.`
