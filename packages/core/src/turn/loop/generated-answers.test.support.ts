import type { JSONValue, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart

type Finish = Extract<Part, { type: 'finish' }>['finishReason']['unified']

/** Numbers that look random and are the same for the same seed. */
class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  is(share: number): boolean {
    return this.next() < share
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!
  }
}

/** How answers are generated. */
export interface GeneratedOptions {
  /** Whether pieces of text carry metadata of their provider: `streamText` repeats those on the pieces after them. */
  readonly textMetadata: boolean
  /** Whether parts may come out of place, twice or not at all. */
  readonly faulty: boolean
}

/** Generates the answers of a model in one turn; the last one calls no tool. */
export const generateAnswers = (seed: number, options: GeneratedOptions): Part[][] => {
  const chance = new Chance(seed)
  const steps = 1 + chance.below(4)
  const generator = new AnswerGenerator(chance, options)
  const answers = Array.from({ length: steps }, () => generator.answer())
  return [...answers, [{ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'end' }, done('stop')]]
}

const pieces = ['a', ' word', '', 'ü', '🌦', '"quoted"\n', '<b>', '\\', 'x'.repeat(300), '__proto__', '{}']

const inputs = [
  '{}',
  '',
  ' ',
  '{"n":1}',
  '{"n":2,"rank":3}',
  '{"n":"one"}',
  '{"n":1',
  'null',
  '7',
  '"text"',
  '[1]',
  '{"__proto__":{"n":1}}',
  '{"n":1,"more":{"deep":[1,null]}}',
]

const tools = [
  'echo',
  'echo',
  'words',
  'nothing',
  'fail',
  'crash',
  'write',
  'pay',
  'ask',
  'locked',
  'dig',
  'unknown',
  'constructor',
  'load_capability',
  'list_capabilities',
]

/** Inputs of tools whose schema drops other members, which `streamText` keeps. */
const ownInputs = new Map([
  ['load_capability', '{"names":["shed"]}'],
  ['list_capabilities', '{}'],
])

class AnswerGenerator {
  readonly #chance: Chance
  readonly #options: GeneratedOptions
  #calls = 0

  constructor(chance: Chance, options: GeneratedOptions) {
    this.#chance = chance
    this.#options = options
  }

  answer(): Part[] {
    const chance = this.#chance
    const groups = Array.from({ length: chance.below(6) }, () => this.#group())
    const body = chance.is(0.4) ? this.#interleave(groups) : groups.flat()
    const calls = body.some(({ type }) => type === 'tool-call')
    const before: Part[] = []
    if (chance.is(0.7)) before.push({ type: 'stream-start', warnings: [] })
    if (chance.is(0.4)) before.push({ type: 'response-metadata', id: 'r', modelId: 'm', timestamp: new Date(0) })
    const { faulty } = this.#options
    if (faulty && chance.is(0.05)) return [...before, ...body]
    return [...before, ...body, done(this.#finishReason(calls), this.#usage())]
  }

  #finishReason(calls: boolean): Finish {
    if (this.#chance.is(0.85)) return calls ? this.#chance.of(['tool-calls', 'tool-calls', 'stop']) : 'stop'
    return this.#chance.of(['length', 'content-filter', 'error', 'other', 'interrupted'])
  }

  #usage(): LanguageModelV4Usage {
    const chance = this.#chance
    const count = () => (chance.is(0.2) ? undefined : chance.below(1_000))
    return {
      inputTokens: { total: count(), noCache: count(), cacheRead: count(), cacheWrite: count() },
      outputTokens: { total: count(), text: count(), reasoning: count() },
    }
  }

  #group(): Part[] {
    const chance = this.#chance
    const { faulty } = this.#options
    const kind = chance.below(faulty ? 14 : 11)
    switch (kind) {
      case 0:
      case 1:
        return this.#block('text')
      case 2:
        return this.#block('reasoning')
      case 3:
      case 4:
      case 5:
        return this.#call()
      case 6:
        return this.#providerCall()
      case 7:
        return [this.#file()]
      case 8:
        return [this.#source()]
      case 9:
        return [{ type: 'custom', kind: 'judged.block', ...this.#metadata() }]
      case 10:
        return [chance.of<Part>([{ type: 'ping' } as Part, { type: 'response-metadata', id: 'late' }])]
      case 11:
        return this.#stray()
      case 12:
        return chance.is(0.3) ? [{ type: 'error', error: new Error('the model broke') }] : []
      default:
        return [{ type: 'tool-approval-request', approvalId: 'p1', toolCallId: chance.of(['c0', 'c1', 'gone']) }]
    }
  }

  #block(kind: 'text' | 'reasoning'): Part[] {
    const chance = this.#chance
    const { textMetadata, faulty } = this.#options
    const id = chance.of(['0', '1', 'txt'])
    const metadata = () => (kind === 'reasoning' || textMetadata ? this.#metadata() : {})
    const deltas = Array.from({ length: chance.below(5) }, () => ({
      type: `${kind}-delta` as const,
      id,
      delta: chance.of(pieces),
      ...metadata(),
    }))
    const end: Part[] = faulty && chance.is(0.1) ? [] : [{ type: `${kind}-end`, id, ...this.#metadata() }]
    return [{ type: `${kind}-start`, id, ...this.#metadata() }, ...deltas, ...end] as Part[]
  }

  #call(): Part[] {
    const chance = this.#chance
    const toolCallId = this.#options.faulty && chance.is(0.05) ? 'c0' : `c${this.#calls}`
    this.#calls += 1
    const toolName = chance.of(tools)
    const input = chance.is(0.6) ? `{"n":${chance.below(5)},"rank":${chance.below(4)}}` : chance.of(inputs)
    const asGiven = ownInputs.get(toolName) ?? input
    const call: Part = { type: 'tool-call', toolCallId, toolName, input: asGiven, ...this.#metadata() }
    if (chance.is(0.5)) return [call]
    return [
      { type: 'tool-input-start', id: toolCallId, toolName, ...(chance.is(0.2) ? { title: 'T' } : {}) },
      { type: 'tool-input-delta', id: toolCallId, delta: asGiven.slice(0, 3) },
      { type: 'tool-input-delta', id: toolCallId, delta: asGiven.slice(3) },
      { type: 'tool-input-end', id: toolCallId },
      call,
    ]
  }

  #providerCall(): Part[] {
    const chance = this.#chance
    const toolCallId = `p${this.#calls}`
    this.#calls += 1
    const toolName = chance.of(['code_execution', 'web_search', 'echo'])
    const dynamic = chance.is(0.7) ? { dynamic: true } : {}
    const input = chance.of(inputs)
    const call: Part = {
      type: 'tool-call',
      toolCallId,
      toolName,
      input,
      providerExecuted: true,
      ...dynamic,
      ...this.#metadata(),
    }
    const isError = chance.is(0.3) ? { isError: true } : {}
    const result = chance.of<NonNullable<JSONValue>>(['found', { found: [1, null] }, [], 0, false])
    const answer: Part = {
      type: 'tool-result',
      toolCallId,
      toolName,
      result,
      ...isError,
      ...dynamic,
      ...this.#metadata(),
    }
    return chance.is(0.8) ? [call, answer] : [call]
  }

  #file(): Part {
    const chance = this.#chance
    const data = chance.is(0.5) ? 'iVBORw0KGgo=' : new Uint8Array([1, 2, 3])
    const type = chance.is(0.7) ? 'file' : 'reasoning-file'
    return { type, mediaType: 'image/png', data: { type: 'data', data }, ...this.#metadata() }
  }

  #source(): Part {
    const base = { type: 'source' as const, id: `s${this.#chance.below(9)}`, title: 'A page', ...this.#metadata() }
    if (this.#chance.is(0.5)) return { ...base, sourceType: 'url', url: 'https://example.org/' }
    return { ...base, sourceType: 'document', mediaType: 'application/pdf' }
  }

  #stray(): Part[] {
    const chance = this.#chance
    const id = chance.of(['0', '1', 'nobody'])
    return [
      chance.of<Part>([
        { type: 'text-delta', id, delta: 'stray' },
        { type: 'text-end', id },
        { type: 'reasoning-delta', id, delta: 'stray' },
        { type: 'reasoning-end', id },
        { type: 'tool-input-delta', id: 'gone', delta: '{' },
        { type: 'tool-input-end', id: 'gone' },
        { type: 'tool-result', toolCallId: 'gone', toolName: 'web_search', result: 'late' },
      ]),
    ]
  }

  #metadata(): { providerMetadata?: Record<string, Record<string, JSONValue>> } {
    const chance = this.#chance
    return chance.is(0.25) ? { providerMetadata: { judged: { itemId: `i${chance.below(9)}`, none: null } } } : {}
  }

  #interleave(groups: Part[][]): Part[] {
    const waiting = groups.filter(group => group.length > 0)
    const parts: Part[] = []
    while (waiting.length > 0) {
      const index = this.#chance.below(waiting.length)
      parts.push(waiting[index]!.shift()!)
      if (waiting[index]!.length === 0) waiting.splice(index, 1)
    }
    return parts
  }
}

const noUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

const done = (unified: Finish, usage = noUsage): Part => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage,
})
