import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from '@ai-sdk/provider'
import { createSigningKey } from '@sibyl/identity'
import { estimateTokens } from '@sibyl/models'
import type { Actor } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/plugin/host'
import { type StoredMessage, textOf } from '../sessions/stored-message.ts'
import type { TurnTools } from '../tools/turn-tools.ts'
import type { ClaimDependencies } from './claim/local-turns.ts'
import { trimHistory } from './loop/prompt.ts'
import { gatherTools, runTurn } from './loop/run-turn.ts'
import type { RequestedTurn } from './store/requested-turn.ts'
import { RunningTurn } from './store/running-turn.ts'
import type { ClaimedSession } from './store/turn.ts'

/** The first call of the model in a turn. */
export interface FirstStep {
  /** The instructions. */
  readonly prompt: string
  /** The plugins' instructions for this turn alone; may be empty. */
  readonly note: string
  readonly tools: readonly {
    readonly name: string
    /** `core`, or the capability that it belongs to. */
    readonly owner: string
    readonly description: string
    /** JSON Schema. */
    readonly inputSchema: unknown
    /** Estimated. */
    readonly tokens: number
  }[]
  /** The capabilities that may be loaded, with the tokens that they add. */
  readonly loadable: readonly { readonly name: string; readonly tools: number; readonly tokens: number }[]
}

/**
 * Finds out what the model would be sent: runs a turn of a new user who holds every ability, up to the call of the model,
 * which does not take place. No hook is asked and nothing is stored.
 *
 * @param text What that person says.
 * @returns undefined when the turn does not get as far as that
 */
export const firstStep = async (dependencies: ClaimDependencies, text: string): Promise<FirstStep | undefined> => {
  const { did } = createSigningKey()
  const actor = { did, via: 'ucan', scopes: ['*'] } as const
  const message = { id: 'inspection', parts: [{ type: 'text', text }] }
  const content = { actor, sessionId: 'inspection', text, message }
  const running = inspectedTurn(content, { createdSession: true, loadedPlugins: [] }, dependencies.now())
  const sent = await firstCall(running, dependencies)
  return sent && { ...readCall(sent, text), ...(await toolFacts(running, dependencies, sent)) }
}

/** Returns a turn that is not stored. */
const inspectedTurn = (
  given: Pick<RequestedTurn, 'actor' | 'sessionId' | 'text' | 'message'>,
  session: Omit<ClaimedSession, 'approvedTools'>,
  startedAt: number,
): RunningTurn => {
  const content = { ...given, channel: 'chat' } as const
  return new RunningTurn(
    { ...content, id: 'turn_inspection', answerId: 'msg_inspection', startedAt },
    { ...content, whenBusy: 'refuse', approvals: 'ask', awaited: true },
    { ...session, approvedTools: [] },
  )
}

/** Runs a claimed turn up to the call of the model, which does not take place; undefined when it does not get as far as that. */
const firstCall = async (
  running: RunningTurn,
  dependencies: ClaimDependencies,
): Promise<LanguageModelV4CallOptions | undefined> => {
  running.launched()
  let sent: LanguageModelV4CallOptions | undefined
  const model = callTaker(options => {
    sent = options
  })
  await runTurn(running, { ...dependencies, model: async () => model })
  return sent
}

/** Returns a model that records its call, and gives no answer. */
const callTaker = (take: (options: LanguageModelV4CallOptions) => void): LanguageModelV4 => {
  const refuse = async (options: LanguageModelV4CallOptions): Promise<never> => {
    take(options)
    throw new Error('No model is called while an oracle is inspected.')
  }
  return {
    specificationVersion: 'v4',
    provider: 'inspection',
    modelId: 'inspection',
    supportedUrls: {},
    doGenerate: refuse,
    doStream: refuse,
  }
}

const readCall = ({ prompt }: LanguageModelV4CallOptions, text: string): Pick<FirstStep, 'prompt' | 'note'> => {
  const texts = prompt.flatMap(message =>
    message.role === 'user' ? message.content.flatMap(part => (part.type === 'text' ? [part.text] : [])) : [],
  )
  return {
    prompt: prompt.flatMap(message => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
    note: texts.filter(one => one !== text).join('\n\n'),
  }
}

const toolFacts = async (
  running: RunningTurn,
  dependencies: ClaimDependencies,
  { tools: sent = [] }: LanguageModelV4CallOptions,
): Promise<Pick<FirstStep, 'tools' | 'loadable'>> => {
  const tools = await gatherTools(running, dependencies)
  const entries = dependencies.catalog.entries().filter(({ name }) => !tools.has(name))
  const loaded = await tools.load(entries)
  return {
    tools: sentTools(sent, tools),
    loadable: entries.map(entry => {
      const result = loaded.get(entry.name)
      const added = result && 'added' in result ? result.added : []
      return { name: entry.name, tools: added.length, tokens: tools.tokens(added, entry) }
    }),
  }
}

/** Returns the tools of a call. @param gathered The tools of its turn. */
const sentTools = (sent: NonNullable<LanguageModelV4CallOptions['tools']>, gathered: TurnTools): FirstStep['tools'] =>
  sent
    .filter((tool): tool is LanguageModelV4FunctionTool => tool.type === 'function')
    .map(({ name, description = '', inputSchema }) => ({
      name,
      owner: gathered.find(name)?.origin.capability ?? 'core',
      description,
      inputSchema,
      tokens: estimateTokens(`${name}${description}${JSON.stringify(inputSchema)}`),
    }))

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
  const content = { actor, sessionId, text: textOf(question.parts) }
  const running = inspectedTurn(content, { createdSession: false, loadedPlugins }, now())
  const limit = setTimeout(() => running.cut('time_limit'), limitMs)
  try {
    const sent = await firstCall(running, dependencies)
    if (!sent) return undefined
    return {
      model: modelName,
      prompt: sent.prompt,
      tools: sentTools(sent.tools ?? [], await gatherTools(running, dependencies)),
      omittedMessages: trimHistory(messages, given.limits.historyTokens).leftOut,
    }
  } finally {
    clearTimeout(limit)
  }
}
