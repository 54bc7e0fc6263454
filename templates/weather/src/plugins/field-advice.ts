import { definePlugin, defineTool } from '@sibyl/plugin'
import { type WeatherDay, weatherForecasts } from '@sibyl/plugin-weather'
import { z } from 'zod'

/** The weather that each kind of work requires. */
const needs = {
  sow: (day: WeatherDay) => day.lowCelsius >= 8,
  spray: (day: WeatherDay) => isDry(day) && day.highCelsius <= 28,
  harvest: (day: WeatherDay) => isDry(day),
}

/** In WMO table 4677 everything from 50 on falls from the sky. */
const isDry = (day: WeatherDay) => day.weatherCode < 50

const work = z.enum(['sow', 'spray', 'harvest'])

/** Reports on which of the coming days the weather suits work in the fields. */
export const fieldAdvice = () =>
  definePlugin({
    name: 'field-advice',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Field advice',
      summary: 'On which of the coming days the weather suits sowing, spraying or harvesting.',
      whenToUse: ['someone plans work in the fields'],
      load: 'on-demand',
      examples: [
        {
          user: [
            'When can I {work} in {city}?',
            'When to {work} in {city}?',
            'Which days are good to {work} in {city}?',
          ],
          tool: 'find_field_days',
          args: { work: '{work}', city: '{city}' },
          answer: '{advice}',
        },
      ],
    },
    requires: ['weather'],
    setup({ service }) {
      const forecasts = service(weatherForecasts)
      return {
        tools: {
          find_field_days: defineTool({
            description: 'The coming days on which the weather suits some work in the fields near a city.',
            effect: 'read',
            input: z.object({ work, city: z.string().min(1).max(100).describe("The nearest city's name: 'Lusaka'") }),
            output: z.object({ city: z.string(), dates: z.array(z.string()), advice: z.string() }),
            async execute({ work, city: asked }) {
              const { city, days } = await forecasts.forecast(asked)
              const dates = days.filter(needs[work]).map(({ date }) => date)
              const [first] = dates
              const advice = first
                ? `The next good day to ${work} in ${city} is ${first}; ${dates.length} of the coming ${days.length} days are good.`
                : `None of the coming ${days.length} days is good to ${work} in ${city}.`
              return { city, dates, advice }
            },
          }),
        },
      }
    },
  })
