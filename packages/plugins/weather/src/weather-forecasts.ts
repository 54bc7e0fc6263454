import { type ServiceToken, serviceToken } from '@sibyl/protocol'

/** The weather that is expected on one day. */
export interface WeatherDay {
  /** The place's own date, such as 2026-11-21. */
  readonly date: string
  readonly lowCelsius: number
  readonly highCelsius: number
  /** The day's most severe weather: a code of WMO table 4677; 0 to 3 are dry skies, 45 and 48 fog, all above 50 wet. */
  readonly weatherCode: number
  /** The same in words: `slight rain`. */
  readonly conditions: string
}

/** The weather of the coming days, for plugins that build on it. */
export interface WeatherForecasts {
  /**
   * Returns the forecast for a city, from today on, for as many days as are known.
   *
   * @param city As typed by a user.
   * @throws ToolFailure with a text for users, if the city is unknown or the weather unavailable.
   */
  forecast(city: string): Promise<{ readonly city: string; readonly days: readonly WeatherDay[] }>
}

/** The forecasts of the plugin that knows the weather. */
export const weatherForecasts: ServiceToken<WeatherForecasts> = serviceToken('weather-forecasts')
