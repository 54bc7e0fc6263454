import { consentText, readConsent } from '@sibyl/plugin'
import { type JsonValue, messageParts } from '@sibyl/protocol'
import { z } from 'zod'
import type { QuestionField } from '../store/matrix-tables.ts'

/** The most characters of an approval question that a room shows, in several messages. */
export const maxQuestion = 24_000

/** A question that a turn asked. */
export interface AskedQuestion {
  readonly approvalId: string
  readonly text: string
  /** The requested value of a tool; null for yes or no; `unsuitable` if it cannot be asked in a room. */
  readonly field: QuestionField | null | 'unsuitable'
}

const askedEvent = z.object({
  type: z.literal('tool-approval-request'),
  approvalId: z.string(),
  reason: z.string().optional(),
})

const member = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  enum: z.array(z.string()).min(1).max(50).optional(),
})
const schemaOfOne = z.object({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()) })

/** Collects the questions among a turn's events. */
export class AskedQuestions {
  readonly #questions = new Map<string, AskedQuestion>()

  /** Processes an event of the turn. */
  add(event: { readonly type: string }): void {
    const question = 'data' in event ? messageParts.question.safeParse(event.data).data : undefined
    if (event.type === 'data-question' && question) {
      const { approvalId, text, schema } = question
      this.#questions.set(approvalId, { approvalId, text, field: schema === undefined ? null : fieldOf(schema) })
    }
    const { data: asked } = askedEvent.safeParse(event)
    if (asked && !this.#questions.has(asked.approvalId)) {
      const { approvalId, reason: text = 'May I do this?' } = asked
      this.#questions.set(approvalId, { approvalId, text, field: null })
    }
  }

  list(): readonly AskedQuestion[] {
    return [...this.#questions.values()]
  }
}

const fieldOf = (schema: unknown): AskedQuestion['field'] => {
  const properties = Object.entries(schemaOfOne.safeParse(schema).data?.properties ?? {})
  const [name, given] = properties[0] ?? []
  const { data } = member.safeParse(given)
  if (properties.length !== 1 || name === undefined || !data) return 'unsuitable'
  return { name, type: data.type, ...(data.enum ? { choices: data.enum } : {}) }
}

/** Returns the text of a question for a user. */
export const questionText = ({ text, field }: Pick<AskedQuestion, 'text' | 'field'>): string => {
  if (field === null || field === 'unsuitable') return consentText([text], maxQuestion)
  if (field.type === 'boolean') return `${text}\n\nAnswer yes or no, or cancel.`
  const choices = field.choices ? ` One of: ${field.choices.join(', ')}.` : ''
  return `${text}\n\nYour next message here is the answer; write cancel to decline.${choices}`
}

/** The decision in a user's answer. */
export interface Decision {
  readonly decision: 'once' | 'session' | 'deny'
  readonly data?: JsonValue
}

/** Parses the answer to a question; undefined if it is not an answer, `again` for an invalid one. */
export const readDecision = (body: string, field: QuestionField | null): Decision | 'again' | undefined => {
  const text = body.trim().replace(/[.!]+$/, '')
  const consent = readConsent(body)
  if (field === null) return consent && { decision: consent }
  if (field.type === 'boolean') {
    if (/^(cancel|stop|annuler|ghairi)$/iu.test(text)) return { decision: 'deny' }
    if (consent === 'once') return { decision: 'once', data: { [field.name]: true } }
    return consent === 'deny' ? { decision: 'once', data: { [field.name]: false } } : 'again'
  }
  if (/^(cancel|stop|annuler|ghairi)$/iu.test(text)) return { decision: 'deny' }
  const value = givenValue(body.trim(), field)
  return value === undefined ? 'again' : { decision: 'once', data: { [field.name]: value } }
}

const givenValue = (text: string, { type, choices }: QuestionField): JsonValue | undefined => {
  if (choices) return choices.find(choice => choice.toLowerCase() === text.toLowerCase())
  if (type === 'string') return text === '' ? undefined : text
  const number = /^[+-]?\d{1,15}(?:[.,]\d{1,10})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
  return Number.isNaN(number) || (type === 'integer' && !Number.isInteger(number)) ? undefined : number
}
