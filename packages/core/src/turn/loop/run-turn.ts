import { classifyModelFailure } from '@sibyl/models'
import type { Logger } from '@sibyl/plugin'
import { coreToolNames } from '../../plugins/check-tools.ts'
import { hasFiles, type MessagePart, type StoredMessage } from '../../sessions/stored-message.ts'
import { clientToolsOf, coreTools, type LoadedCapability } from '../../tools/core-tools.ts'
import { clientCapability, TurnTools } from '../../tools/turn-tools.ts'
import { resumeCalls } from '../calls/resume-calls.ts'
import type { RunningTurn } from '../store/running-turn.ts'
import { cutEnding, type TurnEnding, type TurnFields } from '../store/turn.ts'
import { systemPrompt, toModelMessages, trimHistory, turnInstructions, withNote } from './prompt.ts'
import {
  cutNotices,
  type LoopDependencies,
  type ModelLoopResult,
  maxRepeats,
  StopRules,
  stopText,
  type TurnRun,
  turnModel,
} from './turn-run.ts'

/** The time limit of a cut turn to end, in milliseconds. */
const cutGraceMs = 1_000

/**
 * Runs a turn from its first event, or from its checkpoint, to its ending. Never rejects: whatever goes wrong is an ending.
 *
 * @param checkpoint Stores a checkpoint. @default none is stored
 */
export const runTurn = async (
  running: RunningTurn,
  dependencies: LoopDependencies,
  checkpoint: TurnRun['checkpoint'] = async () => {},
): Promise<TurnEnding> => {
  try {
    const result = await untilCut(running, answerTurn(running, dependencies, checkpoint))
    if (running.cutReason) return cutEnding(running.cutReason, running.used)
    if (!result) return { ...running.used, outcome: 'failed', finishReason: 'error', code: 'turn_failed' }
    if (result.error !== undefined) return failedEnding(result.error, running, dependencies.log)
    const outcome = running.phase === 'waiting' ? 'awaiting-approval' : 'done'
    return { ...running.used, outcome, finishReason: result.finishReason }
  } catch (error) {
    if (running.cutReason) return cutEnding(running.cutReason, running.used)
    return failedEnding(error, running, dependencies.log)
  }
}

/** Waits for the work, but no longer than the time limit of a cut turn. */
const untilCut = async <Result>(running: RunningTurn, work: Promise<Result>): Promise<Result | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const { signal } = running.turn
  const gaveUp = new Promise<undefined>(resolve => {
    const giveUpSoon = () => {
      timer = setTimeout(() => resolve(undefined), cutGraceMs)
    }
    if (signal.aborted) giveUpSoon()
    else signal.addEventListener('abort', giveUpSoon, { once: true })
  })
  try {
    return await Promise.race([work, gaveUp])
  } finally {
    clearTimeout(timer)
  }
}

const failedEnding = (error: unknown, { used, facts }: RunningTurn, log: Logger): TurnEnding => {
  const { code, text } = classifyModelFailure(error)
  log.warn('a turn failed', { turn: facts.id, code, error })
  return { ...used, outcome: 'failed', finishReason: 'error', code, text }
}

/**
 * Answers the person, or runs the calls of a client, which end the turn after step 3:
 *
 * 1. Sends the first event, and reads the history while the model and the AI SDK load.
 * 2. Gathers the tools.
 * 3. Runs the calls that a person has decided about. Where one of them asks again, the turn ends here.
 * 4. Puts the prompt together: fixed instructions, the history that fits, and what is for this turn alone.
 * 5. Runs the model loop.
 */
const answerTurn = async (
  running: RunningTurn,
  dependencies: LoopDependencies,
  checkpoint: TurnRun['checkpoint'],
): Promise<ModelLoopResult> => {
  const { facts, request, turn } = running
  const { limits, catalog, sessions, profile, log } = dependencies
  if (!running.stored?.events.length) {
    running.emit({
      type: 'start',
      messageId: facts.answerId,
      messageMetadata: { sessionId: facts.sessionId, turnId: facts.id },
    })
  }
  if (request.calls) {
    const [{ runClientCalls }, run] = await Promise.all([
      import('../calls/step-calls.ts'),
      beginRun(running, dependencies, checkpoint),
    ])
    if (!running.stored?.checkpoint.event) await runClientCalls(run, request.calls)
    return { ...running.used, finishReason: 'tool-calls' }
  }
  const [ai, { runModelLoop }, model, messages] = await Promise.all([
    import('ai'),
    import('./model-loop.ts'),
    turnModel(dependencies, running.endsAt),
    running.firstMessage
      ? Promise.resolve([storedMessage(facts, running.firstMessage)])
      : sessions.messages(facts.actor.did, facts.sessionId),
  ])
  const run = await beginRun(running, dependencies, checkpoint)
  const { tools } = run
  if (running.phase === 'waiting') return { ...running.used, finishReason: 'tool-calls' }
  const trimmed = trimHistory(withAnswerSoFar(running, messages), limits.historyTokens)
  if (trimmed.leftOut > 0) {
    running.emit({
      type: 'data-notice',
      data: { code: 'history_trimmed', text: `The oldest ${trimmed.leftOut} messages no longer fit and are omitted.` },
    })
  }
  const { signal, actor } = turn
  const hasNewMessage = (request.message ?? request.completeMessage) !== undefined
  const given = trimmed.messages.some(hasFiles)
    ? await (await import('../../attachments/attached-contents.ts')).withContents(trimmed.messages, {
        ...dependencies.attachments(),
        actor,
        hasNewMessage,
        signal,
        log,
      })
    : trimmed.messages
  const entries = catalog.entries().filter(entry => tools.has(entry.name))
  const inPrompt = entries.filter(entry => entry.mode === 'always' || trimmed.leftOut > 0)
  const result = await runModelLoop(run, {
    model,
    instructions: systemPrompt(profile, inPrompt),
    messages: withNote(
      await toModelMessages(ai, given, hasAnswer(running)),
      request.note,
      request.answerSchema?.note,
      await turnInstructions(entries, turn, log),
    ),
  })
  noticeStop(run, result)
  return result
}

/** Gathers the tools of a turn, and runs the calls that a person has decided about. */
const beginRun = async (
  running: RunningTurn,
  dependencies: LoopDependencies,
  checkpoint: TurnRun['checkpoint'],
): Promise<TurnRun> => {
  const { request, turn } = running
  const { limits } = dependencies
  const missing = request.capabilities?.filter(name => !turn.session.loadedPlugins.includes(name)) ?? []
  if (missing.length > 0) await loadInSession(running, dependencies, missing)
  const stopRules = new StopRules({ maxSteps: limits.maxSteps, maxTokens: limits.maxTokens, maxRepeats })
  const run: TurnRun = {
    running,
    dependencies,
    tools: await gatherTools(running, dependencies),
    stopRules,
    checkpoint,
    noteResult: stopRules.observed,
    runAgent: async (...call) => (await import('./agent-tool.ts')).runAgent(run, ...call),
  }
  for (const { name, capability, reason } of run.tools.leftOut) {
    if (capability !== clientCapability || running.stored) continue
    const text = `The tool '${name.slice(0, 64)}' is left out: ${reason}.`
    running.emit({ type: 'data-notice', data: { code: 'tool_left_out', text } })
  }
  if (request.continues) await resumeCalls(run, request.continues.approvals)
  if (running.stored?.checkpoint.calls) await (await import('../calls/resume-step.ts')).resumeStep(run)
  if (request.continues && running.phase !== 'waiting') await checkpoint(false)
  return run
}

/**
 * Gathers the tools that a turn begins with: core's own, those of `always`, and of what the session loaded; without a model,
 * those that are called.
 */
export const gatherTools = (running: RunningTurn, dependencies: LoopDependencies): Promise<TurnTools> => {
  const { turn, request } = running
  const { catalog, log } = dependencies
  const { calls, continues, clientTools = [] } = request
  const called = [...(calls ?? []), ...(continues?.approvals ?? [])].map(({ tool }) => tool)
  const needsCapabilitiesAlone = clientTools.length === 0 && !called.some(name => coreToolNames.has(name))
  if (calls && needsCapabilitiesAlone) return TurnTools.gatherNamed(catalog, turn, called, log)
  const remember = (names: readonly string[]) => loadInSession(running, dependencies, names)
  const notify = (data: LoadedCapability) => running.emit({ type: 'data-capability', data })
  const client = clientToolsOf(clientTools)
  return TurnTools.gather(catalog, turn, tools => coreTools(catalog, tools, remember, notify), client, log)
}

/** Stores in the session of a turn what it loaded, and notifies those who follow its tools. */
const loadInSession = async (
  running: RunningTurn,
  { sessions, notifier }: Pick<LoopDependencies, 'sessions' | 'notifier'>,
  names: readonly string[],
): Promise<void> => {
  const { actor, sessionId } = running.facts
  running.setLoadedCapabilities(await sessions.load(actor.did, sessionId, names))
  notifier.toolsChanged(actor.did, sessionId)
}

/** Whether the turn continues an answer that it had begun. */
const hasAnswer = ({ request, stored, answer }: RunningTurn): boolean =>
  request.continues !== undefined || (stored !== undefined && answer.parts.length > 0)

/**
 * In a turn that goes on, the stored answer is replaced by the one at hand, which has the results; what was posted after
 * it is for the next turn, since the model goes on with the last message.
 */
const withAnswerSoFar = (running: RunningTurn, messages: readonly StoredMessage[]): readonly StoredMessage[] => {
  const { request, stored, facts } = running
  const index = request.continues || stored ? messages.findIndex(({ id }) => id === facts.answerId) : -1
  if (index < 0) return messages
  const answer = hasAnswer(running) ? [{ ...messages[index]!, parts: running.answer.parts }] : []
  return [...messages.slice(0, index), ...answer]
}

const storedMessage = (
  facts: TurnFields,
  { id, parts }: { readonly id: string; readonly parts: readonly MessagePart[] },
): StoredMessage => ({
  id,
  role: 'user',
  parts: [...parts],
  metadata: {},
  turnId: facts.id,
  createdAt: facts.startedAt,
})

/** Notifies the person of an answer that is cut, and of a stop rule that ended the loop while the model would have gone on. */
const noticeStop = ({ running, stopRules }: TurnRun, { usage, steps, error, finishReason }: ModelLoopResult): void => {
  const notice = cutNotices[finishReason]
  if (notice && error === undefined && !running.cutReason) running.emit({ type: 'data-notice', data: notice })
  const code = stopRules.reason(steps, usage.inputTokens + usage.outputTokens)
  if (!code || error !== undefined || running.cutReason || running.phase === 'waiting') return
  if (finishReason === 'tool-calls') running.emit({ type: 'data-notice', data: { code, text: stopText[code] } })
}
