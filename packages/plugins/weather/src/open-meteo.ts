import { isOracleError, isToolFailure, readJson, retry } from '@sibyl/plugin'
import { z } from 'zod'
import { weatherErrors } from './weather-errors.ts'

/** Number of requested forecast days, including today. */
export const maxForecastDays = 14

/** A place from the geocoder. */
export interface Place {
  readonly name: string
  readonly country?: string | undefined
  /** Degrees north. */
  readonly latitude: number
  /** Degrees east. */
  readonly longitude: number
}

/** Weather at one time. */
export interface CurrentWeather {
  readonly temperatureCelsius: number
  /** A code of WMO table 4677. */
  readonly weatherCode: number
}

/** Weather of one day. */
export interface ForecastDay {
  /** The local date, such as 2026-11-21. */
  readonly date: string
  readonly lowCelsius: number
  readonly highCelsius: number
  /** The day's most severe weather: a code of WMO table 4677. */
  readonly weatherCode: number
}

/** Weather at a place, now and in the coming days. */
export interface Weather {
  readonly current: CurrentWeather
  /** From today on; days without data are omitted. */
  readonly days: readonly ForecastDay[]
}

const degreesCelsius = z.number().min(-150).max(150)

const geocodingReply = z.object({
  results: z
    .array(
      z.object({
        name: z.string().min(1).max(200),
        country: z.string().max(200).optional(),
        country_code: z.string().max(200).optional(),
        admin1: z.string().max(200).optional(),
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
      }),
    )
    .optional(),
})

const forecastReply = z.object({
  current: z.object({ temperature_2m: degreesCelsius, weather_code: z.int() }),
  daily: z.object({
    time: z.array(z.iso.date()),
    temperature_2m_min: z.array(degreesCelsius.nullable()),
    temperature_2m_max: z.array(degreesCelsius.nullable()),
    weather_code: z.array(z.int().nullable()),
  }),
})

/** @param baseUrl Server of both APIs, instead of Open-Meteo's two hosts. */
export const createOpenMeteo = (baseUrl?: string) => {
  const geocodingUrl = endpoint(baseUrl ?? 'https://geocoding-api.open-meteo.com', '/v1/search')
  const forecastUrl = endpoint(baseUrl ?? 'https://api.open-meteo.com', '/v1/forecast')

  return {
    /** Returns the best match for a name such as 'Berlin' or 'Paris, Texas'; undefined otherwise. */
    async findPlace(name: string, signal: AbortSignal): Promise<Place | undefined> {
      const [city = '', ...regions] = name.split(',').map(part => part.trim())
      const count = regions.length > 0 ? '100' : '1'
      const url = withQuery(geocodingUrl, { name: city, count, language: 'en', format: 'json' })
      const { results = [] } = checked(geocodingReply, await fetchJson(url, signal))
      const found = results.find(result => regions.every(region => isIn(result, region)))
      return found && { name: found.name, country: found.country, latitude: found.latitude, longitude: found.longitude }
    },

    async weatherAt(place: Place, signal: AbortSignal): Promise<Weather> {
      const url = withQuery(forecastUrl, {
        latitude: String(place.latitude),
        longitude: String(place.longitude),
        current: 'temperature_2m,weather_code',
        daily: 'weather_code,temperature_2m_max,temperature_2m_min',
        timezone: 'auto',
        forecast_days: String(maxForecastDays),
      })
      const { current, daily } = checked(forecastReply, await fetchJson(url, signal))
      return {
        current: { temperatureCelsius: current.temperature_2m, weatherCode: current.weather_code },
        days: daily.time.flatMap((date, day) => {
          const lowCelsius = daily.temperature_2m_min[day] ?? undefined
          const highCelsius = daily.temperature_2m_max[day] ?? undefined
          const weatherCode = daily.weather_code[day] ?? undefined
          if (lowCelsius === undefined || highCelsius === undefined || weatherCode === undefined) return []
          return [{ date, lowCelsius, highCelsius, weatherCode }]
        }),
      }
    },
  }
}

/**
 * The two APIs of Open-Meteo that the plugin uses, see https://open-meteo.com/en/docs and
 * https://open-meteo.com/en/docs/geocoding-api. Both calls throw `weather_unavailable`, `weather_timeout` and
 * `weather_bad_response`.
 */
export type OpenMeteo = ReturnType<typeof createOpenMeteo>

type GeocodingResult = NonNullable<z.infer<typeof geocodingReply>['results']>[number]

const isIn = ({ country, country_code, admin1 }: GeocodingResult, region: string): boolean =>
  [country, country_code, admin1].some(name => name?.toLowerCase() === region.toLowerCase())

const endpoint = (base: string, path: string): URL => {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url
}

const withQuery = (url: URL, query: Record<string, string>): URL => {
  const full = new URL(url)
  full.search = new URLSearchParams(query).toString()
  return full
}

const checked = <Reply>(schema: z.ZodType<Reply>, reply: unknown): Reply => {
  const result = schema.safeParse(reply)
  if (!result.success) throw weatherErrors.weather_bad_response({ cause: result.error })
  return result.data
}

const maxBytes = 256 * 1024

/**
 * Fetches JSON from the provider, with one retry after a network failure. Redirects are not followed, and error
 * messages contain no text from the provider.
 *
 * @param signal Aborts at the time limit of the lookup.
 */
const fetchJson = (url: URL, signal: AbortSignal): Promise<unknown> =>
  retry(() => fetchOnce(url, signal), { attempts: 2, shouldRetry: weatherErrors.weather_unavailable.is })

const fetchOnce = async (url: URL, signal: AbortSignal): Promise<unknown> => {
  try {
    const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } })
    if (response.status === 200) return await readJson(response, { maxBytes })
    await response.body?.cancel()
    const cause = new Error(`the provider answered with status ${response.status}`)
    const isTemporary = response.status >= 500 || response.status === 429
    throw isTemporary ? weatherErrors.weather_unavailable({ cause }) : weatherErrors.weather_bad_response({ cause })
  } catch (cause) {
    if (signal.aborted) throw weatherErrors.weather_timeout({ cause })
    if (isToolFailure(cause)) throw cause
    throw isOracleError(cause)
      ? weatherErrors.weather_bad_response({ cause })
      : weatherErrors.weather_unavailable({ cause })
  }
}

/**
 * Conditions by code of WMO table 4677 ("present weather") that Open-Meteo reports, in a form that fits behind
 * "with": "14 °C with slight rain".
 */
const conditionsByCode: ReadonlyMap<number, string> = new Map([
  [0, 'clear skies'],
  [1, 'mainly clear skies'],
  [2, 'partly cloudy skies'],
  [3, 'overcast skies'],
  [45, 'fog'],
  [48, 'rime fog'],
  [51, 'light drizzle'],
  [53, 'moderate drizzle'],
  [55, 'dense drizzle'],
  [56, 'light freezing drizzle'],
  [57, 'dense freezing drizzle'],
  [61, 'slight rain'],
  [63, 'moderate rain'],
  [65, 'heavy rain'],
  [66, 'light freezing rain'],
  [67, 'heavy freezing rain'],
  [71, 'slight snowfall'],
  [73, 'moderate snowfall'],
  [75, 'heavy snowfall'],
  [77, 'snow grains'],
  [80, 'slight rain showers'],
  [81, 'moderate rain showers'],
  [82, 'violent rain showers'],
  [85, 'slight snow showers'],
  [86, 'heavy snow showers'],
  [95, 'thunderstorms'],
  [96, 'thunderstorms and slight hail'],
  [99, 'thunderstorms and heavy hail'],
])

/**
 * Returns the weather conditions as text.
 *
 * @param code A code of WMO table 4677; one that Open-Meteo does not document gives 'unknown conditions'.
 */
export const conditionsOf = (code: number): string => conditionsByCode.get(code) ?? 'unknown conditions'
