import { OpenAPIHono } from '@hono/zod-openapi'
import { type Host, type OracleEnvironment, OracleError, type Tool, type ToolCall, ToolFailure } from '@sibyl/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LocalProvider, startLocalProvider } from './testing/local-provider.ts'
import { weather } from './weather.ts'

let provider: LocalProvider
beforeEach(async () => {
  provider = await startLocalProvider()
})
afterEach(() => provider.stop())

const setUp = async (env: Record<string, string> = {}, timeLimitMs?: number) => {
  const plugin = weather({ timeLimitMs })
  const host = {
    env: plugin.env?.parse({ WEATHER_BASE_URL: provider.url, ...env }),
    clock: { now: Date.now },
  } as unknown as Host
  const { tools, routes = [] } = await plugin.setup(host)
  const app = new OpenAPIHono<OracleEnvironment>()
  for (const { definition, handle } of routes) app.openapi(definition, handle)
  app.onError((error, context) => {
    if (!(error instanceof OracleError)) throw error
    return context.json({ code: error.code, detail: error.message }, error.status as 400)
  })
  const tool = (name: string): Tool => {
    const found = typeof tools === 'object' ? tools[name] : undefined
    if (!found) throw new Error(`no tool ${name}`)
    return found
  }
  const call = async (name: string, input: unknown) => {
    const output = await tool(name).execute(tool(name).input.parse(input), {} as ToolCall)
    return tool(name).output?.parse(output)
  }
  return { app, call, tool, plugin }
}

describe('get_current_weather', () => {
  test('answers with the weather of now', async () => {
    const { call } = await setUp()
    expect(await call('get_current_weather', { city: 'berlin' })).toEqual({
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
    const { call } = await setUp({ WEATHER_DEFAULT_UNITS: 'fahrenheit' })
    expect(await call('get_current_weather', { city: 'Berlin' })).toMatchObject({
      temp_c: 14,
      temp_f: 57.2,
      temperature: '57.2 °F',
      units: 'fahrenheit',
    })
  })

  test('fails with a text that model and person may read', async () => {
    const { call } = await setUp()
    const failure = call('get_current_weather', { city: 'Nowhereville' })
    await expect(failure).rejects.toThrow(ToolFailure)
    await expect(failure).rejects.toThrow("No place called 'Nowhereville' is known.")
  })
})

describe('get_forecast', () => {
  test('answers with as many days as asked for, from today on', async () => {
    const { call } = await setUp()
    const forecast = await call('get_forecast', { city: 'Berlin', days: 2 })
    expect(forecast).toEqual({
      city: 'Berlin',
      country: 'Germany',
      days: [
        { date: expect.any(String), min_c: 9, max_c: 17, temperature: '9 to 17 °C', conditions: 'slight rain' },
        {
          date: expect.any(String),
          min_c: 10,
          max_c: 18,
          temperature: '10 to 18 °C',
          conditions: 'partly cloudy skies',
        },
      ],
      summary: expect.stringMatching(
        /^\w{3} \d+ \w+: 9 to 17 °C with slight rain\n\w{3} \d+ \w+: 10 to 18 °C with partly cloudy skies$/,
      ),
    })
  })

  test.each([0, 15, 1.5, '3', undefined])('takes no %s days', async days => {
    const { tool } = await setUp()
    expect(tool('get_forecast').input.safeParse({ city: 'Berlin', days }).success).toBe(false)
  })
})

describe('GET /weather/now', () => {
  const get = async (query: string, env?: Record<string, string>, timeLimitMs?: number) => {
    const { app } = await setUp(env, timeLimitMs)
    const response = await app.request(`/weather/now${query}`)
    return { status: response.status, body: await response.json() }
  }

  test('answers with the fields of the specification and no others', async () => {
    expect(await get('?city=Berlin')).toEqual({
      status: 200,
      body: {
        ok: true,
        city: 'Berlin',
        temp_c: 14,
        units: 'celsius',
        conditions: 'slight rain',
        latitude: 52.52437,
        longitude: 13.41053,
      },
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
    ['a city of 10 kB', `?city=${'x'.repeat(10_000)}`, 400, 'city_invalid'],
    ['a city with NUL in it', '?city=Ber%00lin', 400, 'city_invalid'],
    ['a city of direction marks', '?city=%E2%80%AE%E2%80%AE', 400, 'city_invalid'],
    ['a city that is not UTF-8', '?city=%FF%FE', 404, 'city_unknown'],
    ['an unknown city', '?city=Nowhereville', 404, 'city_unknown'],
  ])('with %s', async (_, query, status, code) => {
    expect(await get(query)).toMatchObject({ status, body: { code } })
  })

  test.each([
    ['error', 502, 'weather_unavailable'],
    ['half', 502, 'weather_unavailable'],
    ['garbage', 502, 'weather_bad_response'],
    ['huge', 502, 'weather_bad_response'],
    ['redirect', 502, 'weather_bad_response'],
  ] as const)('with a provider in mode %s is %d %s', async (mode, status, code) => {
    provider.setMode(mode)
    expect(await get('?city=Berlin')).toMatchObject({ status, body: { code } })
  })

  test('with a slow provider is 504 weather_timeout', async () => {
    provider.setMode('slow')
    expect(await get('?city=Berlin', {}, 50)).toMatchObject({ status: 504, body: { code: 'weather_timeout' } })
  })

  test('is in the OpenAPI document, its city required', async () => {
    const { app } = await setUp()
    const document = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'test', version: '1' } })
    const operation = document.paths?.['/weather/now']?.get
    expect(operation?.parameters).toMatchObject([{ name: 'city', in: 'query', required: true }])
    expect(Object.keys(operation?.responses ?? {})).toEqual(['200', '400', '404', '502', '504'])
  })
})

describe('the variables', () => {
  const { env } = weather()

  test('have defaults', () => {
    expect(env?.parse({})).toEqual({ WEATHER_DEFAULT_UNITS: 'celsius' })
  })

  test.each([
    { WEATHER_DEFAULT_UNITS: 'kelvin' },
    { WEATHER_BASE_URL: 'weather.example' },
    { WEATHER_BASE_URL: 'file:///etc/passwd' },
  ])('refuse %o', variables => {
    expect(env?.safeParse(variables).success).toBe(false)
  })
})

test('every example names a tool of the plugin, and its values fit the input', async () => {
  const { plugin, tool } = await setUp()
  const values: Record<string, unknown> = { '{city}': 'Berlin', '{days}': 3 }
  for (const example of plugin.manifest.examples ?? []) {
    const args = Object.entries(example.args).map(([name, value]) => [name, values[String(value)] ?? value])
    expect(tool(example.tool).input.safeParse(Object.fromEntries(args)).success).toBe(true)
  }
})
