import { bundledPlugins } from '@sibyl/bundle'
import { weather } from '@sibyl/plugin-weather'
import { startLocalProvider } from '@sibyl/plugin-weather/testing'
import { checkPlugin, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { config } from '../config.ts'
import { fieldAdvice } from './field-advice.ts'

for (const check of checkPlugin(fieldAdvice, { with: [weather] })) test(check.name, check.run)

test('the agent finds the next dry day', async () => {
  // Stands in for the weather service; the weather in it is invented.
  const provider = await startLocalProvider()
  const oracle = await testApp({
    config,
    plugins: [...bundledPlugins(), fieldAdvice()],
    env: { WEATHER_BASE_URL: provider.url },
  })
  onTestFinished(async () => {
    await oracle.app.close()
    await provider.stop()
  })
  const { text } = await oracle.chat('When can I harvest in Berlin?')
  expect(text).toMatch(/^The next good day to harvest in Berlin is \d{4}-\d\d-\d\d;/)
})
