import { type Clock, type Logger, type Turn, timeErrors, untrustedContent, withTimeout } from '@sibyl/plugin'
import { factLine } from './facts/fact.ts'
import type { FactStore } from './facts/fact-store.ts'
import { memoryErrors } from './facts/memory-errors.ts'

/** What the facts of a turn rest on. */
export interface RememberedFactsParts {
  readonly store: Pick<FactStore, 'recall'>
  readonly log: Pick<Logger, 'debug' | 'warn'>
  readonly clock: Clock
  /** Most tokens that they may take, by estimate; 0 for none at all. */
  readonly maxTokens: number
  /** How long they may take, in milliseconds. @default 800 */
  readonly limitMs?: number | undefined
}

/** How long nothing is looked up after that took too long, in milliseconds. */
const restMs = 30_000
/** Most facts that are told unasked. */
const mostFacts = 8
/** Most characters: core cuts off what is longer, in the middle of the JSON. */
const mostCharacters = 8_000
const heading = 'What this person had remembered, and may matter here:'

/**
 * The facts that fit what the person says, for the turn alone and as data. Where none fits, nothing; where they cannot be
 * had in time, nothing as well.
 */
export const rememberedFacts = ({ store, log, clock, maxTokens, limitMs = 800 }: RememberedFactsParts) => {
  let slowAt: number | undefined
  const rests = () => slowAt !== undefined && Math.abs(clock.now() - slowAt) < restMs
  return async ({ actor, text, signal }: Pick<Turn, 'actor' | 'text' | 'signal'>): Promise<string | undefined> => {
    if (maxTokens === 0 || signal.aborted || rests()) return undefined
    try {
      const recall = (limit: AbortSignal) => store.recall(actor.did, text, mostFacts, limit)
      const found = await withTimeout(recall, { timeoutMs: limitMs, signal })
      const lines = found.filter(({ isRelevant }) => isRelevant).map(({ fact }) => factLine(fact))
      return noteOf(lines, maxTokens)
    } catch (error) {
      if (signal.aborted) return undefined
      if (timeErrors.timed_out.is(error)) slowAt = clock.now()
      const isExpected = memoryErrors.memory_unavailable.is(error)
      log[isExpected ? 'debug' : 'warn']('facts could not be looked up for a turn', { error })
      return undefined
    }
  }
}

/** As many lines as fit, the best first. */
const noteOf = (lines: readonly string[], maxTokens: number): string | undefined => {
  let note: string | undefined
  const chosen: string[] = []
  for (const line of lines) {
    const longer = `${heading}\n${JSON.stringify(untrustedContent('memory', [...chosen, `- ${line}`].join('\n')))}`
    if (longer.length > mostCharacters || estimateTokens(longer) > maxTokens) continue
    chosen.push(`- ${line}`)
    note = longer
  }
  return note
}

/** About what a text costs: four bytes of UTF-8 a token. */
const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)
