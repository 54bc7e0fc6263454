import { isObject } from '@sibyl/protocol'
import { schemaViolation } from './schema-violation.ts'
import type { StrictMessage, StrictRequest, StrictTool } from './strict-request.ts'

/** The error of a request that one of the strictest model APIs rejects, in the words of that API; undefined for a valid one. */
export const strictViolation = (request: StrictRequest): string | undefined =>
  messagesViolation(request.messages) ?? toolsViolation(request.tools)

const alternate =
  'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.'

const messagesViolation = (messages: readonly StrictMessage[]): string | undefined => {
  const called = new Set<string>()
  const open = new Set<string>()
  let before = 'system'
  for (const [place, message] of messages.entries()) {
    const { role, calls, results } = message
    const wrong = roleViolation(role, before, place, open) ?? contentViolation(message, place)
    if (wrong !== undefined) return wrong
    for (const id of results) {
      if (!open.delete(id)) {
        return `messages.${place}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
      }
    }
    for (const { id, name, input } of calls) {
      if (called.has(id)) return `messages.${place}: \`tool_use\` ids must be unique`
      if (id === '' || id.length > 64) return `messages.${place}.tool_calls.0.id: string is empty or too long`
      if (!/^[\w-]{1,64}$/.test(name)) {
        return `Invalid 'messages[${place}].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
      }
      if (!isObject(input)) return `messages.${place}.content.0.tool_use.input: Input should be a valid dictionary`
      called.add(id)
      open.add(id)
    }
    before = role
  }
  if (open.size > 0) return missingResults(open)
  return before === 'assistant'
    ? 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant'
    : undefined
}

const missingResults = (open: ReadonlySet<string>): string =>
  `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open].join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`

const roleViolation = (role: string, before: string, place: number, open: ReadonlySet<string>): string | undefined => {
  if (role === 'system') return place === 0 ? undefined : 'System message must be at the beginning.'
  if (role !== 'tool' && open.size > 0) return missingResults(open)
  if (role === 'tool') return before === 'assistant' || before === 'tool' ? undefined : alternate
  if (role === 'user') {
    if (before === 'tool') return "Unexpected role 'user' after role 'tool'"
    return before === 'user' ? alternate : undefined
  }
  if (role === 'assistant') return before === 'user' || before === 'tool' ? undefined : alternate
  return `Input should be 'user', 'assistant', 'system' or 'tool', not '${role}'`
}

const contentViolation = ({ role, texts, hasFiles, isList, calls }: StrictMessage, place: number) => {
  if (isList) return `messages.${place}.content: Input should be a valid string`
  if (texts.some(text => text.trim() === '')) {
    return `messages.${place}: text content blocks must contain non-whitespace text`
  }
  if (texts.length > 0 || hasFiles || calls.length > 0) return undefined
  return `messages.${place}: all messages must have non-empty content (${role})`
}

const toolsViolation = (tools: readonly StrictTool[]): string | undefined => {
  const names = new Set<string>()
  for (const [place, { name, schema }] of tools.entries()) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
      return `Invalid 'tools[${place}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
    }
    if (names.has(name)) return `tools: Tool names must be unique. (${name})`
    names.add(name)
    const violation = schemaViolation(schema)
    if (violation !== undefined) return `Invalid schema for function '${name}': ${violation}`
  }
  return undefined
}
