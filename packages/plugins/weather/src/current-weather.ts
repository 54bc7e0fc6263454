import { z } from 'zod'
import { toFahrenheit, type Units, unitsSchema } from './units.ts'
import type { WeatherReport } from './weather-lookup.ts'
import { conditionsOf } from './wmo-codes.ts'

/** The weather of now, as the route and the tool give it. */
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

/** The weather of now out of a report. */
export const currentWeatherRecord = ({ place, current }: WeatherReport, units: Units): CurrentWeatherRecord => ({
  city: place.name,
  temp_c: current.temperatureCelsius,
  ...(units === 'fahrenheit' && { temp_f: toFahrenheit(current.temperatureCelsius) }),
  units,
  conditions: conditionsOf(current.weatherCode),
  latitude: place.latitude,
  longitude: place.longitude,
})
