import { route } from '@sibyl/plugin'
import { z } from 'zod'
import type { Units } from './units.ts'
import { weatherErrors } from './weather-errors.ts'
import { maxCityCharacters, type WeatherLookup } from './weather-lookup.ts'
import { currentWeatherRecord, currentWeatherSchema } from './weather-tools.ts'

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
