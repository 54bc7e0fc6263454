// Shaped after Open-Meteo's published documentation (https://open-meteo.com/en/docs and
// https://open-meteo.com/en/docs/geocoding-api). The weather in them is invented.

interface City {
  readonly id: number
  readonly name: string
  readonly countryCode: string
  readonly country: string
  readonly latitude: number
  readonly longitude: number
  /** Metres above the sea. */
  readonly elevation: number
  readonly timezone: string
  readonly temperatureCelsius: number
  /** A code of WMO table 4677. */
  readonly weatherCode: number
}

const city = (
  id: number,
  name: string,
  [countryCode, country]: [string, string],
  [latitude, longitude, elevation]: [number, number, number],
  timezone: string,
  [temperatureCelsius, weatherCode]: [number, number],
): City => ({
  id,
  name,
  countryCode,
  country,
  latitude,
  longitude,
  elevation,
  timezone,
  temperatureCelsius,
  weatherCode,
})

const cities: readonly City[] = [
  city(2950159, 'Berlin', ['DE', 'Germany'], [52.52437, 13.41053, 74], 'Europe/Berlin', [14, 61]),
  city(2643743, 'London', ['GB', 'United Kingdom'], [51.50853, -0.12574, 25], 'Europe/London', [12.5, 3]),
  city(2988507, 'Paris', ['FR', 'France'], [48.85341, 2.3488, 42], 'Europe/Paris', [16.2, 2]),
  city(3117735, 'Madrid', ['ES', 'Spain'], [40.4165, -3.70256, 665], 'Europe/Madrid', [23.8, 0]),
  city(2657896, 'Zurich', ['CH', 'Switzerland'], [47.36667, 8.55, 429], 'Europe/Zurich', [9.4, 45]),
  city(3413829, 'Reykjavik', ['IS', 'Iceland'], [64.13548, -21.89541, 37], 'Atlantic/Reykjavik', [-2.3, 73]),
  city(5128581, 'New York', ['US', 'United States'], [40.71427, -74.00597, 10], 'America/New_York', [19.1, 1]),
  city(3448439, 'São Paulo', ['BR', 'Brazil'], [-23.5475, -46.63611, 769], 'America/Sao_Paulo', [24.6, 80]),
  city(909137, 'Lusaka', ['ZM', 'Zambia'], [-15.40669, 28.28713, 1277], 'Africa/Lusaka', [27.4, 0]),
  city(184745, 'Nairobi', ['KE', 'Kenya'], [-1.28333, 36.81667, 1684], 'Africa/Nairobi', [21.7, 51]),
  city(3369157, 'Cape Town', ['ZA', 'South Africa'], [-33.92584, 18.42322, 25], 'Africa/Johannesburg', [17.9, 2]),
  city(2332459, 'Lagos', ['NG', 'Nigeria'], [6.45407, 3.39467, 11], 'Africa/Lagos', [30.2, 95]),
  city(1275339, 'Mumbai', ['IN', 'India'], [19.07283, 72.88261, 14], 'Asia/Kolkata', [31.5, 65]),
  city(1850147, 'Tokyo', ['JP', 'Japan'], [35.6895, 139.69171, 44], 'Asia/Tokyo', [18.3, 63]),
  city(5083330, 'Berlin', ['US', 'United States'], [44.46867, -71.18508, 311], 'America/New_York', [3.2, 71]),
  city(2147714, 'Sydney', ['AU', 'Australia'], [-33.86785, 151.20732, 58], 'Australia/Sydney', [20.8, 1]),
]

/** A response of the provider: an HTTP status and a JSON body. */
export interface ProviderAnswer {
  readonly status: number
  readonly body: object
}

const refusal = (reason: string): ProviderAnswer => ({ status: 400, body: { error: true, reason } })

/**
 * Returns the geocoder's response: matches by the beginning of the name, ignoring case and accents; none below two
 * characters.
 */
export const geocodingAnswer = (query: URLSearchParams): ProviderAnswer => {
  const name = query.get('name')
  if (name === null) return refusal('Parameter name is required')
  const wanted = folded(name)
  const matches = cities.filter(({ name }) =>
    wanted.length < 3 ? folded(name) === wanted : folded(name).startsWith(wanted),
  )
  const results = matches.slice(0, Number(query.get('count') ?? 10)).map(match => ({
    id: match.id,
    name: match.name,
    latitude: match.latitude,
    longitude: match.longitude,
    elevation: match.elevation,
    feature_code: 'PPLC',
    country_code: match.countryCode,
    timezone: match.timezone,
    country: match.country,
  }))
  return { status: 200, body: { ...(results.length > 0 && { results }), generationtime_ms: 0.5 } }
}

/** Returns the forecast for the city nearest to the coordinates: `current`, and `daily` from that city's today on. */
export const forecastAnswer = (query: URLSearchParams, now: Date): ProviderAnswer => {
  const [latitude, longitude] = [
    Number(query.get('latitude') ?? Number.NaN),
    Number(query.get('longitude') ?? Number.NaN),
  ]
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return refusal('Parameter latitude and longitude are required')
  const dayCount = Number(query.get('forecast_days') ?? 7)
  if (!(dayCount >= 0 && dayCount <= 16)) return refusal('Forecast days is invalid. Allowed range 0 to 16.')

  const distance = (place: City) => Math.hypot(place.latitude - latitude, place.longitude - longitude)
  const nearest = cities.reduce((best, place) => (distance(place) < distance(best) ? place : best))
  const days = Array.from({ length: dayCount }, (_, day) => day)
  const [date = '', time = ''] = localTime(now, nearest.timezone).split(' ')
  return {
    status: 200,
    body: {
      latitude: Math.round(nearest.latitude * 50) / 50,
      longitude: Math.round(nearest.longitude * 50) / 50,
      generationtime_ms: 0.07,
      timezone: nearest.timezone,
      elevation: nearest.elevation,
      current_units: { time: 'iso8601', interval: 'seconds', temperature_2m: '°C', weather_code: 'wmo code' },
      current: {
        time: `${date}T${time}`,
        interval: 900,
        temperature_2m: nearest.temperatureCelsius,
        weather_code: nearest.weatherCode,
      },
      daily_units: { time: 'iso8601', weather_code: 'wmo code', temperature_2m_max: '°C', temperature_2m_min: '°C' },
      daily: {
        time: days.map(day => new Date(Date.parse(date) + day * 86_400_000).toISOString().slice(0, 10)),
        weather_code: days.map(day => (day === 0 ? nearest.weatherCode : weatherOfTheDay(day))),
        temperature_2m_max: days.map(day => oneDecimal(nearest.temperatureCelsius + 3 + (day % 4))),
        temperature_2m_min: days.map(day => oneDecimal(nearest.temperatureCelsius - 5 + (day % 3))),
      },
    },
  }
}

const folded = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

const localTime = (now: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(now)

const weatherOfTheDay = (day: number): number => [0, 2, 3, 61, 80, 1][day % 6] ?? 0

const oneDecimal = (value: number): number => Math.round(value * 10) / 10
