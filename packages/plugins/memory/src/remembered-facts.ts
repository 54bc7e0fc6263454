import { type Clock, type Logger, type Turn, timeErrors, untrustedContent, withTimeout } from '@sibyl/plugin'
import { factLine } from './facts/fact.ts'
import type { FactStore } from './facts/fact-store.ts'
import { memoryErrors } from './facts/memory-errors.ts'

/** Dependencies of a turn's facts. */
export interface RememberedFactsDependencies {
  readonly store: Pick<FactStore, 'recall'>
  readonly log: Pick<Logger, 'debug' | 'warn'>
  readonly clock: Clock
  /** Maximum number of tokens for the facts, estimated; 0 for none. */
  readonly maxTokens: number
  /** Time limit of the lookup, in milliseconds. @default 800 */
  readonly limitMs?: number | undefined
}

/** Time without lookups after one that exceeded its limit, in milliseconds. */
const restMs = 30_000
/** Maximum number of facts that are added without a request. */
const maxFacts = 8
/** Maximum number of characters; core truncates longer notes inside the JSON. */
const maxCharacters = 8_000
const heading = 'Facts that this user had remembered and that may be relevant here:'

/**
 * Adds the facts that match the user's message, for one turn and as data. Adds nothing if none matches or if the lookup
 * exceeds its limit.
 */
export const rememberedFacts = ({ store, log, clock, maxTokens, limitMs = 800 }: RememberedFactsDependencies) => {
  let slowAt: number | undefined
  const rests = () => slowAt !== undefined && Math.abs(clock.now() - slowAt) < restMs
  return async ({ actor, text, signal }: Pick<Turn, 'actor' | 'text' | 'signal'>): Promise<string | undefined> => {
    if (maxTokens === 0 || signal.aborted || rests()) return undefined
    try {
      const recall = (limit: AbortSignal) => store.recall(actor.did, text, maxFacts, limit)
      const found = await withTimeout(recall, { timeoutMs: limitMs, signal })
      const lines = found.filter(({ isRelevant }) => isRelevant).map(({ fact }) => factLine(fact))
      return noteOf(lines, maxTokens)
    } catch (error) {
      if (signal.aborted) return undefined
      if (timeErrors.timed_out.is(error)) slowAt = clock.now()
      const isExpected = memoryErrors.memory_unavailable.is(error)
      log[isExpected ? 'debug' : 'warn']('facts could not be read for a turn', { error })
      return undefined
    }
  }
}

/** Returns as many lines as fit, best first. */
const noteOf = (lines: readonly string[], maxTokens: number): string | undefined => {
  let note: string | undefined
  const chosen: string[] = []
  for (const line of lines) {
    const longer = `${heading}\n${JSON.stringify(untrustedContent('memory', [...chosen, `- ${line}`].join('\n')))}`
    if (longer.length > maxCharacters || estimateTokens(longer) > maxTokens) continue
    chosen.push(`- ${line}`)
    note = longer
  }
  return note
}

/** Estimates the tokens of a text: four bytes of UTF-8 each. */
const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)
