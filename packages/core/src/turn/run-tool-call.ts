import { isToolFailure, type Logger, type PersonQuestion, ToolFailure } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import type { GrantVerdict } from '../auth/grant-check.ts'
import { type GateVerdict, refusedCall } from '../gate/capability-gate.ts'
import type { PersonAnswer, Tool } from '../plugins/tool.ts'
import type { Turn } from '../plugins/turn.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Work } from '../telemetry/work-context.ts'
import type { OfferedTool } from '../tools/turn-tools.ts'
import { maxToolOutput, readPart, readQuestion, runTool } from './execute-tool.ts'
import type { ToolCallStore } from './tool-call-store.ts'

/** What the guard asks and tells while a turn runs. */
export interface GuardContext {
  readonly turn: Turn
  readonly log: Logger
  readonly telemetry: Telemetry
  /** What its turn is, to log lines and traces. */
  readonly work: Work
  readonly toolCalls: ToolCallStore
  readonly now: () => number
  readonly timeLimitMs: number
  judge(tool: string): GateVerdict
  /** Whether the right that the turn runs under still holds. */
  checkGrant(): Promise<GrantVerdict>
  /** Whether the person approved this very call, or the tool as it is for the session; with what they gave. */
  approved(offered: OfferedTool, toolCallId: string): { readonly data?: JsonValue } | undefined
  /** Whether somebody is there to be asked. */
  readonly canAsk: boolean
  /** How many questions this call has asked a person by now. */
  hasAsked(toolCallId: string): number
  /** What the person answered to what this call asked; undefined for one that runs for the first time. */
  answer(toolCallId: string): PersonAnswer | undefined
  /** Stable for the call, also when a later turn runs it after the approval. */
  idempotencyKey(toolCallId: string): string
  emit(part: { readonly name: string; readonly data: JsonValue }): void
  /** Told of every call that began, once it is over for this turn: not while it waits for a person. */
  ran(tool: string): void
  /** Told of every result, for the rule that stops a loop of equal calls. */
  observed(tool: string, input: unknown, output: string): void
}

/**
 * Whether a call of this tool with this input waits for a person: where the manifest says so, or the tool. A rule that fails
 * or answers junk asks.
 */
export const needsApproval = ({ name, tool, origin }: OfferedTool, input: unknown, turn: Turn): boolean => {
  if (origin.asksPerson(name)) return true
  if (typeof tool.approval !== 'function') return tool.approval === 'user'
  try {
    return tool.approval(input, turn) !== 'none'
  } catch {
    return true
  }
}

/** What came of a call: its output, or what it has to ask a person. */
export type GuardedRun = { readonly output: JsonValue } | { readonly question: PersonQuestion }

/**
 * Runs one tool call behind the gate: refuses what is not loaded, not allowed to the caller, not approved or not valid, stores the intent of a
 * write first, limits time and size, and masks every error that is not a `ToolFailure`.
 *
 * @throws ToolFailure `tool_failed` with a text that is safe for model and person.
 */
export const runGuarded = async (
  offered: OfferedTool,
  rawInput: unknown,
  toolCallId: string,
  context: GuardContext,
): Promise<GuardedRun> => {
  const { name, tool } = offered
  try {
    const run = await judgeAndRun(offered, rawInput, toolCallId, context)
    if ('question' in run) return run
    context.observed(name, rawInput, run.json)
    return { output: JSON.parse(run.json) as JsonValue }
  } catch (error) {
    const failure = maskFailure(name, error, tool.effect === 'write', context)
    context.observed(name, rawInput, failure.message)
    throw failure
  }
}

const judgeAndRun = async (
  offered: OfferedTool,
  rawInput: unknown,
  toolCallId: string,
  context: GuardContext,
): Promise<RunOnce> => {
  const { name, tool } = offered
  const verdict = context.judge(name)
  if (!verdict.allowed) throw refusedCall(name, verdict)
  const grant = await context.checkGrant()
  if (!grant.holds) throw new ToolFailure(`'${name}' was not run: ${grant.refusal.detail}`)
  const parsed = await tool.input.safeParseAsync(rawInput)
  if (!parsed.success) throw new ToolFailure(`The arguments do not fit: ${describeIssues(parsed.error.issues)}`)
  const approval = context.approved(offered, toolCallId)
  if (!approval && needsApproval(offered, parsed.data, context.turn)) {
    throw new ToolFailure(`'${name}' needs a person's approval, and nobody can be asked here. It was not run.`)
  }
  return runOnce(name, tool, parsed.data, toolCallId, approval?.data, context)
}

/** The output as JSON, or what the call has to ask. */
type RunOnce = { readonly json: string } | { readonly question: PersonQuestion }

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
): Promise<RunOnce> => {
  const idempotencyKey = context.idempotencyKey(toolCallId)
  const writes = tool.effect === 'write'
  if (context.turn.signal.aborted) throw notBegun(name)
  const answer = context.answer(toolCallId)
  if (writes) {
    const { turn, now, toolCalls } = context
    const mayRun = answer
      ? await toolCalls.resume({ idempotencyKey, turnId: turn.id })
      : await toolCalls.intend({ idempotencyKey, turnId: turn.id, toolCallId, tool: name, input, now: now() })
    if (!mayRun) throw new ToolFailure(`This call of '${name}' was run before. It was not run again.`)
  }
  const mayAsk = context.canAsk && context.hasAsked(toolCallId) < mostQuestions
  const limitMs = tool.timeLimitSeconds === undefined ? context.timeLimitMs : tool.timeLimitSeconds * 1000
  const call = {
    turn: context.turn,
    toolCallId,
    idempotencyKey,
    canAsk: mayAsk,
    ...(approvalData === undefined ? {} : { approvalData }),
    ...(answer === undefined ? {} : { answer }),
    emit: (part: unknown) => {
      const usable = readPart(name, part, context.log)
      if (usable) context.emit(usable)
    },
  }
  const run = await context.telemetry.tool({ name, toolCallId, turn: context.work }, () =>
    runTool(tool, input, call, limitMs),
  )
  if (run.outcome !== 'not_begun' && run.outcome !== 'asks') context.ran(name)
  const unknown = writes ? ' Whether it happened is not known; check before you repeat it.' : ''
  switch (run.outcome) {
    case 'late':
      throw new ToolFailure(`'${name}' did not answer within ${limitMs / 1000} s.${unknown}`)
    case 'cut_off':
      throw new ToolFailure(`'${name}' was cut off because the turn ended.${unknown}`)
    case 'not_begun':
      if (writes) await context.toolCalls.settle(idempotencyKey, 'failed')
      throw notBegun(name)
    case 'asks': {
      const question = mayAsk ? usableQuestion(name, run.question, context) : undefined
      if (question) return { question }
      context.ran(name)
      if (writes) await context.toolCalls.settle(idempotencyKey, 'failed')
      if (context.canAsk && !mayAsk) {
        throw new ToolFailure(`'${name}' has asked ${mostQuestions} questions, and may ask no more.`)
      }
      throw mayAsk
        ? new TypeError('The question of a tool cannot be asked.')
        : new ToolFailure(`'${name}' asks a person a question, and nobody can be asked here.`)
    }
    case 'failed':
      if (writes) await context.toolCalls.settle(idempotencyKey, 'failed')
      throw run.error
    case 'done': {
      const output = await checkOutput(name, tool, run.value, context)
      if (writes) await context.toolCalls.settle(idempotencyKey, 'done', 'json' in output ? output.json : undefined)
      if ('json' in output) return { json: output.json }
      throw new ToolFailure(writes ? `'${name}' was run, do not repeat it. ${output.fault}` : output.fault)
    }
  }
}

const usableQuestion = (name: string, question: PersonQuestion, { log }: GuardContext): PersonQuestion | undefined => {
  try {
    return readQuestion(question)
  } catch (error) {
    log.error('a tool asked what cannot be asked', { tool: name, error })
    return undefined
  }
}

/** Most questions of one call to a person. */
const mostQuestions = 20

const notBegun = (name: string) => new ToolFailure(`'${name}' was not run: the turn had ended.`)

const maskFailure = (name: string, error: unknown, writes: boolean, { log }: GuardContext): ToolFailure => {
  if (isToolFailure(error)) {
    if (error.cause !== undefined) log.warn('a tool failed', { tool: name, code: error.code, cause: error.cause })
    return error
  }
  log.error('a tool failed', { tool: name, error })
  const advice = writes ? 'Check whether it happened before you repeat it.' : 'It may work later.'
  return new ToolFailure(`'${name}' failed for a reason of its own. ${advice}`, { cause: error })
}

/** The output as JSON, or what is wrong with it, safe to show. */
const checkOutput = async (
  name: string,
  tool: Tool,
  output: unknown,
  { log }: GuardContext,
): Promise<{ readonly json: string } | { readonly fault: string }> => {
  let json: string | undefined
  try {
    const checked = tool.output ? await tool.output.parseAsync(output) : output
    json = JSON.stringify(checked === undefined ? null : checked)
  } catch (error) {
    log.error('a tool gave back something that cannot be used', { tool: name, type: typeof output, error })
  }
  if (json === undefined) return { fault: `'${name}' gave back something that cannot be used.` }
  if (json.length <= maxToolOutput) return { json }
  const size = `${json.length} characters, at most ${maxToolOutput}`
  return { fault: `The result of '${name}' is too large (${size}). Ask for less.` }
}
