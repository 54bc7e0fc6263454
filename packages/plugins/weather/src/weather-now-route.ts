import { route } from '@sibyl/plugin'
import { z } from 'zod'
import { maxCityCharacters } from './city-name.ts'
import { currentWeatherRecord, currentWeatherSchema } from './current-weather.ts'
import type { Units } from './units.ts'
import { weatherErrors } from './weather-errors.ts'
import type { WeatherLookup } from './weather-lookup.ts'

/**
 * What the route takes. A missing city passes here and is refused by the lookup, so that the problem says
 * `city_missing`; the OpenAPI document calls it required all the same.
 */
const query = z.object({
  city: z
    .string()
    .optional()
    .meta({
      description: "The city's name",
      example: 'Berlin',
      maxLength: maxCityCharacters,
      param: { required: true },
    }),
})

/** `GET /weather/now?city=`, open to anybody. */
export const weatherNowRoute = (lookup: WeatherLookup, units: Units) =>
  route.get(
    '/weather/now',
    {
      auth: 'public',
      summary: 'The weather in a city right now',
      query,
      ok: {
        200: {
          description: 'The weather',
          content: {
            'application/json': { schema: z.object({ ok: z.literal(true) }).extend(currentWeatherSchema.shape) },
          },
        },
      },
      errors: [
        weatherErrors.city_missing,
        weatherErrors.city_invalid,
        weatherErrors.city_unknown,
        { code: 'weather_unavailable', status: 502 },
        { code: 'weather_bad_response', status: 502 },
        { code: 'weather_timeout', status: 504 },
      ],
    },
    async context => {
      const report = await lookup(context.req.valid('query').city)
      return context.json({ ok: true as const, ...currentWeatherRecord(report, units) }, 200)
    },
  )
