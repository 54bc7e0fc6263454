import { route } from '@sibyl/plugin'
import { z } from 'zod'
import type { Units } from './units.ts'
import { weatherErrors } from './weather-errors.ts'
import { maxCityCharacters, type WeatherLookup } from './weather-lookup.ts'
import { currentWeatherRecord, currentWeatherSchema } from './weather-tools.ts'

/**
 * Query of the route. The schema allows a missing city; the lookup rejects it with `city_missing`. The OpenAPI document
 * marks it as required.
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

/** Creates `GET /weather/now?city=`, which is public. */
export const weatherNowRoute = (lookup: WeatherLookup, units: Units) =>
  route.get(
    '/weather/now',
    {
      auth: 'public',
      summary: 'Get the current weather in a city',
      query,
      ok: {
        200: {
          description: 'The weather',
          schema: z.object({ ok: z.literal(true) }).extend(currentWeatherSchema.shape),
        },
      },
      errors: Object.values(weatherErrors),
    },
    async context => {
      const report = await lookup(context.req.valid('query').city)
      return context.json({ ok: true as const, ...currentWeatherRecord(report, units) }, 200)
    },
  )
