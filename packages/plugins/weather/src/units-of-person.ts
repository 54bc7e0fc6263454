import type { Logger, Turn } from '@sibyl/plugin'
import type { UserPreferences } from '@sibyl/protocol'
import type { Units } from './units.ts'

/** What the units of people rest on. */
export interface UnitsOfPersonParts {
  /** Undefined where nobody keeps preferences. */
  readonly preferences: Pick<UserPreferences, 'get'> | undefined
  /** The oracle's own units. */
  readonly usual: Units
  readonly log: Pick<Logger, 'warn'>
}

/** The units of whoever asks: those that they prefer, else the oracle's own. */
export type UnitsOfPerson = (turn: Pick<Turn, 'actor'>) => Promise<Units>

/** Makes the units of people. Never rejects. */
export const unitsOfPerson =
  ({ preferences, usual, log }: UnitsOfPersonParts): UnitsOfPerson =>
  async ({ actor }) => {
    if (!preferences) return usual
    try {
      const { units } = await preferences.get(actor.did)
      return units === undefined ? usual : unitsOf[units]
    } catch (error) {
      log.warn('the units that a person prefers cannot be read', { error })
      return usual
    }
  }

const unitsOf = { metric: 'celsius', imperial: 'fahrenheit' } as const
