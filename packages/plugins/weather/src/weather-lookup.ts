import type { Clock } from '@sibyl/plugin'
import { createCache } from './cache.ts'
import { parseCityName } from './city-name.ts'
import type { OpenMeteo, Place, Weather } from './open-meteo.ts'
import { weatherErrors } from './weather-errors.ts'

/** A place and its weather. */
export interface WeatherReport extends Weather {
  readonly place: Place
}

/**
 * Finds the weather of a city. Replies are kept for ten minutes and shared by all who ask at the same time, so a
 * lookup has a time limit of its own and does not end with the one who asked first.
 *
 * @param city As somebody typed it.
 * @throws CityMissing, CityInvalid, CityUnknown, WeatherUnavailable, WeatherTimeout, WeatherBadResponse
 */
export type WeatherLookup = (city: string | undefined) => Promise<WeatherReport>

/** What a lookup is made of. */
export interface WeatherLookupOptions {
  readonly provider: OpenMeteo
  readonly clock: Clock
  /** Milliseconds that one lookup may take, retries included. */
  readonly timeLimitMs: number
}

const cached = { lifetimeMs: 10 * 60 * 1000, maxEntries: 1000 }

/** Makes a lookup with empty caches: one of names, one of places. */
export const createWeatherLookup = ({ provider, clock, timeLimitMs }: WeatherLookupOptions): WeatherLookup => {
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
