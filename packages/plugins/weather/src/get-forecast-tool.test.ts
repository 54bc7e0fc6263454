import type { Tool, ToolCall } from '@sibyl/plugin'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOpenMeteo } from './open-meteo.ts'
import { type LocalProvider, startLocalProvider } from './testing/local-provider.ts'
import type { Units } from './units.ts'
import { createWeatherLookup } from './weather-lookup.ts'
import { getForecastTool } from './weather-tools.ts'

let provider: LocalProvider
beforeEach(async () => {
  provider = await startLocalProvider()
})
afterEach(() => provider.stop())

const call = async (input: unknown, units: Units = 'celsius') => {
  const lookup = createWeatherLookup(createOpenMeteo(provider.url), { now: Date.now }, 60_000)
  const tool: Tool = getForecastTool(lookup, async () => units)
  return tool.output?.parse(await tool.execute(tool.input.parse(input), {} as ToolCall))
}

test('returns the requested number of days, from today on', async () => {
  expect(await call({ city: 'Berlin', days: 2 })).toEqual({
    city: 'Berlin',
    country: 'Germany',
    days: [
      { date: expect.any(String), min_c: 9, max_c: 17, temperature: '9 to 17 °C', conditions: 'slight rain' },
      { date: expect.any(String), min_c: 10, max_c: 18, temperature: '10 to 18 °C', conditions: 'partly cloudy skies' },
    ],
    summary: expect.stringMatching(
      /^\w{3} \d+ \w+: 9 to 17 °C with slight rain\n\w{3} \d+ \w+: 10 to 18 °C with partly cloudy skies$/,
    ),
  })
})

test('speaks of Fahrenheit where that is the unit, with Celsius beside it', async () => {
  expect(await call({ city: 'Berlin', days: 1 }, 'fahrenheit')).toMatchObject({
    days: [{ min_c: 9, max_c: 17, temperature: '48.2 to 62.6 °F' }],
    summary: expect.stringContaining('48.2 to 62.6 °F'),
  })
})

test.each([0, 15, 1.5, '3', undefined])('rejects %j days', async days => {
  await expect(call({ city: 'Berlin', days })).rejects.toThrow()
  expect(provider.requests).toEqual([])
})
