import { classifyModelFailure } from '@sibyl/models'
import { type ToolCall, ToolFailure } from '@sibyl/plugin'
import type { Agent, AgentAnswer, AgentTask } from '@sibyl/plugin/host'
import { isToolPart, textOf, toolNameOf } from '../../sessions/stored-message.ts'
import { type OfferedTool, TurnTools } from '../../tools/turn-tools.ts'
import { RunningTurn } from '../store/running-turn.ts'
import { runModelLoop } from './model-loop.ts'
import { agentPrompt } from './prompt.ts'
import { type LoopDependencies, maxRepeats, StopRules, stopText, type TurnRun, turnModel } from './turn-run.ts'

const defaults = { maxSteps: 8, maxTokens: 50_000 } as const

/**
 * Runs the agent behind a tool: a model loop within the loop of the turn. Its calls pass the same gate, are journaled in the turn
 * and count for it; no person is asked about them.
 */
export const runAgent = async (
  { running: outer, dependencies, runAgent }: TurnRun,
  { name, origin }: OfferedTool,
  agent: Agent,
  { task }: AgentTask,
  { toolCallId, signal }: ToolCall,
): Promise<AgentAnswer> => {
  const { catalog, log, limits } = dependencies
  const running = beginWithin(outer, toolCallId, [origin.capability, ...(agent.capabilities ?? [])])
  if (signal.aborted) running.cut('stopped')
  else signal.addEventListener('abort', () => running.cut('stopped'), { once: true })
  const [model, tools] = await Promise.all([
    turnModel(dependencies, outer.endsAt),
    TurnTools.gatherForAgent(catalog, running.turn, agent.tools, log),
  ])
  const { maxSteps = defaults.maxSteps, maxTokens = defaults.maxTokens } = agent
  const isTurnSpent = () => {
    const { inputTokens, outputTokens } = outer.used.usage
    return inputTokens + outputTokens >= limits.maxTokens
  }
  const stopRules = new StopRules({ maxSteps, maxTokens, isTurnSpent, maxRepeats })
  const result = await runModelLoop(
    {
      ...{ running, dependencies, tools, stopRules, runAgent },
      checkpoint: async () => {},
      noteResult: stopRules.observed,
      runCall: outer.stored && (await earlierCalls(outer, toolCallId, dependencies)),
    },
    {
      model,
      instructions: agentPrompt(agent.instructions),
      messages: [{ role: 'user', content: task }],
    },
  )
  if (running.cutReason === 'too_large') throw new ToolFailure(`The agent '${name}' said more than a turn can hold.`)
  if (result.error !== undefined) {
    const { code, text } = classifyModelFailure(result.error)
    log.warn('an agent failed', { turn: outer.facts.id, tool: name, code, error: result.error })
    throw new ToolFailure(`The agent '${name}' did not finish its task: ${text}`)
  }
  const { parts } = running.answer
  const stopped = stopRules.reason(result.steps, result.usage.inputTokens + result.usage.outputTokens)
  const isCut = stopped !== undefined && result.finishReason === 'tool-calls'
  return {
    answer: textOf(parts),
    tools: parts.filter(isToolPart).map(toolNameOf),
    ...(isCut ? { stopped: stopText[stopped] } : {}),
  }
}

/** Returns what runs the calls of an agent that had begun in a process that ended; undefined without such calls. */
const earlierCalls = async ({ facts }: RunningTurn, toolCallId: string, { toolCalls }: LoopDependencies) => {
  const begun = [...(await toolCalls.ofTurn(facts.id)).values()]
  const own = begun.filter(call => call.toolCallId.startsWith(`${toolCallId}/`))
  return own.length === 0 ? undefined : (await import('../calls/earlier-calls.ts')).withEarlierCalls(own)
}

/** Begins the part of a turn in which an agent works, with these capabilities loaded. */
const beginWithin = (outer: RunningTurn, toolCallId: string, loadedPlugins: readonly string[]): RunningTurn => {
  const { actor, sessionId, channel, text, awaited } = outer.request
  const request = { actor, sessionId, channel, text, awaited, whenBusy: 'refuse', approvals: 'deny' } as const
  const session = {
    createdSession: false,
    loadedPlugins: [...new Set(loadedPlugins)],
    approvedTools: [...outer.approvedTools],
  }
  const { watch, timings } = outer
  const running = new RunningTurn(outer.facts, request, session, { watch, timings, outer: { turn: outer, toolCallId } })
  running.launched()
  return running
}
