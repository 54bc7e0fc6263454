import { checkPlugin, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { startLocalProvider } from './testing/local-provider.ts'
import { weather } from './weather.ts'

describe('keeps the rules of all plugins:', () => {
  for (const check of checkPlugin(() => weather())) test(check.name, check.run)
})

test('the agent finds it, loads it and answers with it', async () => {
  const provider = await startLocalProvider()
  await using oracle = await testApp({ plugins: [weather()], env: { WEATHER_BASE_URL: provider.url } })
  const { events, text } = await oracle.chat("What's the weather in Berlin?")
  expect(events.filter(event => event.type === 'tool-input-available').map(event => event.toolName)).toEqual([
    'list_capabilities',
    'load_capability',
    'get_current_weather',
  ])
  expect(text).toBe('It is 14 °C in Berlin with slight rain.')
  await provider.stop()
})

test('a provider that fails ends in an answer that reports it', async () => {
  const provider = await startLocalProvider({ mode: 'error' })
  await using oracle = await testApp({ plugins: [weather()], env: { WEATHER_BASE_URL: provider.url } })
  const { text, last } = await oracle.chat('Forecast for Berlin for 3 days')
  expect(text).toContain('The weather provider is unreachable.')
  expect(last).toMatchObject({ type: 'finish' })
  await provider.stop()
})

test('a boot with blank variables takes their defaults', async () => {
  await using oracle = await testApp({
    plugins: [weather()],
    env: { WEATHER_DEFAULT_UNITS: '', WEATHER_BASE_URL: ' ' },
  })
  expect(oracle.app.plugins()).toMatchObject([{ name: 'weather', state: 'available' }])
})

test.each([
  ['WEATHER_DEFAULT_UNITS', 'kelvin'],
  ['WEATHER_BASE_URL', 'weather.example'],
  ['WEATHER_BASE_URL', 'file:///etc/passwd'],
])('a boot with %s=%s fails and names it', async (variable, value) => {
  await expect(testApp({ plugins: [weather()], env: { [variable]: value } })).rejects.toThrow(
    `Plugin 'weather' env validation failed for '${variable}'`,
  )
})
