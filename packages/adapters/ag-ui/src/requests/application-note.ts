import { textOf } from './message-content.ts'
import type { RunAgentInput } from './run-agent-input.ts'

/** Returns the note that hands the client's instructions, context and state to the model; undefined without any. */
export const applicationNote = ({ messages, context, state }: RunAgentInput): string | undefined => {
  const instructions = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => textOf(content).trim())
    .filter(text => text !== '')
  const facts = (context ?? []).map(({ description, value }) => `- ${description}: ${value}`)
  const shared = sharedState(state)
  const sections = [
    ...(instructions.length > 0 ? [`The client application instructs you:\n${instructions.join('\n\n')}`] : []),
    ...(facts.length > 0 ? [`Context from the client application:\n${facts.join('\n')}`] : []),
    ...(shared === undefined ? [] : [`State of the client application, as JSON:\n${shared}`]),
  ]
  return sections.length > 0 ? sections.join('\n\n') : undefined
}

/** Returns the client's own state as JSON, without what the oracle added; undefined if it is empty. */
const sharedState = (state: unknown): string | undefined => {
  if (typeof state !== 'object' || state === null) return undefined
  const { sibyl: _, ...own } = state as Readonly<Record<string, unknown>>
  return Object.keys(own).length > 0 ? JSON.stringify(own) : undefined
}
