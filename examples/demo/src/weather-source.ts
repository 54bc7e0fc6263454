import { startLocalProvider } from '@sibyl/plugin-weather/testing'

/** Where the demo's weather comes from. */
export interface WeatherSource {
  /** In words, for the person who watches. */
  readonly description: string
  /** For WEATHER_BASE_URL; blank for Open-Meteo itself. */
  readonly baseUrl: string
  stop(): Promise<void>
}

const patienceMs = 1500
/** The two hosts of Open-Meteo that the weather plugin asks, each with a small question. */
const probes = [
  'https://geocoding-api.open-meteo.com/v1/search?name=Berlin&count=1',
  'https://api.open-meteo.com/v1/forecast?latitude=52.52&longitude=13.41&current=temperature_2m',
]

/** Open-Meteo where it answers in time; else, and always in CI, a local provider in its place. */
export const openWeatherSource = async (env: Readonly<Record<string, string | undefined>>): Promise<WeatherSource> => {
  if (!env.CI && (await answers())) {
    return { description: 'The weather comes from Open-Meteo.', baseUrl: '', stop: async () => {} }
  }
  const provider = await startLocalProvider()
  const why = env.CI ? 'CI is set' : 'Open-Meteo does not answer from here'
  return {
    description: `${why}, so a local provider stands in for it: a dozen cities, invented weather.`,
    baseUrl: provider.url,
    stop: () => provider.stop(),
  }
}

const answers = async (): Promise<boolean> => {
  const signal = AbortSignal.timeout(patienceMs)
  const asked = probes.map(async url => {
    const response = await fetch(url, { signal })
    await response.body?.cancel()
    return response.ok
  })
  return Promise.all(asked).then(
    all => all.every(Boolean),
    () => false,
  )
}
