import { defineTool } from '@sibyl/plugin'
import { z } from 'zod'
import { cityInput } from './city-name.ts'
import { currentWeatherRecord, currentWeatherSchema } from './current-weather.ts'
import { temperatureText, unitsSchema } from './units.ts'
import type { UnitsOfPerson } from './units-of-person.ts'
import type { WeatherLookup } from './weather-lookup.ts'

/** The tool `get_current_weather`. */
export const getCurrentWeatherTool = (lookup: WeatherLookup, unitsOf: UnitsOfPerson) =>
  defineTool({
    description: 'The weather in a city right now: temperature and conditions.',
    effect: 'read',
    input: z.object({ city: cityInput, units: unitsSchema.optional().describe('Only where the person asks for them') }),
    output: currentWeatherSchema.extend({
      country: z.string().optional(),
      temperature: z.string().describe("in the person's units, ready to read: '14 °C'"),
    }),
    async execute({ city, units: asked }, { turn }) {
      const [report, units] = await Promise.all([lookup(city), asked ?? unitsOf(turn)])
      return {
        ...currentWeatherRecord(report, units),
        country: report.place.country,
        temperature: temperatureText(report.current.temperatureCelsius, units),
      }
    },
  })
