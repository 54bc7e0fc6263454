import type { McpQuestion } from '@sibyl/mcp-client'
import type { Place, Places } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'

/** The most questions that are held at once, for all and for one holder. */
export const heldPlaces = { capacity: 500, perHolder: 20 } as const

/** A question whose call is open at the server while a person is asked. */
export interface HeldQuestion {
  readonly question: McpQuestion
  /** The person who is asked. */
  readonly actor: CountedActor
  /** How many questions the call has asked, this one included. */
  readonly round: number
}

/**
 * Keeps the questions that wait for a person, by the idempotency key of their call, in memory alone.
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
    /** Holds one until it is taken or its time is over; false when there are too many. */
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
    /** Takes one for its person; undefined when it is no longer there. */
    take(key: string, did: string): HeldQuestion | undefined {
      const found = kept.get(key)?.held
      if (found?.actor.did !== did) return undefined
      drop(key)
      return found
    },
    /** Tells all servers that nobody answers. */
    cancelAll(): void {
      for (const [key, { held }] of kept) {
        drop(key)
        cancelQuestion(held.question)
      }
    },
  }
}

export type HeldQuestions = ReturnType<typeof createHeldQuestions>

/** Tells a server that nobody answers; what comes of its call is not waited for. */
export const cancelQuestion = (question: McpQuestion): void => {
  question.answer({ action: 'cancel' }).catch(() => {})
}
