import { definePlugin, type Manifest, provide } from '@sibyl/plugin'
import { userPreferences } from '@sibyl/protocol'
import { z } from 'zod'
import { createOpenMeteo } from './open-meteo.ts'
import { unitsOfPerson, unitsSchema } from './units.ts'
import { weatherForecasts } from './weather-forecasts.ts'
import { createForecasts, createWeatherLookup } from './weather-lookup.ts'
import { weatherNowRoute } from './weather-now-route.ts'
import { getCurrentWeatherTool, getForecastTool } from './weather-tools.ts'

/** Options of the weather plugin besides its environment variables. */
export interface WeatherOptions {
  /** Time limit of one lookup in milliseconds, including both calls of the provider and their retries. @default 3000 */
  readonly timeLimitMs?: number | undefined
}

/**
 * Adds weather to an oracle: the tools `get_current_weather` and `get_forecast`, the public route `/weather/now`,
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
        .describe('Units of temperatures for users without a preference'),
      WEATHER_BASE_URL: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe("A server with Open-Meteo's forecast and geocoding APIs, instead of Open-Meteo itself"),
    }),
    setup({ env, clock, log, optionalService }) {
      const units = env.WEATHER_DEFAULT_UNITS
      const preferences = optionalService(userPreferences)
      const unitsOf = unitsOfPerson(preferences, units, log)
      const lookup = createWeatherLookup(createOpenMeteo(env.WEATHER_BASE_URL), clock, timeLimitMs)
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

const manifest: Manifest = {
  title: 'Weather',
  summary: 'Current weather and forecasts for any city, from Open-Meteo.',
  whenToUse: [
    'someone asks about the weather, the temperature, rain, snow or wind in a place',
    'a plan depends on the weather of today or the coming days',
  ],
  whenNotToUse: ['past weather or the climate of a place', 'official warnings of severe weather'],
  tags: ['weather', 'forecast', 'temperature', 'rain'],
  load: 'on-demand',
  examples: [
    {
      user: [
        "What's the weather in {city}?",
        "What's the weather like in {city}?",
        'How is the weather in {city} right now?',
        'Current weather in {city}',
        'Weather in {city}',
        'What is the temperature in {city}?',
        'How warm is it in {city}?',
        'How cold is it in {city}?',
        'How hot is it in {city}?',
        'Is it raining in {city}?',
        'Is it snowing in {city}?',
        'Is it sunny in {city}?',
        'Do I need an umbrella in {city}?',
      ],
      tool: 'get_current_weather',
      args: { city: '{city}' },
      answer: 'It is {temperature} in {city} with {conditions}.',
    },
    {
      user: [
        'Forecast for {city} for {days} days',
        'Give me the forecast for {city} for {days} days',
        "What's the forecast for {city} for the next {days} days?",
        'What will the weather be like in {city} over the next {days} days?',
        'Weather in {city} for the next {days} days',
        '{days} day forecast for {city}',
      ],
      tool: 'get_forecast',
      args: { city: '{city}', days: '{days}' },
      answer: 'The forecast for {city}:\n{summary}',
    },
    {
      user: [
        'Forecast for {city}',
        'Give me the forecast for {city}',
        "What's the weather forecast for {city}?",
        "What's the weather forecast for {city} this week?",
        'How will the weather be in {city} this week?',
        'Weather in {city} this week',
      ],
      tool: 'get_forecast',
      args: { city: '{city}', days: 7 },
      answer: 'The forecast for {city}:\n{summary}',
    },
    {
      user: [
        "What's the weather in {city} tomorrow?",
        'What will the weather be in {city} tomorrow?',
        'Forecast for {city} tomorrow',
        "What's the weather forecast for {city} tomorrow?",
        'Will it rain in {city} tomorrow?',
        'Will it snow in {city} tomorrow?',
        'Weather in {city} tomorrow',
      ],
      tool: 'get_forecast',
      args: { city: '{city}', days: 2 },
      answer: 'Tomorrow it will be {days.1.temperature} in {city} with {days.1.conditions}.',
    },
  ],
}
