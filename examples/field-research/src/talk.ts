import type { OracleClient } from '@sibyl/client'
import type { Narrator } from './narrator.ts'

/** A tool call of a turn, and its result. */
export interface ToolUse {
  readonly tool: string
  readonly input: unknown
  /** Its output, or the text of its failure. */
  readonly result: unknown
  readonly failed: boolean
}

/** The result of a turn. */
export interface Answer {
  readonly text: string
  readonly uses: readonly ToolUse[]
}

/** A turn did not go as it should. */
export class TourFailure extends Error {
  override readonly name = 'TourFailure'
}

/** Sends a message to the oracle, and prints each tool call, its result, and the answer. */
export const talk = async (
  person: OracleClient,
  sessionId: string,
  words: string,
  narrator: Narrator,
): Promise<Answer> => {
  narrator.blank()
  narrator.speech('you', words)
  const turn = await person.chat(words, { sessionId })
  const calls = new Map<string, { tool: string; input: unknown }>()
  const uses: ToolUse[] = []
  let text = ''
  for await (const { event } of turn.events) {
    if (event.type === 'text-delta') text += event.delta
    else if (event.type === 'tool-input-available') {
      calls.set(event.toolCallId, { tool: event.toolName, input: event.input })
      narrator.line(`· ${event.toolName}`, briefly(event.input))
    } else if (event.type === 'tool-output-available') {
      const call = calls.get(event.toolCallId)
      if (call) uses.push({ ...call, result: event.output, failed: false })
      const gist = gistOf(event.output)
      if (gist !== undefined) narrator.line('', `→ ${gist}`)
    } else if (event.type === 'tool-output-error') {
      const call = calls.get(event.toolCallId)
      if (call) uses.push({ ...call, result: event.errorText, failed: true })
      narrator.line('  failed', event.errorText)
    } else if (event.type === 'error') throw new TourFailure(`The turn failed: ${event.errorText}`)
  }
  narrator.speech('oracle', text)
  return { text, uses }
}

/** The first text inside an output that came from outside, on one line. */
const gistOf = (output: unknown): string | undefined => {
  if (typeof output !== 'object' || output === null) return undefined
  if ('notice' in output && 'text' in output) return String(output.text).replaceAll(/\s+/g, ' ').trim()
  return Object.values(output)
    .map(gistOf)
    .find(gist => gist !== undefined)
}

/** Arguments on one line: `city: Berlin, days: 3`. */
const briefly = (input: unknown): string =>
  Object.entries(Object(input))
    .map(([name, value]) => `${name}: ${wordOf(value)}`)
    .join(', ')

const wordOf = (value: unknown): string => {
  if (typeof value === 'string') return value.replaceAll(/\s+/g, ' ').trim()
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.map(item => (typeof item === 'object' ? String(item?.name ?? '…') : String(item))).join(', ')
}
