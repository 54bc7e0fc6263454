import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { givenLanguageModel } from '@sibyl/models'
import { defineTool, type Logger, PersonNeeded, type Tool, ToolFailure } from '@sibyl/plugin'
import { manifestSchema, silentLogger } from '@sibyl/plugin/host'
import type { ModelMessage } from 'ai'
import { z } from 'zod'
import { CapabilityCatalog } from '../../tools/capability-catalog.ts'
import type { NewApproval } from '../store/approval-store.ts'
import { RunningTurn } from '../store/running-turn.ts'
import { runAgent } from './agent-tool.ts'
import { runModelLoop } from './model-loop.ts'
import { gatherTools } from './run-turn.ts'
import { runStreamTextLoop, type StreamTextName } from './stream-text-loop.test.support.ts'
import { type LoopDependencies, type ModelInput, type ModelLoopResult, StopRules, type TurnRun } from './turn-run.ts'

/** One answer of the model: its parts, or a stream of them. */
export type JudgedAnswer =
  | readonly LanguageModelV4StreamPart[]
  | ((options: LanguageModelV4CallOptions, turn: RunningTurn) => ReadableStream<LanguageModelV4StreamPart>)

/** What a loop is run with. */
export interface JudgedScene {
  /** One for each call of the model; a call beyond them fails. */
  readonly answers: readonly JudgedAnswer[]
  readonly messages?: readonly ModelMessage[]
  readonly approvals?: 'ask' | 'deny'
  readonly maxSteps?: number
  /** Whether the model is guarded, as that of an oracle is. @default false */
  readonly guarded?: boolean
  readonly supportedUrls?: Record<string, RegExp[]>
  readonly model?: (model: LanguageModelV4) => LanguageModelV4
  readonly log?: Logger
  /** Called when a tool runs. */
  readonly onToolRun?: () => void
}

/** What came of a loop. */
export interface JudgedRun {
  /** As JSON, with made-up ids by their place. */
  readonly events: readonly string[]
  /** What tools themselves added while they ran. Loops of the AI SDK may put it between parts that came before the calls ran. */
  readonly emitted: readonly string[]
  /** What the model was sent in each call, as JSON. */
  readonly requests: readonly string[]
  readonly questions: readonly string[]
  /** The runs of tools, in the order in which they began. */
  readonly ran: readonly string[]
  readonly usage: string
  readonly steps: number
  readonly finishReason: string
  readonly error: string | undefined
  readonly phase: string
}

/** The loop of the turn, or one of the AI SDK. */
export type JudgedLoop = 'own' | StreamTextName

/** Lets waiting calls go on one by one, in the order of their ranks, each once nothing else happens any more. */
class CompletionOrder {
  readonly #waiting: { readonly rank: number; readonly resume: () => void }[] = []
  #turning = false

  wait(rank: number): Promise<void> {
    return new Promise(resume => {
      this.#waiting.push({ rank, resume })
      if (!this.#turning) void this.#turn()
    })
  }

  async #turn(): Promise<void> {
    this.#turning = true
    while (this.#waiting.length > 0) {
      for (let round = 0; round < 3; round += 1) await new Promise(resolve => setImmediate(resolve))
      const lowest = Math.min(...this.#waiting.map(({ rank }) => rank))
      const [next] = this.#waiting.splice(
        this.#waiting.findIndex(({ rank }) => rank === lowest),
        1,
      )
      next?.resume()
    }
    this.#turning = false
  }
}

const judgedTools = (ran: string[], onRun: () => void): Record<string, Tool> => {
  const order = new CompletionOrder()
  const tool = (name: string, more: Partial<Tool> & { readonly run?: (input: Input) => unknown } = {}) => {
    const { run = input => ({ name, input }), ...rest } = more
    return defineTool({
      description: `Does ${name}.`,
      input: z.object({ n: z.number().optional(), rank: z.number().optional(), more: z.unknown().optional() }),
      effect: 'read',
      ...rest,
      execute: async (input: unknown) => {
        const read = input as Input
        ran.push(`${name} ${JSON.stringify(read)}`)
        onRun()
        await order.wait(read.rank ?? 0)
        return run(read)
      },
    } as Tool)
  }
  return {
    echo: tool('echo'),
    words: tool('words', { run: ({ n }) => `words ${n}` }),
    nothing: tool('nothing', { run: () => undefined }),
    fail: tool('fail', {
      run: () => {
        throw new ToolFailure('The pump is off.')
      },
    }),
    crash: tool('crash', {
      run: () => {
        throw new TypeError('secret')
      },
    }),
    write: tool('write', { effect: 'write' }),
    pay: tool('pay', { effect: 'write', approval: 'user', describe: () => 'Pay?' }),
    ask: tool('ask', {
      run: () => {
        throw new PersonNeeded({ text: 'Which one?' })
      },
    }),
    locked: tool('locked', { ability: 'vault/open' }),
  }
}

interface Input {
  readonly n?: number
  /** Calls of one step end in the order of their ranks. */
  readonly rank?: number
}

/** Runs a scene through a loop. */
export const judgedRun = async (loop: JudgedLoop, scene: JudgedScene): Promise<JudgedRun> => {
  const ran: string[] = []
  const asked: NewApproval[] = []
  const requests: string[] = []
  const running = makeRunning(scene)
  const dependencies = makeDependencies(
    judgedTools(ran, scene.onToolRun ?? (() => {})),
    asked,
    scene.log ?? silentLogger,
  )
  const stopRules = new StopRules({ maxSteps: scene.maxSteps ?? 8, maxTokens: 1_000_000, maxRepeats: 3 })
  const run: TurnRun = {
    running,
    dependencies,
    tools: await gatherTools(running, dependencies),
    stopRules,
    checkpoint: async () => {},
    noteResult: stopRules.observed,
    runAgent: (...call) => runAgent(run, ...call),
  }
  const plain = scriptModel(scene, running, requests)
  const given = scene.guarded ? await givenLanguageModel(plain, { LLM_MAX_RETRIES: 0 }).main() : plain
  const input: ModelInput = {
    model: scene.model?.(given) ?? given,
    instructions: 'You are judged.',
    messages: scene.messages ?? [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  }
  const result = await (loop === 'own' ? runModelLoop(run, input) : runStreamTextLoop(run, input, loop)).catch(
    (error: unknown): ModelLoopResult => ({ ...running.used, finishReason: 'error', error }),
  )
  const isEmitted = (event: string) =>
    event.startsWith('{"type":"data-') && !event.startsWith('{"type":"data-question"')
  const { events } = running.stream
  return renameIds({
    events: events.filter(event => !isEmitted(event)),
    emitted: events.filter(isEmitted),
    requests,
    questions: asked.map(one => JSON.stringify(one)),
    ran,
    usage: JSON.stringify(result.usage),
    steps: result.steps,
    finishReason: result.finishReason,
    error: result.error === undefined ? undefined : String(result.error),
    phase: running.phase,
  })
}

/** Made-up ids are named by the order in which they come. */
const renameIds = (run: JudgedRun): JudgedRun => {
  const places = new Map<string, number>()
  const rename = (text: string) =>
    text.replace(/aitxt-\w{24}|question_[\w-]{16}/g, id => {
      if (!places.has(id)) places.set(id, places.size)
      return `made-up-${places.get(id)}`
    })
  return {
    ...run,
    events: run.events.map(rename),
    questions: run.questions.map(rename),
    requests: run.requests.map(rename),
    error: run.error && rename(run.error),
  }
}

const makeRunning = ({ approvals = 'ask' }: JudgedScene): RunningTurn => {
  const actor = { did: 'did:key:judged', via: 'ucan', scopes: ['chat/*', 'desk/*'] } as const
  const content = { actor, sessionId: 's1', text: 'hi', channel: 'chat' } as const
  const running = new RunningTurn(
    { id: 'turn_1', ...content, answerId: 'msg_1', startedAt: 0 },
    { ...content, whenBusy: 'refuse', approvals, awaited: true },
    { createdSession: true, loadedPlugins: [], approvedTools: [] },
  )
  running.launched()
  return running
}

const makeDependencies = (tools: Record<string, Tool>, asked: NewApproval[], log: Logger): LoopDependencies => {
  const catalog = new CapabilityCatalog(silentLogger)
  const source = (name: string, load: 'always' | 'on-demand', given: Record<string, Tool>) =>
    catalog.add({
      name,
      manifest: manifestSchema.parse({ title: name, summary: `What ${name} does.`, whenToUse: ['always'], load }),
      parts: { tools: given },
    })
  source('desk', 'always', tools)
  source('shed', 'on-demand', { dig: tools.echo! })
  const needed: Partial<LoopDependencies> = {
    catalog,
    log,
    now: () => 0,
    limits: {
      timeLimitMs: 60_000,
      toolTimeLimitMs: 60_000,
      clientToolTimeLimitMs: 60_000,
      maxSteps: 8,
      maxTokens: 1_000_000,
      historyTokens: 10_000,
    },
    checkGrant: async () => ({ holds: true }) as never,
    hooks: { beforeCall: async () => undefined } as never,
    approvals: { open: async (_: string, approval: NewApproval) => asked.push(approval) > 0 } as never,
    toolCalls: { intend: async () => true, settle: async () => {} } as never,
    sessions: { load: async (_: string, __: string, names: readonly string[]) => names } as never,
    telemetry: { tool: (_: unknown, run: () => unknown) => run() } as never,
  }
  return needed as LoopDependencies
}

const scriptModel = (scene: JudgedScene, running: RunningTurn, requests: string[]): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'judged.model',
  modelId: 'judged',
  supportedUrls: scene.supportedUrls ?? {},
  doGenerate: () => Promise.reject(new Error('not generated')),
  async doStream(call) {
    const { abortSignal: _, ...options } = call
    const answer = scene.answers[requests.push(JSON.stringify(options)) - 1]
    if (!answer) throw new Error(`call ${requests.length} of ${scene.answers.length}`)
    if (typeof answer === 'function') return { stream: answer(call, running) }
    return { stream: streamParts(structuredClone(answer) as LanguageModelV4StreamPart[]) }
  },
})

/** A stream of parts. */
export const streamParts = (parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
