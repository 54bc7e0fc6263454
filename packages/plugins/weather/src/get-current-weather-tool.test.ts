import { type Tool, type ToolCall, ToolFailure } from '@sibyl/plugin'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOpenMeteo } from './open-meteo.ts'
import { type LocalProvider, startLocalProvider } from './testing/local-provider.ts'
import type { Units } from './units.ts'
import { createWeatherLookup } from './weather-lookup.ts'
import { getCurrentWeatherTool } from './weather-tools.ts'

let provider: LocalProvider
beforeEach(async () => {
  provider = await startLocalProvider()
})
afterEach(() => provider.stop())

const call = async (input: unknown, units: Units = 'celsius') => {
  const lookup = createWeatherLookup(createOpenMeteo(provider.url), { now: Date.now }, 60_000)
  const tool: Tool = getCurrentWeatherTool(lookup, async () => units)
  return tool.output?.parse(await tool.execute(tool.input.parse(input), {} as ToolCall))
}

test('answers with the weather of now', async () => {
  expect(await call({ city: 'berlin' })).toEqual({
    city: 'Berlin',
    country: 'Germany',
    temp_c: 14,
    temperature: '14 °C',
    units: 'celsius',
    conditions: 'slight rain',
    latitude: 52.52437,
    longitude: 13.41053,
  })
})

test('speaks of Fahrenheit where that is the unit, with Celsius beside it', async () => {
  expect(await call({ city: 'Berlin' }, 'fahrenheit')).toMatchObject({
    temp_c: 14,
    temp_f: 57.2,
    temperature: '57.2 °F',
    units: 'fahrenheit',
  })
})

test('fails with a text that model and person may read', async () => {
  const failure = call({ city: 'Nowhereville' })
  await expect(failure).rejects.toThrow(ToolFailure)
  await expect(failure).rejects.toThrow("The place 'Nowhereville' is unknown.")
})

test.each([{}, { city: '' }, { city: 7 }, { city: 'x'.repeat(101) }])('rejects %j', async input => {
  await expect(call(input)).rejects.toThrow()
  expect(provider.requests).toEqual([])
})
