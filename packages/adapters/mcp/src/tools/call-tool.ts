import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import type { StartedTurn } from '@sibyl/plugin'
import { isObject, type JsonValue } from '@sibyl/protocol'
import { invalidParams, turnRefused } from '../errors/turn-refused.ts'
import { askUser } from '../questions/ask-user.ts'
import { askedBefore, decideQuestions } from '../questions/asked-questions.ts'
import type { Caller } from '../turns/caller.ts'
import type { McpParts } from '../turns/mcp-parts.ts'
import { readTurn } from '../turns/read-turn.ts'
import { failedTurn } from './failed-turn.ts'
import { toolsOf } from './list-tools.ts'
import { idempotencyKeyOf, stopSignal } from './repeated-call.ts'
import { type CallSessions, mainSession } from './session-ids.ts'

/** The parameters of `tools/call`. */
export interface ToolCallParams {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

const sessionTools: readonly string[] = ['load_capability', 'list_capabilities']

/**
 * Calls a tool of the oracle as a turn without a model: through the same gate, approvals, budgets, hooks and journal as a call of
 * the model. With the answers to its questions, it goes on with the call that asked.
 */
export const callTool = async (
  parts: McpParts,
  sessions: CallSessions,
  caller: Caller,
  { name, arguments: input = {} }: ToolCallParams,
): Promise<CallToolResult | InputRequiredResult> => {
  const asked = askedBefore(caller, name)
  const { turns } = parts
  const { did } = caller.actor
  if (asked) {
    return readCall(turns, { session: asked.session, tool: name }, await decideQuestions(turns, asked, caller), caller)
  }
  const { tools, capabilities } = await toolsOf(parts, caller, name)
  const tool = tools.find(one => one.name === name)
  if (!tool) {
    throw invalidParams(
      `There is no tool '${name.slice(0, 64)}' for this caller. Call load_capability, or list the tools.`,
    )
  }
  const capability = capabilities.find(one => one.name === tool.capability)
  const loads = capability?.load === 'on-demand' ? [capability.name] : []
  const key = idempotencyKeyOf(caller)
  const place = key !== undefined || sessionTools.includes(name) ? undefined : sessions.take(did)
  const session = place?.session ?? mainSession
  try {
    const started = await turns.run({
      actor: caller.actor,
      session,
      text: `Call ${name}`,
      call: { tool: name, input: input as JsonValue },
      ...(loads.length > 0 ? { capabilities: loads } : {}),
      dedupeKey: key,
      channel: 'mcp',
      whenBusy: 'queue',
      approvals: 'ask',
      signal: stopSignal(caller),
    })
    if ('refused' in started) throw turnRefused(started.refused)
    return await readCall(turns, { session, tool: name }, started, caller)
  } finally {
    place?.release()
  }
}

/** Waits for the turn of a call, and returns the result of its last call. */
const readCall = async (
  turns: McpParts['turns'],
  asked: { readonly session: string; readonly tool: string },
  started: StartedTurn,
  caller: Caller,
): Promise<CallToolResult | InputRequiredResult> => {
  let call: { readonly output: unknown } | { readonly error: string } | undefined
  const { did } = caller.actor
  const { result, questions } = await readTurn(turns, { did, session: asked.session }, started, event => {
    if (event.type === 'tool-output-available') call = { output: event.output }
    if (event.type === 'tool-output-error' || event.type === 'tool-input-error') call = { error: event.errorText }
    if (event.type === 'tool-output-denied') call = { error: 'The user denied this call. It was not run.' }
  })
  if (questions.length > 0) return askUser(questions, asked, caller)
  if (!call || (result.outcome !== 'done' && !('output' in call))) return failedTurn(result)
  if ('error' in call) return { content: [{ type: 'text', text: call.error }], isError: true }
  const { output } = call
  return {
    content: [{ type: 'text', text: typeof output === 'string' ? output : JSON.stringify(output) }],
    ...(isObject(output) ? { structuredContent: output } : {}),
  }
}
