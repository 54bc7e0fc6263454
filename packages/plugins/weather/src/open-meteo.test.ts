import { afterEach, describe, expect, test } from 'vitest'
import { createOpenMeteo, type Place } from './open-meteo.ts'
import { type LocalProvider, type ProviderMode, startLocalProvider } from './testing/local-provider.ts'

const berlin: Place = { name: 'Berlin', country: 'Germany', latitude: 52.52437, longitude: 13.41053 }
const lookupTime = () => AbortSignal.timeout(60_000)

let provider: LocalProvider | undefined
const start = async (mode?: ProviderMode) => {
  provider = await startLocalProvider({ mode })
  return { provider, openMeteo: createOpenMeteo(provider.url) }
}
afterEach(() => provider?.stop())

test('a name gives the place that fits it best', async () => {
  const { openMeteo } = await start()
  expect(await openMeteo.findPlace('berlin', lookupTime())).toEqual(berlin)
  expect(await openMeteo.findPlace('Sao Paulo', lookupTime())).toMatchObject({ name: 'São Paulo' })
})

test('a name may say its region or country', async () => {
  const { openMeteo } = await start()
  expect(await openMeteo.findPlace('Berlin, germany', lookupTime())).toEqual(berlin)
  expect(await openMeteo.findPlace('Berlin,US', lookupTime())).toMatchObject({ country: 'United States' })
  expect(await openMeteo.findPlace('Berlin, Germany, US', lookupTime())).toBeUndefined()
})

test('an unknown name gives no place', async () => {
  const { openMeteo } = await start()
  expect(await openMeteo.findPlace('Nowhereville', lookupTime())).toBeUndefined()
  expect(await openMeteo.findPlace('B', lookupTime())).toBeUndefined()
})

test('a name cannot add parameters to the request', async () => {
  const { openMeteo } = await start()
  expect(await openMeteo.findPlace('Nowhereville&name=Berlin#', lookupTime())).toBeUndefined()
})

test('a place gives its weather of now and of 14 days', async () => {
  const { openMeteo } = await start()
  const { current, days } = await openMeteo.weatherAt(berlin, lookupTime())
  expect(current).toEqual({ temperatureCelsius: 14, weatherCode: 61 })
  expect(days).toHaveLength(14)
  expect(days[1]).toEqual({
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    lowCelsius: 10,
    highCelsius: 18,
    weatherCode: 2,
  })
})

test('a base URL may have a path', async () => {
  const { provider } = await start()
  const openMeteo = createOpenMeteo(`${provider.url}/mirror/?key=1`)
  expect(await openMeteo.findPlace('Berlin', lookupTime())).toEqual(berlin)
  expect(provider.requests).toEqual(['/mirror/v1/search'])
})

test('a closed connection is retried once', async () => {
  const { provider, openMeteo } = await start('flaky')
  expect(await openMeteo.findPlace('Berlin', lookupTime())).toEqual(berlin)
  expect(provider.requests).toHaveLength(2)
})

describe.each([
  ['findPlace', (url: string, signal: AbortSignal) => createOpenMeteo(url).findPlace('Berlin', signal)],
  ['weatherAt', (url: string, signal: AbortSignal) => createOpenMeteo(url).weatherAt(berlin, signal)],
])('%s', (_, call) => {
  test.each([
    ['error', 'weather_unavailable', 2],
    ['busy', 'weather_unavailable', 2],
    ['half', 'weather_unavailable', 2],
    ['garbage', 'weather_bad_response', 1],
    ['stranger', 'weather_bad_response', 1],
    ['empty', 'weather_bad_response', 1],
    ['huge', 'weather_bad_response', 1],
    ['redirect', 'weather_bad_response', 1],
  ] as const)('with a provider in mode %s throws %o after %d tries', async (mode, expected, tries) => {
    const { provider } = await start(mode)
    const error = await call(provider.url, lookupTime()).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: expected })
    expect((error as Error).message).not.toContain('secret-upstream-text')
    expect(provider.requests).toHaveLength(tries)
  })

  test.each(['slow', 'drip'] as const)('with a provider in mode %s throws weather_timeout', async mode => {
    const { provider } = await start(mode)
    await expect(call(provider.url, AbortSignal.timeout(50))).rejects.toMatchObject({ code: 'weather_timeout' })
    expect(provider.requests.length).toBeLessThanOrEqual(1)
  })

  test('without a provider throws weather_unavailable', async () => {
    const { provider } = await start()
    await provider.stop()
    await expect(call(provider.url, lookupTime())).rejects.toMatchObject({ code: 'weather_unavailable' })
  })
})
