import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { portableSchema } from '@sibyl/models'
import { OracleError } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import type { AnswerSchema } from '../store/requested-turn.ts'

/** The longest schema of an answer, in characters of JSON. */
const maxSchema = 32_000

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

/** Too many schemas and answers wait to be checked. */
export class AnswerChecksBusy extends OracleError {
  readonly code = 'answer_checks_busy'
  override readonly status = 503

  constructor() {
    super('Too many answers with a schema are being checked. Try again in a minute.')
  }
}

/**
 * Reads the schema of an answer: zod, or JSON Schema.
 *
 * @throws OutputSchemaInvalid `output_schema_invalid`
 */
export const answerSchemaOf = (given: z.ZodType | JsonObject): AnswerSchema => {
  const isZod = 'safeParse' in given
  const json = JSON.stringify(
    isZod ? z.toJSONSchema(given as z.ZodType, { io: 'input', unrepresentable: 'any' }) : given,
  )
  if (json.length > maxSchema) throw new OutputSchemaInvalid(`it has ${json.length} characters`)
  return {
    note: `Give your final answer as JSON that matches this JSON Schema, with nothing before or after it:\n${json}`,
    form: json,
    ...(isZod ? { check: given as z.ZodType } : {}),
  }
}

/**
 * Returns the form of an answer for providers that take it besides the prompt, by their call options; nothing for a schema of another
 * value than an object, or with names that APIs reject.
 */
export const answerFormat = ({ form }: AnswerSchema, provider: string): AnswerFormat | undefined => {
  if (!/^openai\b/.test(provider)) return undefined
  const portable = portableSchema(JSON.parse(form))
  if ('refusal' in portable || portable.isRenamed) return undefined
  const hasMembers = Object.keys(portable.schema.properties as object).length > 0
  return {
    responseFormat: hasMembers ? { type: 'json', schema: portable.schema } : { type: 'json' },
    providerOptions: { openai: { strictJsonSchema: false }, openaiCompatible: { strictJsonSchema: false } },
  }
}

type AnswerFormat = Pick<LanguageModelV4CallOptions, 'responseFormat' | 'providerOptions'>

const fence = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/i

/** Returns the text of an answer without the fence around it. */
export const withoutFence = (text: string): string => {
  const answer = text.trim()
  return fence.exec(answer)?.[1]?.trim() ?? answer
}

/** Returns the message that asks the model for another answer. */
export const askAgain = (violation: string): string =>
  `Your answer was rejected: ${violation}. Answer again, only with JSON that matches the schema.`
