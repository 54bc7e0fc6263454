/**
 * The codes of WMO table 4677 ("present weather") that Open-Meteo reports, worded so that they fit behind
 * "with": "14 °C with slight rain".
 */
const conditionsByCode: ReadonlyMap<number, string> = new Map([
  [0, 'clear skies'],
  [1, 'mainly clear skies'],
  [2, 'partly cloudy skies'],
  [3, 'overcast skies'],
  [45, 'fog'],
  [48, 'rime fog'],
  [51, 'light drizzle'],
  [53, 'moderate drizzle'],
  [55, 'dense drizzle'],
  [56, 'light freezing drizzle'],
  [57, 'dense freezing drizzle'],
  [61, 'slight rain'],
  [63, 'moderate rain'],
  [65, 'heavy rain'],
  [66, 'light freezing rain'],
  [67, 'heavy freezing rain'],
  [71, 'slight snowfall'],
  [73, 'moderate snowfall'],
  [75, 'heavy snowfall'],
  [77, 'snow grains'],
  [80, 'slight rain showers'],
  [81, 'moderate rain showers'],
  [82, 'violent rain showers'],
  [85, 'slight snow showers'],
  [86, 'heavy snow showers'],
  [95, 'thunderstorms'],
  [96, 'thunderstorms and slight hail'],
  [99, 'thunderstorms and heavy hail'],
])

/**
 * The weather in words.
 *
 * @param code A code of WMO table 4677; one that Open-Meteo does not document gives 'unknown conditions'.
 */
export const conditionsOf = (code: number): string => conditionsByCode.get(code) ?? 'unknown conditions'
