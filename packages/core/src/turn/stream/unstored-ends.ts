import { firstUnstoredNumber } from '@sibyl/protocol'
import type { UnstoredEnd } from './turn-stream.ts'

/** The number of the first event of an interrupted turn that is read from its stored answer, none of its events being stored. */
export const firstReplayedNumber = 2_000_000

/**
 * The distance between the numbers of a turn's events before and after another process continued it: above the number of any
 * event that a reader may have and that was not stored.
 */
export const resumedNumbers = 10_000_000

/** The final events of turns whose own final event was not stored. */
export const unstoredEnds = {
  /** The process of the turn has ended: readers may have seen events that were never stored. */
  interrupted: {
    number: firstUnstoredNumber,
    event: {
      type: 'error',
      errorText:
        'The oracle stopped during this answer. The stored part is kept. Check what it did before you ask again.',
      code: 'turn_interrupted',
    },
  },
  /** The end of the turn could not be stored yet. */
  notStored: {
    number: firstUnstoredNumber + 1,
    event: {
      type: 'error',
      errorText: 'The answer could not be stored. Ask again in a moment.',
      code: 'storage_unavailable',
    },
  },
} as const satisfies Readonly<Record<string, UnstoredEnd>>
