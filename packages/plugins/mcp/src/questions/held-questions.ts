import type { McpQuestion } from '@sibyl/mcp-client'
import type { Place, Places } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'

/** Maximum number of pending questions: in total, and per holder. */
export const heldPlaces = { capacity: 500, perHolder: 20 } as const

/** A question whose call is open at the server while a user is asked. */
export interface HeldQuestion {
  readonly question: McpQuestion
  /** The user who is asked. */
  readonly actor: CountedActor
  /** Number of questions of the call, including this one. */
  readonly round: number
}

/**
 * Creates the store of pending questions, by the idempotency key of their call, in memory only.
 *
 * @param lifetimeMs how long a server waits for an answer @param places `host.limits.places(heldPlaces)`
 */
export const createHeldQuestions = (lifetimeMs: number, places: Places) => {
  const kept = new Map<string, { readonly held: HeldQuestion; readonly timer: NodeJS.Timeout; readonly place: Place }>()
  const drop = (key: string) => {
    const one = kept.get(key)
    clearTimeout(one?.timer)
    one?.place.release()
    kept.delete(key)
  }
  return {
    /** Stores a question until it is taken or expires; false if there are too many. */
    hold(key: string, held: HeldQuestion): boolean {
      drop(key)
      const place = places.take(held.actor)
      if ('full' in place) return false
      const timer = setTimeout(() => {
        drop(key)
        cancelQuestion(held.question)
      }, lifetimeMs)
      timer.unref()
      kept.set(key, { held, timer, place })
      return true
    },
    /** Takes a question for its user; undefined if it has expired. */
    take(key: string, did: string): HeldQuestion | undefined {
      const found = kept.get(key)?.held
      if (found?.actor.did !== did) return undefined
      drop(key)
      return found
    },
    /** Cancels all questions at their servers. */
    cancelAll(): void {
      for (const [key, { held }] of kept) {
        drop(key)
        cancelQuestion(held.question)
      }
    },
  }
}

export type HeldQuestions = ReturnType<typeof createHeldQuestions>

/** Cancels a question at its server, without waiting for the result of its call. */
export const cancelQuestion = (question: McpQuestion): void => {
  question.answer({ action: 'cancel' }).catch(() => {})
}
