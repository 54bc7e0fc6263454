import type { WeatherForecasts } from '@sibyl/protocol'
import type { WeatherLookup } from './weather-lookup.ts'
import { conditionsOf } from './wmo-codes.ts'

/** The forecasts that other plugins get. */
export const createForecasts = (lookup: WeatherLookup): WeatherForecasts => ({
  async forecast(city) {
    const { place, days } = await lookup(city)
    return { city: place.name, days: days.map(day => ({ ...day, conditions: conditionsOf(day.weatherCode) })) }
  },
})
