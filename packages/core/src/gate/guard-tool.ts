import type { JsonValue } from '@sibyl/protocol'
import { ToolFailure } from '../errors/tool-failure.ts'
import type { Logger } from '../logging/logger.ts'
import type { Tool, ToolCall } from '../plugins/tool.ts'
import type { Turn } from '../plugins/turn.ts'
import type { ToolCallStore } from '../sessions/tool-call-store.ts'
import type { GateVerdict } from './capability-gate.ts'

/** The longest result of a tool, in characters of JSON. */
export const maxToolOutput = 256_000

/** What the guard asks and tells while a turn runs. */
export interface GuardContext {
  readonly turn: Turn
  readonly log: Logger
  readonly toolCalls: ToolCallStore
  readonly now: () => number
  readonly timeLimitMs: number
  judge(tool: string): GateVerdict
  /** Whether the person approved this very call, or the tool for the session; with what they gave. */
  approved(tool: string, toolCallId: string): { readonly data?: JsonValue } | undefined
  /** Stable for the call, also when a later turn runs it after the approval. */
  idempotencyKey(toolCallId: string): string
  emit(part: { readonly name: string; readonly data: JsonValue }): void
  /** Told of every result, for the rule that stops a loop of equal calls. */
  observed(tool: string, input: unknown, output: string): void
}

/** Whether a call of this tool with this input waits for a person. */
export const needsApproval = (tool: Tool, input: unknown, turn: Turn): boolean =>
  typeof tool.approval === 'function' ? tool.approval(input, turn) !== 'none' : tool.approval === 'user'

/**
 * Runs one tool call behind the gate: refuses what is not loaded, not approved or not valid, stores the intent of a
 * write first, limits time and size, and masks every error that is not a `ToolFailure`.
 *
 * @throws ToolFailure `tool_failed` with a text that is safe for model and person.
 */
export const runGuarded = async (
  name: string,
  tool: Tool,
  rawInput: unknown,
  toolCallId: string,
  context: GuardContext,
): Promise<JsonValue> => {
  const verdict = context.judge(name)
  if (!verdict.allowed) {
    throw new ToolFailure(
      verdict.reason === 'not_loaded'
        ? `'${name}' belongs to '${verdict.capability}', which is not loaded: call load_capability first.`
        : `There is no tool '${name}'.`,
    )
  }
  const parsed = await tool.input.safeParseAsync(rawInput)
  if (!parsed.success) throw new ToolFailure(`The arguments do not fit: ${describeIssues(parsed.error.issues)}`)
  const approval = context.approved(name, toolCallId)
  if (!approval && needsApproval(tool, parsed.data, context.turn)) {
    throw new ToolFailure(`'${name}' needs a person's approval, and nobody can be asked here. It was not run.`)
  }
  const json = await runOnce(name, tool, parsed.data, toolCallId, approval?.data, context)
  context.observed(name, parsed.data, json)
  return JSON.parse(json) as JsonValue
}

/** One line for all faults of an input. */
export const describeIssues = (issues: readonly { readonly path: PropertyKey[]; readonly message: string }[]): string =>
  issues
    .slice(0, 5)
    .map(issue => (issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message))
    .join('; ')

const runOnce = async (
  name: string,
  tool: Tool,
  input: unknown,
  toolCallId: string,
  approvalData: JsonValue | undefined,
  context: GuardContext,
): Promise<string> => {
  const idempotencyKey = context.idempotencyKey(toolCallId)
  const writes = tool.effect === 'write'
  if (writes) {
    const fresh = await context.toolCalls.intend({
      idempotencyKey,
      turnId: context.turn.id,
      toolCallId,
      tool: name,
      input,
      now: context.now(),
    })
    if (!fresh) throw new ToolFailure(`This call of '${name}' was run before. It was not run again.`)
  }
  try {
    const output = await withTimeLimit(name, tool, input, context, {
      turn: context.turn,
      toolCallId,
      idempotencyKey,
      ...(approvalData === undefined ? {} : { approvalData }),
      emit: part => context.emit(part),
    })
    const json = await checkOutput(name, tool, output, context)
    if (writes) await context.toolCalls.settle(idempotencyKey, 'done', json)
    return json
  } catch (error) {
    if (error instanceof UnknownOutcome) throw new ToolFailure(error.message)
    if (writes) await context.toolCalls.settle(idempotencyKey, 'failed')
    throw maskFailure(name, error, context)
  }
}

/** A call that ran out of time or was stopped: what a write did by then is not known. */
class UnknownOutcome extends Error {}

const withTimeLimit = async (
  name: string,
  tool: Tool,
  input: unknown,
  context: GuardContext,
  call: Omit<ToolCall, 'signal'>,
): Promise<unknown> => {
  const limitMs = tool.timeLimitSeconds === undefined ? context.timeLimitMs : tool.timeLimitSeconds * 1000
  const controller = new AbortController()
  const turnSignal = context.turn.signal
  const suffix = tool.effect === 'write' ? ' Whether it happened is not known; check before you repeat it.' : ''
  return new Promise((resolve, reject) => {
    const giveUp = (why: string) => {
      controller.abort(new Error(why))
      reject(new UnknownOutcome(`'${name}' ${why}.${suffix}`))
    }
    const onStop = () => giveUp('was cut off because the turn ended')
    const timer = setTimeout(() => giveUp(`did not answer within ${limitMs / 1000} s`), limitMs)
    const settle = () => {
      clearTimeout(timer)
      turnSignal.removeEventListener('abort', onStop)
    }
    if (turnSignal.aborted) onStop()
    turnSignal.addEventListener('abort', onStop, { once: true })
    Promise.resolve()
      .then(() => tool.execute(input, { ...call, signal: controller.signal }))
      .then(resolve, reject)
      .finally(settle)
  })
}

const maskFailure = (name: string, error: unknown, context: GuardContext): ToolFailure => {
  if (error instanceof ToolFailure) {
    if (error.cause !== undefined)
      context.log.warn('a tool failed', { tool: name, code: error.code, cause: error.cause })
    return error
  }
  context.log.error('a tool failed', { tool: name, error })
  return new ToolFailure(`'${name}' failed for a reason of its own. It may work later.`, { cause: error })
}

const checkOutput = async (name: string, tool: Tool, output: unknown, context: GuardContext): Promise<string> => {
  let json: string | undefined
  try {
    const checked = tool.output ? await tool.output.parseAsync(output) : output
    json = JSON.stringify(checked === undefined ? null : checked)
  } catch (error) {
    throw maskFailure(name, error, context)
  }
  if (json === undefined) {
    context.log.error('a tool gave back something that is not JSON', { tool: name, type: typeof output })
    throw new ToolFailure(`'${name}' gave back something that cannot be used.`)
  }
  if (json.length > maxToolOutput) {
    throw new ToolFailure(
      `The result of '${name}' is too large (${json.length} characters, at most ${maxToolOutput}). Ask for less.`,
    )
  }
  return json
}
