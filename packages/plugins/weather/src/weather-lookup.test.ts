import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOpenMeteo } from './open-meteo.ts'
import { type LocalProvider, startLocalProvider } from './testing/local-provider.ts'
import { createWeatherLookup } from './weather-lookup.ts'

const tenMinutes = 10 * 60 * 1000

let provider: LocalProvider
let now: number
beforeEach(async () => {
  provider = await startLocalProvider()
  now = Date.parse('2026-11-21T12:00:00Z')
})
afterEach(() => provider.stop())

const lookupWithin = (timeLimitMs: number) =>
  createWeatherLookup(createOpenMeteo(provider.url), { now: () => now }, timeLimitMs)

test('a city gives its place and weather', async () => {
  const report = await lookupWithin(60_000)('Berlin')
  expect(report.place.name).toBe('Berlin')
  expect(report.current).toEqual({ temperatureCelsius: 14, weatherCode: 61 })
})

test('an answer is kept for ten minutes, however the city is spelled', async () => {
  const lookup = lookupWithin(60_000)
  await lookup('Berlin')
  now += tenMinutes - 1
  await lookup(' BERLIN ')
  expect(provider.requests).toEqual(['/v1/search', '/v1/forecast'])
  now += 1
  await lookup('Berlin')
  expect(provider.requests).toHaveLength(4)
})

test('two names of one place share its weather', async () => {
  const lookup = lookupWithin(60_000)
  await lookup('Sao Paulo')
  await lookup('São Paulo')
  expect(provider.requests).toEqual(['/v1/search', '/v1/forecast', '/v1/search'])
})

test('all who ask at the same time share the calls of the provider', async () => {
  const lookup = lookupWithin(60_000)
  const reports = await Promise.all(Array.from({ length: 50 }, () => lookup('Berlin')))
  expect(new Set(reports.map(report => report.place.name))).toEqual(new Set(['Berlin']))
  expect(provider.requests).toEqual(['/v1/search', '/v1/forecast'])
})

test('an unknown city is remembered as unknown', async () => {
  const lookup = lookupWithin(60_000)
  await expect(lookup('Nowhereville')).rejects.toThrow(expect.objectContaining({ code: 'city_unknown' }))
  await expect(lookup('Nowhereville')).rejects.toThrow(expect.objectContaining({ code: 'city_unknown' }))
  expect(provider.requests).toEqual(['/v1/search'])
})

test('a failure is not remembered', async () => {
  const lookup = lookupWithin(60_000)
  provider.setMode('error')
  await expect(lookup('Berlin')).rejects.toMatchObject({ code: 'weather_unavailable' })
  provider.setMode('ok')
  expect((await lookup('Berlin')).place.name).toBe('Berlin')
})

test('the time limit holds', async () => {
  provider.setMode('slow')
  await expect(lookupWithin(50)('Berlin')).rejects.toMatchObject({ code: 'weather_timeout' })
})

test('an invalid city never reaches the provider', async () => {
  const lookup = lookupWithin(60_000)
  await expect(lookup('')).rejects.toThrow(expect.objectContaining({ code: 'city_missing' }))
  await expect(lookup('x'.repeat(10_000))).rejects.toThrow(expect.objectContaining({ code: 'city_invalid' }))
  expect(provider.requests).toEqual([])
})
