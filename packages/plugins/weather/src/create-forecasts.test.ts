import { definePlugin } from '@sibyl/plugin'
import type { ServiceOf } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { startLocalProvider } from './testing/local-provider.ts'
import { weather } from './weather.ts'
import { weatherForecasts } from './weather-forecasts.ts'

test('another plugin gets forecasts, and failures that people may read', async () => {
  const provider = await startLocalProvider()
  const seen: { forecasts?: ServiceOf<typeof weatherForecasts> } = {}
  const other = definePlugin({
    name: 'other',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Other', summary: 'Needs the weather.', whenToUse: ['a test needs it'] },
    requires: ['weather'],
    setup({ service }) {
      seen.forecasts = service(weatherForecasts)
      return {}
    },
  })
  await using _oracle = await testApp({ plugins: [weather(), other], env: { WEATHER_BASE_URL: provider.url } })
  const { city, days } = await seen.forecasts!.forecast(' berlin ')
  expect(city).toBe('Berlin')
  expect(days[0]).toMatchObject({ lowCelsius: 9, highCelsius: 17, weatherCode: 61, conditions: 'slight rain' })
  await expect(seen.forecasts!.forecast('Atlantis')).rejects.toMatchObject({ code: 'city_unknown' })
  await provider.stop()
})
