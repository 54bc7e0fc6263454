import type { Logger, Tool, ToolCall } from '@sibyl/plugin'
import type { PersonQuestion } from '@sibyl/plugin/host'
import { isPersonNeeded } from '@sibyl/plugin/host'
import type { JsonValue } from '@sibyl/protocol'
import { z } from 'zod'

/** The outcome of a tool's `execute`. */
export type ToolOutcome =
  | { readonly outcome: 'done'; readonly value: unknown }
  | { readonly outcome: 'failed'; readonly error: unknown }
  /** It cannot go on without a person. */
  | { readonly outcome: 'asks'; readonly question: PersonQuestion }
  /** It was not begun: the turn had ended. */
  | { readonly outcome: 'not_begun' }
  /** The call timed out or was canceled; its effects are unknown. */
  | { readonly outcome: 'late' | 'cut_off' }

/** Returns the code of an error or of its cause, such as `ECONNREFUSED`, or the name of its class, without its text. */
export const failureCode = (error: unknown): string | undefined => {
  const chain = [error, error instanceof Error ? error.cause : undefined].filter(one => one instanceof Error)
  const codes = chain.map(one => ('code' in one ? one.code : undefined))
  const known = [...codes.filter(code => code !== 'tool_failed'), ...codes, ...chain.map(({ name }) => name)]
  return known.find((code): code is string => typeof code === 'string' && code !== 'Error' && codeForm.test(code))
}

const codeForm = /^[A-Za-z]\w{0,63}$/

/** The longest that a timer can run, in milliseconds. */
export const longestTimerMs = 2_147_483_647

/** Runs a tool at most so long, and no longer than its turn. Never rejects. */
export const executeTool = (
  tool: Tool,
  input: unknown,
  call: Omit<ToolCall, 'signal'>,
  limitMs: number,
): Promise<ToolOutcome> => {
  const turnSignal = call.turn.signal
  if (turnSignal.aborted) return Promise.resolve({ outcome: 'not_begun' })
  const controller = new AbortController()
  return new Promise(resolve => {
    const settle = (run: ToolOutcome) => {
      clearTimeout(timer)
      turnSignal.removeEventListener('abort', onTurnEnd)
      resolve(run)
    }
    const giveUp = (outcome: 'late' | 'cut_off', why: string) => {
      settle({ outcome })
      controller.abort(new Error(why))
    }
    const onTurnEnd = () => giveUp('cut_off', 'the turn ended')
    const timer = setTimeout(() => giveUp('late', 'the time limit was exceeded'), Math.min(limitMs, longestTimerMs))
    turnSignal.addEventListener('abort', onTurnEnd, { once: true })
    Promise.resolve()
      .then(() => tool.execute(input, { ...call, signal: controller.signal }))
      .then(
        value => settle({ outcome: 'done', value }),
        error =>
          settle(isPersonNeeded(error) ? { outcome: 'asks', question: error.question } : { outcome: 'failed', error }),
      )
  })
}

/** The longest result of a tool, and the longest part that it adds, in characters of JSON. */
export const maxToolOutput = 256_000

const partName = /^[a-z][a-z0-9-]{0,63}$/

/** Core's own data parts. */
const reservedParts: ReadonlySet<string> = new Set(['capability', 'notice', 'question'])

/** Returns a JSON copy of a part that a tool adds; undefined, with a log line, if it is invalid. */
export const readPart = (
  tool: string,
  part: unknown,
  log: Logger,
): { readonly name: string; readonly data: JsonValue } | undefined => {
  const refuse = (violation: string) => {
    log.error('a tool added an invalid part', { tool, fault: violation })
    return undefined
  }
  try {
    const { name, data } = part as { readonly name: unknown; readonly data: unknown }
    if (typeof name !== 'string' || !partName.test(name)) return refuse('its name is not lower case with hyphens')
    if (reservedParts.has(name)) return refuse(`the name '${name}' is reserved for core`)
    const json = JSON.stringify(data)
    if (json === undefined) return refuse('its data is not JSON')
    if (json.length > maxToolOutput) return refuse(`its data is larger than ${maxToolOutput} characters`)
    return { name, data: JSON.parse(json) as JsonValue }
  } catch {
    return refuse('its data is not JSON')
  }
}

/** The longest question, and the longest schema of its answer as JSON, in characters. */
const maxText = 1_000
const maxSchema = 8_000

const question = z.object({
  text: z
    .string()
    .max(maxText)
    .refine(text => text.trim() !== ''),
  schema: z
    .object({ type: z.literal('object') })
    .loose()
    .optional(),
  boundToProcess: z.boolean().default(false),
})

/** Returns the question of a tool as a copy that JSON can carry. Throws where it is invalid. */
export const readQuestion = (given: PersonQuestion): PersonQuestion => {
  const { text, schema, boundToProcess } = question.parse(given)
  if (schema === undefined) return { text, boundToProcess }
  const json = JSON.stringify(schema)
  if (json.length > maxSchema) throw new RangeError(`The schema of a question has more than ${maxSchema} characters`)
  return { text, schema: JSON.parse(json), boundToProcess }
}
