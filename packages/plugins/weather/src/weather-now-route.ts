import { defineRoute } from '@sibyl/plugin'
import { problemSchema } from '@sibyl/protocol'
import { z } from 'zod'
import { maxCityCharacters } from './city-name.ts'
import { currentWeatherRecord, currentWeatherSchema } from './current-weather.ts'
import type { Units } from './units.ts'
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

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
})

/** `GET /weather/now?city=`, open to anybody. */
export const weatherNowRoute = (lookup: WeatherLookup, units: Units) =>
  defineRoute(
    'public',
    {
      method: 'get',
      path: '/weather/now',
      summary: 'The weather in a city right now',
      request: { query },
      responses: {
        200: {
          description: 'The weather',
          content: {
            'application/json': { schema: z.object({ ok: z.literal(true) }).extend(currentWeatherSchema.shape) },
          },
        },
        400: problem('`city_missing`, `city_invalid`'),
        404: problem('`city_unknown`'),
        502: problem('`weather_unavailable`, `weather_bad_response`'),
        504: problem('`weather_timeout`'),
      },
    },
    async context => {
      const report = await lookup(context.req.valid('query').city)
      return context.json({ ok: true as const, ...currentWeatherRecord(report, units) }, 200)
    },
  )
