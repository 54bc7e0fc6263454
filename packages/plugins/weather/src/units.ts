import { z } from 'zod'

/** The units an oracle's people read temperatures in. */
export const unitsSchema = z.enum(['celsius', 'fahrenheit'])

export type Units = z.infer<typeof unitsSchema>

const symbols: Record<Units, string> = { celsius: '°C', fahrenheit: '°F' }

/** Degrees Celsius as degrees Fahrenheit, to one decimal. */
export const toFahrenheit = (celsius: number): number => Math.round((celsius * 1.8 + 32) * 10) / 10

const inUnits = (celsius: number, units: Units): number => (units === 'fahrenheit' ? toFahrenheit(celsius) : celsius)

/** A temperature in words. @example temperatureText(14, 'celsius') // '14 °C' */
export const temperatureText = (celsius: number, units: Units): string => `${inUnits(celsius, units)} ${symbols[units]}`

/** A range of temperatures in words. @example temperatureRangeText(9, 17, 'celsius') // '9 to 17 °C' */
export const temperatureRangeText = (lowCelsius: number, highCelsius: number, units: Units): string =>
  `${inUnits(lowCelsius, units)} to ${temperatureText(highCelsius, units)}`
