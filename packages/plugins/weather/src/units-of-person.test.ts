import { definePlugin, provide } from '@sibyl/plugin'
import { userPreferences } from '@sibyl/plugin-user-preferences'
import { userPreferences as preferencesToken } from '@sibyl/protocol'
import { recordedLogger, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { startLocalProvider } from './testing/local-provider.ts'
import { weather } from './weather.ts'

test('the tools speak in the units that the person prefers, and the public route in those of the oracle', async () => {
  const provider = await startLocalProvider()
  await using oracle = await testApp({
    plugins: [weather(), userPreferences()],
    env: { WEATHER_BASE_URL: provider.url },
  })
  const reply = async (text: string) => (await oracle.chat(text)).text
  expect(await reply('Weather in Berlin')).toContain('14 °C')
  await reply('Use fahrenheit')
  expect(await reply('Weather in Berlin')).toBe('It is 57.2 °F in Berlin with slight rain.')
  expect(await reply('Forecast for Berlin for 2 days')).toContain('°F')
  expect(await (await oracle.app.request('/weather/now?city=Berlin')).json()).toMatchObject({ units: 'celsius' })
  await reply('Use metric units')
  expect(await reply('Weather in Berlin')).toContain('14 °C')
  await provider.stop()
})

test('units that a call names come first, and preferences that fail leave those of the oracle', async () => {
  const provider = await startLocalProvider()
  const away = definePlugin({
    name: 'user-preferences',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Away', summary: 'Fails.', whenToUse: ['a test does'] },
    setup: () => ({
      services: [
        provide(preferencesToken, {
          get: async () => {
            throw new Error('away')
          },
          set: async () => {},
        }),
      ],
    }),
  })
  const logger = recordedLogger()
  const city = 'Berlin'
  const model = scriptedModel([
    { tool: 'load_capability', input: { names: ['weather'] } },
    [
      { tool: 'get_current_weather', input: { city } },
      { tool: 'get_current_weather', input: { city, units: 'fahrenheit' } },
    ],
    'Done.',
  ])
  await using oracle = await testApp({
    plugins: [away, weather()],
    env: { WEATHER_BASE_URL: provider.url },
    model,
    logger,
  })
  const { events } = await oracle.chat('Weather in Berlin')
  const outputs = events.flatMap(event => (event.type === 'tool-output-available' ? [event.output] : []))
  expect(outputs.slice(-2)).toMatchObject([{ temperature: '14 °C' }, { temperature: '57.2 °F' }])
  expect(logger.lines.map(({ message }) => message)).toContain('the preferred units of a user cannot be read')
  await provider.stop()
})
