import { definePlugin, provide } from '@sibyl/plugin'
import { userPreferences, weatherForecasts } from '@sibyl/protocol'
import { z } from 'zod'
import { createForecasts } from './create-forecasts.ts'
import { getCurrentWeatherTool } from './get-current-weather-tool.ts'
import { getForecastTool } from './get-forecast-tool.ts'
import { manifest } from './manifest.ts'
import { createOpenMeteo } from './open-meteo.ts'
import { unitsSchema } from './units.ts'
import { unitsOfPerson } from './units-of-person.ts'
import { createWeatherLookup } from './weather-lookup.ts'
import { weatherNowRoute } from './weather-now-route.ts'

/** How the weather plugin works, where its variables do not say. */
export interface WeatherOptions {
  /** Milliseconds that one lookup may take, both calls of the provider and their retries included. @default 3000 */
  readonly timeLimitMs?: number
}

/**
 * Gives an oracle the weather: the tools `get_current_weather` and `get_forecast`, the public route `/weather/now`,
 * and forecasts for other plugins.
 *
 * @example
 * await createOracleApp({ config, plugins: [weather()] })
 */
export const weather = ({ timeLimitMs = 3000 }: WeatherOptions = {}) =>
  definePlugin({
    name: 'weather',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    uses: ['user-preferences'],
    env: z.object({
      WEATHER_DEFAULT_UNITS: unitsSchema
        .default('celsius')
        .describe('Units people read temperatures in, where they prefer none themselves'),
      WEATHER_BASE_URL: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe("A server that speaks Open-Meteo's forecast and geocoding APIs, in place of Open-Meteo itself"),
    }),
    setup({ env, clock, log, optionalService }) {
      const units = env.WEATHER_DEFAULT_UNITS
      const preferences = optionalService(userPreferences)
      const unitsOf = unitsOfPerson({ preferences, usual: units, log })
      const lookup = createWeatherLookup({ provider: createOpenMeteo(env.WEATHER_BASE_URL), clock, timeLimitMs })
      return {
        tools: {
          get_current_weather: getCurrentWeatherTool(lookup, unitsOf),
          get_forecast: getForecastTool(lookup, unitsOf),
        },
        routes: [weatherNowRoute(lookup, units)],
        services: [provide(weatherForecasts, createForecasts(lookup))],
      }
    },
  })
