import { testApp } from '@sibyl/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LocalProvider, startLocalProvider } from './testing/local-provider.ts'
import { weather } from './weather.ts'

let provider: LocalProvider
beforeEach(async () => {
  provider = await startLocalProvider()
})
afterEach(() => provider.stop())

const get = async (query: string, env: Record<string, string> = {}, timeLimitMs?: number) => {
  await using oracle = await testApp({
    plugins: [weather({ timeLimitMs })],
    env: { WEATHER_BASE_URL: provider.url, ...env },
  })
  const response = await oracle.app.request(`/weather/now${query}`)
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() }
}

test('answers any caller with the fields of the specification and no others', async () => {
  const { status, body } = await get('?city=Berlin')
  expect(status).toBe(200)
  expect(body).toEqual({
    ok: true,
    city: 'Berlin',
    temp_c: 14,
    units: 'celsius',
    conditions: 'slight rain',
    latitude: 52.52437,
    longitude: 13.41053,
  })
})

test('adds temp_f where the unit is Fahrenheit', async () => {
  const { body } = await get('?city=Berlin', { WEATHER_DEFAULT_UNITS: 'fahrenheit' })
  expect(body).toMatchObject({ temp_c: 14, temp_f: 57.2, units: 'fahrenheit' })
})

test.each([
  ['no city', '', 400, 'city_missing'],
  ['an empty city', '?city=', 400, 'city_missing'],
  ['a blank city', '?city=%20%0A', 400, 'city_missing'],
  ['a city of 5 kB', `?city=${'x'.repeat(5_000)}`, 400, 'city_invalid'],
  ['a city with NUL in it', '?city=Ber%00lin', 400, 'city_invalid'],
  ['a city of direction marks', '?city=%E2%80%AE%E2%80%AE', 400, 'city_invalid'],
  ['two cities', '?city=Berlin&city=Paris', 400, 'input_invalid'],
  ['a city that is not UTF-8', '?city=%FF%FE', 404, 'city_unknown'],
  ['an unknown city', '?city=Nowhereville', 404, 'city_unknown'],
])('refuses %s', async (_, query, status, code) => {
  const reply = await get(query)
  expect(reply).toMatchObject({ status, type: 'application/problem+json', body: { status, code } })
})

test.each([
  ['error', 502, 'weather_unavailable'],
  ['half', 502, 'weather_unavailable'],
  ['garbage', 502, 'weather_bad_response'],
  ['stranger', 502, 'weather_bad_response'],
  ['empty', 502, 'weather_bad_response'],
  ['huge', 502, 'weather_bad_response'],
  ['redirect', 502, 'weather_bad_response'],
] as const)('with a provider in mode %s answers %d %s', async (mode, status, code) => {
  provider.setMode(mode)
  const reply = await get('?city=Berlin')
  expect(reply).toMatchObject({ status, type: 'application/problem+json', body: { status, code } })
  expect(JSON.stringify(reply.body)).not.toContain('secret-upstream-text')
})

test('with a provider that is slow answers 504 weather_timeout', async () => {
  provider.setMode('slow')
  expect(await get('?city=Berlin', {}, 50)).toMatchObject({ status: 504, body: { code: 'weather_timeout' } })
})
