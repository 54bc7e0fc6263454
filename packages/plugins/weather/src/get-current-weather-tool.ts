import { defineTool } from '@sibyl/core'
import { z } from 'zod'
import { cityInput } from './city-name.ts'
import { currentWeatherRecord, currentWeatherSchema } from './current-weather.ts'
import { temperatureText, type Units } from './units.ts'
import type { WeatherLookup } from './weather-lookup.ts'

/** The tool `get_current_weather`. */
export const getCurrentWeatherTool = (lookup: WeatherLookup, units: Units) =>
  defineTool({
    description: 'The weather in a city right now: temperature and conditions.',
    effect: 'read',
    input: z.object({ city: cityInput }),
    output: currentWeatherSchema.extend({
      country: z.string().optional(),
      temperature: z.string().describe("in the oracle's units, ready to read: '14 °C'"),
    }),
    async execute({ city }) {
      const report = await lookup(city)
      return {
        ...currentWeatherRecord(report, units),
        country: report.place.country,
        temperature: temperatureText(report.current.temperatureCelsius, units),
      }
    },
  })
