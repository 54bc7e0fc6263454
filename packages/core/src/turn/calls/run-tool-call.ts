import { isToolFailure, type Logger, type Tool, ToolFailure, type Turn } from '@sibyl/plugin'
import type { AgentTask, PersonQuestion } from '@sibyl/plugin/host'
import { isObject, type JsonValue } from '@sibyl/protocol'
import type { ZodType } from 'zod'
import type { OfferedTool } from '../../tools/turn-tools.ts'
import { answerOf, approvedAs, type ModelToolCall, questionsOf } from '../approvals/ask-person.ts'
import { isBegun } from '../store/approval-store.ts'
import { idempotencyKey } from '../store/tool-call-store.ts'
import type { CallingTurn, JudgedCall, ToolCallResult } from './calling-turn.ts'
import { executeTool, failureCode, maxToolOutput, readPart, readQuestion, type ToolOutcome } from './execute-tool.ts'

/** The most questions of one call to a person. */
const maxQuestions = 20

/** Validates the input of a call and finds out whether it requires an approval; returns the error of an invalid input. */
export const judgeCall = async (
  offered: OfferedTool,
  { toolCallId, input: made, decided }: ModelToolCall,
  { running, dependencies: { catalog } }: CallingTurn,
): Promise<JudgedCall | { readonly invalid: Error }> => {
  const schema = catalog.modelSchema(offered.tool)
  const raw = 'refusal' in schema ? made : schema.read(made)
  const parsed = await offered.tool.input.safeParseAsync(raw).catch(() => undefined)
  if (!parsed?.success) return { invalid: parsed?.error ?? new Error('The schema of the tool failed.') }
  const input = parsed.data
  const given = await knownInput(offered.tool.input, raw, input)
  const approval = approvedAs(running, offered, decided)
  return {
    ...offered,
    toolCallId,
    given,
    input,
    needsApproval: !approval && requiresApproval(offered, input, running.turn),
    ...(approval?.data === undefined ? {} : { approvalData: approval.data }),
    ...(decided ? { decided } : {}),
  }
}

/**
 * Returns whether a call of this tool with this input requires the approval of a person: where the manifest says so, or the tool.
 * If the tool's rule throws or returns an invalid value, approval is required.
 */
const requiresApproval = ({ ownName, tool, origin }: OfferedTool, input: unknown, turn: Turn): boolean => {
  if (origin.asksPerson(ownName)) return true
  if (typeof tool.approval !== 'function') return tool.approval === 'user'
  try {
    return tool.approval(input, turn) !== 'none'
  } catch {
    return true
  }
}

/**
 * Runs a judged tool call:
 *
 * 1. A caller whose grant has ended is rejected, a call that requires an approval which no one gave, and what a plugin refuses.
 * 2. The intent of a write is stored; one that was stored before is not run again.
 * 3. The tool runs, within its time limit and its turn.
 * 4. The result of a write is stored, and checked for its size.
 *
 * Every error that is not a `ToolFailure` is masked.
 *
 * @throws ToolFailure `tool_failed` with a text that is safe for model and person.
 */
export const runToolCall = async (call: JudgedCall, run: CallingTurn): Promise<ToolCallResult> => {
  const { name, tool, given } = call
  try {
    const result = await guardCall(call, run)
    if ('question' in result) return result
    run.noteResult(name, given, result.json)
    return { output: JSON.parse(result.json) as JsonValue }
  } catch (error) {
    const failure = maskFailure(name, error, tool.effect === 'write', run.dependencies.log)
    run.noteResult(name, given, failure.message)
    throw failure
  }
}

/** A call that runs. */
interface GuardedCall extends JudgedCall {
  readonly idempotencyKey: string
  readonly writes: boolean
  readonly mayAsk: boolean
  readonly limitMs: number
}

/** The output as JSON, or what the call asks. */
type GuardedResult = { readonly json: string } | { readonly question: PersonQuestion }

const guardCall = async (judged: JudgedCall, run: CallingTurn): Promise<GuardedResult> => {
  const { name, ownName, tool, toolCallId, decided } = judged
  const { running, dependencies } = run
  const grant = await dependencies.checkGrant(running.turn.actor)
  if (!grant.holds) throw new ToolFailure(`'${name}' was not run: ${grant.refusal.detail}`)
  if (judged.needsApproval) {
    throw new ToolFailure(`'${name}' requires the approval of a user, who cannot be asked here. It was not run.`)
  }
  if (running.turn.signal.aborted) throw notBegun(name)
  const seconds = tool.timeLimitSeconds
  const call: GuardedCall = {
    ...judged,
    // The key stays the same when a later turn runs the call after the approval.
    idempotencyKey: idempotencyKey(decided?.callTurnId ?? running.facts.id, running.storedCallId(toolCallId)),
    writes: tool.effect === 'write',
    mayAsk: running.request.approvals === 'ask' && questionsOf(running, toolCallId) < maxQuestions,
    limitMs: seconds === undefined ? dependencies.limits.toolTimeLimitMs : seconds * 1000,
  }
  const refusal = await dependencies.hooks.beforeCall(running.turn, {
    tool: ownName,
    idempotencyKey: call.idempotencyKey,
  })
  if (refusal) throw new ToolFailure(`'${name}' was not run: ${refusal.detail}`)
  if (call.writes && !call.repeats) await storeIntent(call, run)
  return settleCall(call, await execute(call, run), run)
}

const storeIntent = async (
  { name, input, toolCallId, idempotencyKey, decided }: GuardedCall,
  { running, dependencies: { toolCalls, now } }: CallingTurn,
): Promise<void> => {
  const turnId = running.facts.id
  const stored = { idempotencyKey, turnId, toolCallId: running.storedCallId(toolCallId), tool: name, input, now: now() }
  const mayRun =
    decided && isBegun(decided) ? await toolCalls.resume({ idempotencyKey, turnId }) : await toolCalls.intend(stored)
  if (!mayRun) throw new ToolFailure(`This call of '${name}' already ran. It was not run again.`)
}

const execute = async (guarded: GuardedCall, run: CallingTurn): Promise<ToolOutcome> => {
  const { name, toolCallId, input, idempotencyKey, mayAsk, limitMs, approvalData } = guarded
  const {
    running,
    dependencies: { telemetry, log },
  } = run
  const { agent } = guarded.tool
  const tool: Tool = agent
    ? { ...guarded.tool, execute: (task, call) => run.runAgent(guarded, agent, task as AgentTask, call) }
    : guarded.tool
  const answer = answerOf(guarded.decided)
  const call = {
    turn: running.turn,
    toolCallId,
    idempotencyKey,
    canAsk: mayAsk,
    ...(approvalData === undefined ? {} : { approvalData }),
    ...(answer === undefined ? {} : { answer }),
    emit: (part: unknown) => {
      const usable = readPart(name, part, log)
      if (usable) running.emit({ type: `data-${usable.name}`, data: usable.data })
    },
  }
  const turn = running.watch?.work ?? { fields: {} }
  const { capability } = guarded.origin
  const { agentCallId } = running
  const ended = running.timings?.toolCall({
    name,
    capability,
    toolCallId,
    ...(agentCallId === undefined ? {} : { agentCallId }),
  })
  const outcome = await telemetry.tool({ name, toolCallId, turn }, () => executeTool(tool, input, call, limitMs))
  ended?.(outcome.outcome, outcome.outcome === 'failed' ? failureCode(outcome.error) : undefined)
  return outcome
}

const settleCall = async (call: GuardedCall, outcome: ToolOutcome, run: CallingTurn): Promise<GuardedResult> => {
  const { name, tool, writes, idempotencyKey, limitMs } = call
  const { running, dependencies } = run
  const { toolCalls, log } = dependencies
  const failed = async () => {
    if (writes) await toolCalls.settle(idempotencyKey, 'failed')
  }
  // A suspended call is counted once it is finished.
  const count = () => running.countRun(call.ownName)
  if (outcome.outcome !== 'not_begun' && outcome.outcome !== 'asks') count()
  const unknown = writes ? ' Its effects are unknown; check before you repeat it.' : ''
  switch (outcome.outcome) {
    case 'late':
      throw new ToolFailure(`'${name}' did not answer within ${limitMs / 1000} s.${unknown}`)
    case 'cut_off':
      throw new ToolFailure(`'${name}' was interrupted because the turn ended.${unknown}`)
    case 'not_begun':
      await failed()
      throw notBegun(name)
    case 'asks': {
      const question = call.mayAsk ? usableQuestion(name, outcome.question, log) : undefined
      if (question) return { question }
      count()
      await failed()
      throw unaskedQuestion(call, run)
    }
    case 'failed':
      await failed()
      throw outcome.error
    case 'done': {
      const output = await checkOutput(name, tool, outcome.value, log)
      if (writes) await toolCalls.settle(idempotencyKey, 'done', 'json' in output ? output.json : undefined)
      if ('json' in output) return { json: output.json }
      throw new ToolFailure(writes ? `'${name}' was run, do not repeat it. ${output.fault}` : output.fault)
    }
  }
}

const usableQuestion = (name: string, question: PersonQuestion, log: Logger): PersonQuestion | undefined => {
  try {
    return readQuestion(question)
  } catch (error) {
    log.error('a tool asked an invalid question', { tool: name, error })
    return undefined
  }
}

const unaskedQuestion = ({ name, mayAsk }: GuardedCall, { running }: CallingTurn): Error => {
  if (mayAsk) return new TypeError('The question of the tool is invalid.')
  return running.request.approvals === 'ask'
    ? new ToolFailure(`'${name}' has already asked ${maxQuestions} questions, which is the maximum.`)
    : new ToolFailure(`'${name}' asks the user a question, which cannot be answered here.`)
}

const notBegun = (name: string) => new ToolFailure(`'${name}' was not run: the turn had ended.`)

const maskFailure = (name: string, error: unknown, writes: boolean, log: Logger): ToolFailure => {
  if (isToolFailure(error)) {
    const { code, cause } = error
    if (cause === undefined) log.info('a tool failed', { tool: name, code })
    else log.warn('a tool failed', { tool: name, code, cause })
    return error
  }
  log.error('a tool failed', { tool: name, error })
  const advice = writes ? 'Check whether it took effect before you repeat it.' : 'Try again later.'
  return new ToolFailure(`'${name}' failed with an internal error. ${advice}`, { cause: error })
}

/** Returns the output as JSON, or what is wrong with it, safe to show. */
const checkOutput = async (
  name: string,
  tool: Tool,
  output: unknown,
  log: Logger,
): Promise<{ readonly json: string } | { readonly fault: string }> => {
  let json: string | undefined
  try {
    const checked = tool.output ? await tool.output.parseAsync(output) : output
    json = JSON.stringify(checked === undefined ? null : checked)
  } catch (error) {
    log.error('a tool returned an invalid value', { tool: name, type: typeof output, error })
  }
  if (json === undefined) return { fault: `'${name}' returned an invalid value.` }
  if (json.length <= maxToolOutput) return { json }
  const size = `${json.length} characters, at most ${maxToolOutput}`
  return { fault: `The result of '${name}' is too large (${size}). Request less.` }
}

/**
 * Returns the input of a call without members that the schema of its tool drops, so that they are neither stored nor sent. Input
 * that the schema reads differently without them stays as it is.
 */
const knownInput = async (schema: ZodType, given: unknown, parsed: unknown): Promise<unknown> => {
  const known = common(given, parsed)
  if (JSON.stringify(known) === JSON.stringify(given)) return given
  const again = await schema.safeParseAsync(known).catch(() => undefined)
  return again?.success && JSON.stringify(again.data) === JSON.stringify(parsed) ? known : given
}

/** Returns the members of a value that another one has as well, at every depth. */
const common = (value: unknown, other: unknown): unknown => {
  if (Array.isArray(value) && Array.isArray(other) && value.length === other.length) {
    return value.map((item, place) => common(item, other[place]))
  }
  if (!isObject(value) || !isObject(other)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      Object.hasOwn(other, name) ? [[name, common(member, other[name])]] : [],
    ),
  )
}
