import type { Clock } from '@sibyl/plugin'
import type { ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { conditionsOf, type OpenMeteo, type Place, type Weather } from './open-meteo.ts'
import { weatherErrors } from './weather-errors.ts'
import type { weatherForecasts } from './weather-forecasts.ts'

/** A place and its weather. */
export interface WeatherReport extends Weather {
  readonly place: Place
}

/**
 * Finds the weather of a city. Replies are cached for ten minutes, and concurrent lookups share one request, so
 * a lookup has a time limit of its own and does not end with its first caller.
 *
 * @param city As the user typed it.
 * @throws the errors of weather-errors.ts
 */
export type WeatherLookup = (city: string | undefined) => Promise<WeatherReport>

const cached = { lifetimeMs: 10 * 60 * 1000, maxEntries: 1000 }

/**
 * Creates a lookup with empty caches, one of names and one of places.
 *
 * @param timeLimitMs Milliseconds that one lookup may take, retries included.
 */
export const createWeatherLookup = (provider: OpenMeteo, clock: Clock, timeLimitMs: number): WeatherLookup => {
  const places = createCache<Place | undefined>({ clock, ...cached })
  const weathers = createCache<Weather>({ clock, ...cached })

  return async text => {
    const city = parseCityName(text)
    const signal = AbortSignal.timeout(timeLimitMs)
    const place = await places.get(city.toLowerCase(), () => provider.findPlace(city, signal))
    if (!place) throw weatherErrors.city_unknown({ city })
    const weather = await weathers.get(`${place.latitude},${place.longitude}`, () => provider.weatherAt(place, signal))
    return { place, ...weather }
  }
}

/** Returns the service of forecasts for other plugins. */
export const createForecasts = (lookup: WeatherLookup): ServiceOf<typeof weatherForecasts> => ({
  async forecast(city) {
    const { place, days } = await lookup(city)
    return { city: place.name, days: days.map(day => ({ ...day, conditions: conditionsOf(day.weatherCode) })) }
  },
})

/** Characters that the name of a city may have. */
export const maxCityCharacters = 100

const controlCharacter = /\p{Cc}/u
const invisibleCharacters = /\p{Cf}/gu
const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * Parses the name of a city that a user typed: trimmed, without invisible characters, in Unicode form NFC.
 *
 * @throws `city_missing`; `city_invalid` for more than 100 characters, control characters, or neither letter nor digit
 */
export const parseCityName = (text: string | undefined): string => {
  const trimmed = text?.trim()
  if (!trimmed) throw weatherErrors.city_missing()
  if (trimmed.length > maxCityCharacters)
    throw weatherErrors.city_invalid({ problem: `is longer than ${maxCityCharacters} characters` })
  if (controlCharacter.test(trimmed)) throw weatherErrors.city_invalid({ problem: 'contains control characters' })
  const name = trimmed.replace(invisibleCharacters, '').normalize('NFC').trim()
  if (!letterOrDigit.test(name)) throw weatherErrors.city_invalid({ problem: 'contains neither a letter nor a digit' })
  return name
}

/** The `city` input of both tools. */
export const cityInput = z
  .string()
  .min(1)
  .max(maxCityCharacters)
  .describe("The city's name in English, with its region or country if needed: 'Berlin', 'Paris, Texas'")

/** A cache of loaded values; concurrent callers share one load. */
export interface Cache<Value> {
  /** Returns the value of `key`: cached, being loaded, or loaded now. A failed load is not cached. */
  get(key: string, load: () => Promise<Value>): Promise<Value>
}

export interface CacheOptions {
  readonly clock: Clock
  /** Milliseconds that a value is cached, from the end of its load. */
  readonly lifetimeMs: number
  /** Most values; the least recently used one is evicted first. */
  readonly maxEntries: number
}

interface Entry<Value> {
  readonly value: Promise<Value>
  /** Milliseconds since 1970; infinite while it loads. */
  expiresAt: number
}

/** Creates an empty cache. */
export const createCache = <Value>({ clock, lifetimeMs, maxEntries }: CacheOptions): Cache<Value> => {
  const entries = new Map<string, Entry<Value>>()

  const keep = (key: string, entry: Entry<Value>) => {
    entries.delete(key)
    entries.set(key, entry)
    const [longestUnused] = entries.keys()
    if (entries.size > maxEntries && longestUnused !== undefined) entries.delete(longestUnused)
  }

  const start = (key: string, load: () => Promise<Value>): Entry<Value> => {
    const entry: Entry<Value> = { value: load(), expiresAt: Number.POSITIVE_INFINITY }
    entry.value.then(
      () => {
        entry.expiresAt = clock.now() + lifetimeMs
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key)
      },
    )
    return entry
  }

  return {
    get(key, load) {
      const known = entries.get(key)
      const entry = known && clock.now() < known.expiresAt ? known : start(key, load)
      keep(key, entry)
      return entry.value
    },
  }
}
