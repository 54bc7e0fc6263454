import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { type Actor, silentLogger } from '@sibyl/plugin'
import { type StoredMessage, textOf } from '../sessions/stored-message.ts'
import type { ClaimDependencies } from './claim/claim-dependencies.ts'
import { type FirstStep, firstCall, sentTools } from './first-step.ts'
import { trimHistory } from './loop/prompt.ts'
import { gatherTools } from './loop/run-turn.ts'
import { RunningTurn } from './store/running-turn.ts'

/** The time limit of the turn that stops at its call of the model, in milliseconds. */
const limitMs = 10_000

/** A session up to a message of its user. */
export interface SessionQuestion {
  readonly actor: Actor
  readonly sessionId: string
  readonly loadedPlugins: readonly string[]
  readonly messages: readonly StoredMessage[]
  readonly question: StoredMessage
}

/** A call of the model for a message of a session, which does not take place. */
export interface SessionCall {
  readonly model: string
  readonly prompt: readonly LanguageModelV4Message[]
  readonly tools: FirstStep['tools']
  readonly omittedMessages: number
}

/**
 * Computes what the model receives for a message of a session: runs its turn up to the call of the model, which does not take
 * place, with the current configuration, rights of the caller and capabilities. No hook is called and nothing is stored.
 *
 * @returns undefined when the turn does not get as far as that
 */
export const sessionCall = async (
  given: ClaimDependencies,
  { actor, sessionId, loadedPlugins, messages, question }: SessionQuestion,
): Promise<SessionCall | undefined> => {
  const { sessions, modelName, now } = given
  const dependencies: ClaimDependencies = {
    ...given,
    log: silentLogger,
    sessions: { ...sessions, messages: async () => [...messages] },
  }
  const content = { actor, sessionId, text: textOf(question.parts), channel: 'chat' } as const
  const running = new RunningTurn(
    { id: 'turn_inspection', ...content, answerId: 'msg_inspection', startedAt: now() },
    { ...content, whenBusy: 'refuse', approvals: 'ask', awaited: true },
  )
  running.claimed({ createdSession: false, loadedPlugins, approvedTools: [] })
  const limit = setTimeout(() => running.cut('time_limit'), limitMs)
  try {
    const sent = await firstCall(running, dependencies)
    if (!sent) return undefined
    const owners = new Map(
      (await gatherTools(running, dependencies)).offered().map(({ name, origin }) => [name, origin.capability]),
    )
    return {
      model: modelName,
      prompt: sent.prompt,
      tools: sentTools(sent.tools ?? [], owners),
      omittedMessages: trimHistory(messages, given.limits.historyTokens).leftOut,
    }
  } finally {
    clearTimeout(limit)
  }
}
