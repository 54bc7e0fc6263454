import { defineTool } from '@sibyl/plugin'
import { z } from 'zod'
import { conditionsOf, maxForecastDays } from './open-meteo.ts'
import {
  temperatureRangeText,
  temperatureText,
  toFahrenheit,
  type Units,
  type UnitsOfPerson,
  unitsSchema,
} from './units.ts'
import { cityInput, type WeatherLookup, type WeatherReport } from './weather-lookup.ts'

/** The current weather, as the route and the tool return it. */
export const currentWeatherSchema = z.object({
  city: z.string().describe('the name from the geocoder'),
  temp_c: z.number().describe('degrees Celsius, regardless of the units'),
  temp_f: z.number().optional().describe('degrees Fahrenheit, if these are the units'),
  units: unitsSchema.describe("the oracle's units"),
  conditions: z.string().describe("as text, such as 'slight rain'"),
  latitude: z.number().describe('degrees north'),
  longitude: z.number().describe('degrees east'),
})

export type CurrentWeatherRecord = z.infer<typeof currentWeatherSchema>

export const currentWeatherRecord = ({ place, current }: WeatherReport, units: Units): CurrentWeatherRecord => ({
  city: place.name,
  temp_c: current.temperatureCelsius,
  ...(units === 'fahrenheit' && { temp_f: toFahrenheit(current.temperatureCelsius) }),
  units,
  conditions: conditionsOf(current.weatherCode),
  latitude: place.latitude,
  longitude: place.longitude,
})

export const getCurrentWeatherTool = (lookup: WeatherLookup, unitsOf: UnitsOfPerson) =>
  defineTool({
    description: 'The weather in a city right now: temperature and conditions.',
    effect: 'read',
    input: z.object({ city: cityInput, units: unitsSchema.optional().describe('Only if the user requests them') }),
    output: currentWeatherSchema.extend({
      country: z.string().optional(),
      temperature: z.string().describe("in the user's units, ready to display: '14 °C'"),
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

const forecastDaySchema = z.object({
  date: z.string().describe("the city's own date, such as 2026-11-21"),
  min_c: z.number(),
  max_c: z.number(),
  temperature: z.string().describe("in the user's units, ready to display: '9 to 17 °C'"),
  conditions: z.string(),
})

const dateText = (date: string): string =>
  new Date(date)
    .toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
    .replace(',', '')

export const getForecastTool = (lookup: WeatherLookup, unitsOf: UnitsOfPerson) =>
  defineTool({
    description: `The weather forecast for a city, one entry per day, starting today; at most ${maxForecastDays} days.`,
    effect: 'read',
    input: z.object({
      city: cityInput,
      days: z.int().min(1).max(maxForecastDays).describe('Number of days; 1 is today, 2 is today and tomorrow'),
      units: unitsSchema.optional().describe('Only if the user requests them'),
    }),
    output: z.object({
      city: z.string(),
      country: z.string().optional(),
      days: z.array(forecastDaySchema),
      summary: z.string().describe('the whole forecast as text, one line per day'),
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
