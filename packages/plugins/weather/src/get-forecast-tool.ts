import { defineTool } from '@sibyl/plugin'
import { z } from 'zod'
import { cityInput } from './city-name.ts'
import { maxForecastDays } from './open-meteo.ts'
import { temperatureRangeText, unitsSchema } from './units.ts'
import type { UnitsOfPerson } from './units-of-person.ts'
import type { WeatherLookup } from './weather-lookup.ts'
import { conditionsOf } from './wmo-codes.ts'

const forecastDaySchema = z.object({
  date: z.string().describe("the city's own date, such as 2026-11-21"),
  min_c: z.number(),
  max_c: z.number(),
  temperature: z.string().describe("in the person's units, ready to read: '9 to 17 °C'"),
  conditions: z.string(),
})

const dateText = (date: string): string =>
  new Date(date)
    .toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
    .replace(',', '')

/** The tool `get_forecast`. */
export const getForecastTool = (lookup: WeatherLookup, unitsOf: UnitsOfPerson) =>
  defineTool({
    description: `The weather forecast for a city, a day each, from today on; ${maxForecastDays} days at most.`,
    effect: 'read',
    input: z.object({
      city: cityInput,
      days: z.int().min(1).max(maxForecastDays).describe('How many days; 1 is today, 2 is today and tomorrow'),
      units: unitsSchema.optional().describe('Only where the person asks for them'),
    }),
    output: z.object({
      city: z.string(),
      country: z.string().optional(),
      days: z.array(forecastDaySchema),
      summary: z.string().describe('all of it in words, a line each day'),
    }),
    async execute({ city, days: count, units: asked }, { turn }) {
      const [report, units] = await Promise.all([lookup(city), asked ?? unitsOf(turn)])
      const days = report.days.slice(0, count).map(day => ({
        date: day.date,
        min_c: day.lowCelsius,
        max_c: day.highCelsius,
        temperature: temperatureRangeText(day.lowCelsius, day.highCelsius, units),
        conditions: conditionsOf(day.weatherCode),
      }))
      return {
        city: report.place.name,
        country: report.place.country,
        days,
        summary: days.map(day => `${dateText(day.date)}: ${day.temperature} with ${day.conditions}`).join('\n'),
      }
    },
  })
