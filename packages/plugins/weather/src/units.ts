import type { Logger, Turn } from '@sibyl/plugin'
import type { ServiceOf, userPreferences } from '@sibyl/protocol'
import { z } from 'zod'

/** Units of temperatures for the oracle's users. */
export const unitsSchema = z.enum(['celsius', 'fahrenheit'])

export type Units = z.infer<typeof unitsSchema>

const symbols: Record<Units, string> = { celsius: '°C', fahrenheit: '°F' }

/** Converts degrees Celsius to degrees Fahrenheit, to one decimal. */
export const toFahrenheit = (celsius: number): number => Math.round((celsius * 1.8 + 32) * 10) / 10

const inUnits = (celsius: number, units: Units): number => (units === 'fahrenheit' ? toFahrenheit(celsius) : celsius)

/** Formats a temperature. @example temperatureText(14, 'celsius') // '14 °C' */
export const temperatureText = (celsius: number, units: Units): string => `${inUnits(celsius, units)} ${symbols[units]}`

/** Formats a range of temperatures. @example temperatureRangeText(9, 17, 'celsius') // '9 to 17 °C' */
export const temperatureRangeText = (lowCelsius: number, highCelsius: number, units: Units): string =>
  `${inUnits(lowCelsius, units)} to ${temperatureText(highCelsius, units)}`

/** Returns the units that a user prefers, else the oracle's own. */
export type UnitsOfPerson = (turn: Pick<Turn, 'actor'>) => Promise<Units>

/** Returns a reader of the preferred units of users. It never rejects. @param usual the oracle's own units */
export const unitsOfPerson =
  (
    preferences: Pick<ServiceOf<typeof userPreferences>, 'get'> | undefined,
    usual: Units,
    log: Pick<Logger, 'warn'>,
  ): UnitsOfPerson =>
  async ({ actor }) => {
    if (!preferences) return usual
    try {
      const { units } = await preferences.get(actor.did)
      return units === undefined ? usual : unitsOf[units]
    } catch (error) {
      log.warn('the preferred units of a user cannot be read', { error })
      return usual
    }
  }

const unitsOf = { metric: 'celsius', imperial: 'fahrenheit' } as const
