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
  city: z.string().describe('the name as the geocoder gives it'),
  temp_c: z.number().describe('degrees Celsius, whatever the units'),
  temp_f: z.number().optional().describe('degrees Fahrenheit, where these are the units'),
  units: unitsSchema.describe("the oracle's units"),
  conditions: z.string().describe("in words, such as 'slight rain'"),
  latitude: z.number().describe('degrees north'),
  longitude: z.number().describe('degrees east'),
})

export type CurrentWeatherRecord = z.infer<typeof currentWeatherSchema>

/** Returns the current weather of a report. */
export const currentWeatherRecord = ({ place, current }: WeatherReport, units: Units): CurrentWeatherRecord => ({
  city: place.name,
  temp_c: current.temperatureCelsius,
  ...(units === 'fahrenheit' && { temp_f: toFahrenheit(current.temperatureCelsius) }),
  units,
  conditions: conditionsOf(current.weatherCode),
  latitude: place.latitude,
  longitude: place.longitude,
})

/** Creates the tool `get_current_weather`. */
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

/** Creates the tool `get_forecast`. */
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
