import { z } from 'zod'
import { weatherErrors } from './weather-errors.ts'

/** Characters that the name of a city may have. */
export const maxCityCharacters = 100

const controlCharacter = /\p{Cc}/u
const invisibleCharacters = /\p{Cf}/gu
const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * Reads the name of a city from what somebody typed: trimmed, without invisible characters, in Unicode form NFC.
 *
 * @throws CityMissing (`city_missing`) when nothing is there; CityInvalid (`city_invalid`) when it is longer than
 * 100 characters, has control characters, or has neither letter nor digit.
 */
export const parseCityName = (text: string | undefined): string => {
  const trimmed = text?.trim()
  if (!trimmed) throw weatherErrors.city_missing()
  if (trimmed.length > maxCityCharacters)
    throw weatherErrors.city_invalid({ fault: `is longer than ${maxCityCharacters} characters` })
  if (controlCharacter.test(trimmed)) throw weatherErrors.city_invalid({ fault: 'has control characters in it' })
  const name = trimmed.replace(invisibleCharacters, '').normalize('NFC').trim()
  if (!letterOrDigit.test(name)) throw weatherErrors.city_invalid({ fault: 'has neither a letter nor a digit' })
  return name
}

/** The `city` that both tools take. */
export const cityInput = z
  .string()
  .min(1)
  .max(maxCityCharacters)
  .describe("The city's name in English, with region or country where it takes that: 'Berlin', 'Paris, Texas'")
