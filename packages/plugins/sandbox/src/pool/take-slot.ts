import { type Place, ToolFailure, type WaitingLine } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'

const reasons = {
  holder: 'Your last programs are still running. Wait until they have ended.',
  origin: 'Too many programs of your address wait to be run. Try again in a minute.',
  all: 'Too many programs wait to be run. Try again in a minute.',
  late: 'Other programs took too long. Try again in a minute.',
} as const

/**
 * Waits for a place to run a program.
 *
 * @throws ToolFailure when too many wait, or it takes too long; the reason of the signal.
 */
export const takeSlot = async (line: WaitingLine, actor: CountedActor, signal: AbortSignal): Promise<Place> => {
  const place = await line.enter(actor, signal)
  if ('full' in place) throw new ToolFailure(reasons[place.full])
  return place
}
