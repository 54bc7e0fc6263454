import { createMnemonic } from '@sibyl/identity'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { loadEnv } from './load-env.ts'

const headlines = (env: Record<string, string>) => loadEnv({ env }).problems.map(({ headline }) => headline)

describe('the variables of core', () => {
  test('have defaults for an empty environment', () => {
    const { core, problems } = loadEnv({ env: {} })
    expect(problems).toEqual([])
    expect(core).toMatchObject({
      NODE_ENV: 'development',
      PORT: 3000,
      HOST: '127.0.0.1',
      NETWORK: 'devnet',
      DATABASE_URL: 'file:./.data/sibyl.db',
      ORACLE_NAME: 'Oracle',
      ORACLE_ACCESS: 'open',
      ORACLE_CONTROLLERS: [],
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'pretty',
      TURN_TIME_LIMIT_SECONDS: 120,
      TURN_MAX_STEPS: 20,
      TURN_MAX_TOKENS: 100_000,
      TOOL_TIME_LIMIT_SECONDS: 30,
      CLIENT_TOOL_TIME_LIMIT_SECONDS: 600,
      HISTORY_MAX_TOKENS: 24_000,
      TRUST_PROXY_ENABLED: false,
      TRUST_PROXY_HOPS: 1,
    })
    expect(core.ORACLE_MNEMONIC).toBeUndefined()
  })

  test('are stricter in production, unless set', () => {
    const production = { NODE_ENV: 'production' }
    expect(loadEnv({ env: production }).core).toMatchObject({
      HOST: '0.0.0.0',
      ORACLE_ACCESS: 'delegated',
      LOG_FORMAT: 'json',
    })
    const chosen = { HOST: '10.0.0.1', ORACLE_ACCESS: 'open', LOG_FORMAT: 'pretty' }
    expect(loadEnv({ env: { ...production, ...chosen } }).core).toMatchObject(chosen)
  })

  test('are reported once if a plugin declares them too', () => {
    const plugin = samplePlugin('store', {
      env: z.object({ AWS_REGION: z.string().max(10), STORE: z.string().max(3) }),
    })
    const { problems } = loadEnv({ env: { AWS_REGION: '?'.repeat(20), STORE: 'long' }, plugins: [plugin] })
    expect(problems.map(({ headline }) => headline)).toEqual([
      "Core env validation failed for 'AWS_REGION'",
      "Plugin 'store' env validation failed for 'STORE'",
    ])
  })

  test('are parsed to their types', () => {
    const { core, problems } = loadEnv({
      env: {
        PORT: '0',
        TRUST_PROXY_ENABLED: 'true',
        ORACLE_CONTROLLERS: ' did:key:z6MkA, did:web:example.org ',
        DATABASE_URL: 'postgres://u:p@localhost/sibyl',
      },
    })
    expect(problems).toEqual([])
    expect(core.PORT).toBe(0)
    expect(core.TRUST_PROXY_ENABLED).toBe(true)
    expect(core.ORACLE_CONTROLLERS).toEqual(['did:key:z6MkA', 'did:web:example.org'])
  })

  test.each(['', '   ', '\t\r'])('count as unset if blank: %j', blank => {
    const { core, problems } = loadEnv({ env: { PORT: blank, PUBLIC_URL: blank, ORACLE_MNEMONIC: blank } })
    expect(problems).toEqual([])
    expect(core.PORT).toBe(3000)
    expect(core.ORACLE_MNEMONIC).toBeUndefined()
  })

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '30.5'],
    ['PORT', 'abc'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'example.org'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'https://example.org/?x=1'],
    ['PUBLIC_URL', 'https://ada:hunter2@example.org'],
    ['NETWORK', 'moonnet'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['ORACLE_NAME', 'two\nlines'],
    ['ORACLE_ENTITY_DID', 'ixo:entity:1'],
    ['ORACLE_ACCESS', 'closed'],
    ['ORACLE_CONTROLLERS', 'did:key:z6MkA, somebody'],
    ['ORACLE_OPERATOR_TOKEN', 'fifteen-letters'],
    ['LLM_PROVIDER', 'oracle'],
    ['OPENAI_BASE_URL', 'localhost:11434'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['TURN_TIME_LIMIT_SECONDS', '0'],
    ['TURN_MAX_STEPS', 'Infinity'],
    ['HISTORY_MAX_TOKENS', 'NaN'],
    ['TRUST_PROXY_ENABLED', 'perhaps'],
    ['TRUST_PROXY_HOPS', '11'],
  ])('%s rejects %j', (variable, value) => {
    expect(headlines({ [variable]: value })).toEqual([`Core env validation failed for '${variable}'`])
  })

  test('name the variable, the value or its kind, and the remedy; a secret and a text of several words are not shown', () => {
    const env = {
      PORT: 'banana',
      PUBLIC_URL: 'delphi.test',
      LOG_LEVEL: 'shouting',
      ORACLE_OPERATOR_TOKEN: 'hunter2',
      TURN_MAX_STEPS: '999',
      TURN_MAX_TOKENS: '1000.5',
      ORACLE_NAME: 'evil\u001b[31m',
    }
    const lines = Object.fromEntries(loadEnv({ env }).problems.map(problem => [problem.variable, problem.lines]))
    expect(lines).toEqual({
      PORT: ['not a number (got banana). Use 3000', 'Fix it in .env.'],
      PUBLIC_URL: ['not a URL (got 11 characters, no scheme). Use https://oracle.example.org', 'Fix it in .env.'],
      LOG_LEVEL: ['expected trace, debug, info, warn, error or silent (got shouting).', 'Fix it in .env.'],
      ORACLE_OPERATOR_TOKEN: [
        'expected at least 16 characters (got 7 characters). Use the output of openssl rand -hex 32',
        'Fix it in .env.',
      ],
      TURN_MAX_STEPS: ['expected at most 200 (got 999).', 'Fix it in .env.'],
      TURN_MAX_TOKENS: ['not a whole number (got 1000.5).', 'Fix it in .env.'],
      ORACLE_NAME: ['must be one line (got 9 characters). Use Field Oracle', 'Fix it in .env.'],
    })
    const text = JSON.stringify(lines)
    for (const value of [env.PUBLIC_URL, env.ORACLE_OPERATOR_TOKEN, env.ORACLE_NAME]) expect(text).not.toContain(value)
  })

  test('that are invalid do not affect the others, and get their defaults', () => {
    const { core, problems } = loadEnv({ env: { PORT: 'x', LOG_FORMAT: 'json', ORACLE_NAME: 'Delphi' } })
    expect(problems).toHaveLength(1)
    expect(core).toMatchObject({ PORT: 3000, LOG_FORMAT: 'json', ORACLE_NAME: 'Delphi' })
  })

  test('non-string values are read as text, and inherited ones are ignored', () => {
    const invalid = { PORT: 4000, ORACLE_NAME: null, HOST: { a: 1 } } as unknown as Record<string, string>
    const { core, problems } = loadEnv({ env: Object.assign(Object.create({ LOG_LEVEL: 'trace' }), invalid) })
    expect(core.PORT).toBe(4000)
    expect(core.ORACLE_NAME).toBe('Oracle')
    expect(core.LOG_LEVEL).toBe('info')
    expect(problems.map(({ variable }) => variable)).toEqual(['HOST'])
  })
})

describe('oracle.config.json', () => {
  test('ranks below the environment and above the defaults', () => {
    const config = { name: 'From config', model: 'model-a', network: 'testnet', price: '1 credit' }
    const loaded = loadEnv({ env: { ORACLE_NAME: 'From env' }, config })
    expect(loaded.problems).toEqual([])
    expect(loaded.core).toMatchObject({ ORACLE_NAME: 'From env', LLM_MODEL: 'model-a', NETWORK: 'testnet' })
    expect(loaded.config.price).toBe('1 credit')
  })

  test.each(['features', 'plugins', 'manifestOverrides'])('names the right position of %s', key => {
    const { problems } = loadEnv({ env: {}, config: { [key]: { weather: false } } })
    expect(problems).toMatchObject([{ headline: `oracle.config.json has '${key}', which belongs in the code` }])
    expect(problems[0]?.lines[0]).toContain(`createOracleApp({ …, ${key}: `)
    expect(problems[0]?.lines[0]).toContain('src/main.ts')
  })

  test('names an unknown key and the closest known one', () => {
    const { problems } = loadEnv({ env: {}, config: { nmae: 'x', colour: 'red' } })
    expect(problems.map(({ headline, lines }) => [headline, lines[0]])).toEqual([
      ["oracle.config.json has an unknown key 'nmae'", 'Did you mean name?'],
      [
        "oracle.config.json has an unknown key 'colour'",
        'Valid keys: name, description, model, prompt, entityDid, network, price.',
      ],
    ])
  })

  test.each([null, 'text', 7, ['name'], () => ({})])('that is %o is one problem', config => {
    const { problems } = loadEnv({ env: {}, config })
    expect(problems.map(({ headline }) => headline)).toEqual(['oracle.config.json is not an object'])
  })

  test('a value of the wrong type, or one that its variable rejects, points to the file', () => {
    const { problems } = loadEnv({ env: {}, config: { name: 5, entityDid: 'nobody' } })
    expect(problems[0]).toMatchObject({
      headline: "oracle.config.json has an invalid 'name'",
      lines: ['not a text (got a number).', 'Fix it in oracle.config.json.'],
    })
    const second = loadEnv({ env: {}, config: { entityDid: 'nobody' } }).problems
    expect(second).toMatchObject([
      {
        headline: "Core env validation failed for 'ORACLE_ENTITY_DID'",
        lines: ['is not a DID (got nobody). Use did:ixo:entity:…', "Fix 'entityDid' in oracle.config.json."],
      },
    ])
  })
})

describe("plugins' variables", () => {
  const memory = samplePlugin('memory', {
    env: z.object({
      MEMORY_MCP_URL: z.url().meta({ example: 'https://… or embedded:' }),
      MEMORY_LIMIT: z.coerce.number().default(5),
    }),
  })

  test('are parsed per plugin, also when two declare the same one', () => {
    const asText = samplePlugin('as-text', { env: z.object({ SHARED: z.string() }) })
    const asNumber = samplePlugin('as-number', { env: z.object({ SHARED: z.coerce.number() }) })
    const { plugins, problems } = loadEnv({
      env: { SHARED: '7', MEMORY_MCP_URL: 'https://memory.example' },
      plugins: [asText, asNumber, memory, samplePlugin('bare')],
    })
    expect(problems).toEqual([])
    expect(Object.fromEntries(plugins)).toEqual({
      'as-text': { SHARED: '7' },
      'as-number': { SHARED: 7 },
      memory: { MEMORY_MCP_URL: 'https://memory.example', MEMORY_LIMIT: 5 },
      bare: {},
    })
  })

  test('fail with the exact headline and how to disable the plugin', () => {
    const { problems, plugins } = loadEnv({ env: { MEMORY_MCP_URL: 'example.org' }, plugins: [memory] })
    expect(problems).toEqual([
      {
        code: 'env_invalid',
        headline: "Plugin 'memory' env validation failed for 'MEMORY_MCP_URL'",
        lines: [
          'not a URL (got 11 characters, no scheme). Use https://… or embedded:',
          'Fix it in .env, or disable the plugin: features: { memory: false } in createOracleApp',
        ],
        plugin: 'memory',
        variable: 'MEMORY_MCP_URL',
      },
    ])
    expect(plugins.has('memory')).toBe(false)
  })

  test('a name with a hyphen is quoted in the remedy', () => {
    const plugin = samplePlugin('user-preferences', { env: z.object({ NEEDED: z.string() }) })
    const { problems } = loadEnv({ env: {}, plugins: [plugin] })
    expect(problems[0]?.lines).toEqual([
      'is not set.',
      "Fix it in .env, or disable the plugin: features: { 'user-preferences': false } in createOracleApp",
    ])
  })

  test('reports every failure of every plugin at once, each variable once, after those of core', () => {
    const strict = samplePlugin('strict', {
      env: z.object({ A: z.string().min(5).regex(/^x/), B: z.enum(['one', 'two']), C: z.string() }),
    })
    const { problems } = loadEnv({ env: { PORT: 'x', A: 'abc', B: 'six' }, plugins: [memory, strict] })
    expect(problems.map(({ plugin, variable }) => [plugin, variable])).toEqual([
      [undefined, 'PORT'],
      ['memory', 'MEMORY_MCP_URL'],
      ['strict', 'A'],
      ['strict', 'B'],
      ['strict', 'C'],
    ])
  })

  test.each([
    [z.string().refine(text => text === 'x', 'must be x, and not hunter2'), 'must be x, and not … (got 7 characters)'],
    [z.string().regex(/^\d+$/, 'must be digits'), 'must be digits (got 7 characters)'],
    [z.string().regex(/^\d+$/), 'not in the required format (got 7 characters)'],
    [z.union([z.literal('embedded:'), z.url()]), 'not a URL (got 7 characters, no scheme)'],
    [z.union([z.literal('on'), z.coerce.number()]), 'expected on, and not a number (got a text that is not a number)'],
    [z.email(), 'not an email (got 7 characters)'],
    [z.stringbool(), 'expected true or false (got 7 characters)'],
    [z.string().max(3), 'expected at most 3 characters (got 7 characters)'],
    [z.url({ protocol: /^https$/ }).or(z.literal('off')), /not a URL/],
    [z.string().transform(text => JSON.parse(text)), /its schema failed with SyntaxError/],
    [z.string().refine(async () => false), /its schema failed with/],
  ])('the error of schema %# does not contain the value', (field, expected) => {
    const plugin = samplePlugin('odd', { env: z.object({ ODD: field }) })
    const [problem] = loadEnv({ env: { ODD: 'hunter2' }, plugins: [plugin] }).problems
    expect(problem?.headline).toBe("Plugin 'odd' env validation failed for 'ODD'")
    const [line = ''] = problem?.lines ?? []
    if (typeof expected === 'string') expect(line).toBe(`${expected}.`)
    else expect(line).toMatch(expected)
    expect(line).not.toContain('hunter2')
  })

  test('a rule over several variables names all of them', () => {
    const env = z
      .object({ USER: z.string().optional(), PASSWORD: z.string().optional() })
      .refine(({ USER, PASSWORD }) => Boolean(USER) === Boolean(PASSWORD), 'both or none must be set')
    const { problems } = loadEnv({ env: { USER: 'x' }, plugins: [samplePlugin('pair', { env })] })
    expect(problems[0]?.headline).toBe("Plugin 'pair' env validation failed for 'USER, PASSWORD'")
    expect(problems[0]?.lines[0]).toBe('both or none must be set.')
  })

  test('never passes the mnemonic to a plugin', () => {
    const nosy = samplePlugin('nosy', { env: z.object({ ORACLE_MNEMONIC: z.string() }) })
    const { problems, plugins } = loadEnv({ env: { ORACLE_MNEMONIC: createMnemonic(12).reveal() }, plugins: [nosy] })
    expect(problems.map(({ headline }) => headline)).toEqual([
      "Plugin 'nosy' env validation failed for 'ORACLE_MNEMONIC'",
    ])
    expect(plugins.size).toBe(0)
  })
})

test('secrets are the values of secret variables and the passwords in URLs', () => {
  const plugin = samplePlugin('matrix', {
    env: z.object({ MATRIX_PASSWORD: z.string(), MATRIX_ROOM: z.string(), PLAIN: z.string().meta({ secret: true }) }),
  })
  const { secrets } = loadEnv({
    env: {
      ORACLE_MNEMONIC: 'one two three',
      OPENAI_API_KEY: 'sk-12345678',
      ORACLE_NAME: 'Delphi',
      DATABASE_URL: 'postgres://sibyl:p%40ssword@localhost/sibyl',
      MATRIX_PASSWORD: 'wrong horse',
      MATRIX_ROOM: 'lobby',
      PLAIN: 'not so plain',
    },
    plugins: [plugin],
  })
  expect([...secrets].sort()).toEqual(
    ['one two three', 'sk-12345678', 'p%40ssword', 'p@ssword', 'wrong horse', 'not so plain'].sort(),
  )
})

test('every key in a list of API keys is a secret, whichever variable holds the list', () => {
  const list = 'shop:key-of-the-shop-0123456789:chat/*,short:tiny-key'
  const { secrets } = loadEnv({ env: { ORACLE_API_KEYS: list, DESK_API_KEYS: 'desk:key-of-the-desk-0123456789' } })
  for (const secret of [list, 'key-of-the-shop-0123456789', 'tiny-key', 'key-of-the-desk-0123456789']) {
    expect(secrets).toContain(secret)
  }
})

test('a URL or a keyword: the error names both', () => {
  const plugin = samplePlugin('reader', {
    env: z.object({
      READER_URL: z
        .union([z.url(), z.literal('embedded:')])
        .optional()
        .meta({ example: 'embedded:' }),
    }),
  })
  const { problems } = loadEnv({ env: { READER_URL: 'example.org' }, plugins: [plugin] })
  expect(problems[0]?.lines[0]).toBe('not a URL (got 11 characters, no scheme). Use https://… or embedded:')
})

describe('the environment', () => {
  test.each([
    ['Production', 'production'],
    ['prod', 'production'],
    [' PRODUCTION ', 'production'],
    ['dev', 'development'],
    ['Development', 'development'],
    ['test', 'test'],
    [undefined, 'development'],
  ])('%j is read as %s, without a remark', (NODE_ENV, name) => {
    const { core, remarks } = loadEnv({ env: { NODE_ENV } })
    expect([core.NODE_ENV, core.ORACLE_ACCESS, remarks]).toEqual([
      name,
      name === 'production' ? 'delegated' : 'open',
      [],
    ])
  })

  test('an unknown one has the defaults of production, and a remark', () => {
    const { core, remarks } = loadEnv({ env: { NODE_ENV: 'staging' } })
    expect([core.NODE_ENV, core.ORACLE_ACCESS, core.HOST]).toEqual(['production', 'delegated', '0.0.0.0'])
    expect(remarks).toEqual([expect.stringContaining("NODE_ENV 'staging' is unknown and counts as production")])
  })

  test('reads values in quotes without them, with a remark that has no value', () => {
    const { core, problems, remarks } = loadEnv({ env: { PORT: '"4000"', ORACLE_NAME: "'Field'" } })
    expect([core.PORT, core.ORACLE_NAME, problems]).toEqual([4000, 'Field', []])
    expect(remarks).toEqual([expect.stringContaining('the quotes around PORT, ORACLE_NAME do not count')])
  })

  test.each([
    [{ HTTPS_PROXY: 'http://u:p@proxy.example:1' }, true],
    [{ https_proxy: 'http://proxy.example:1', NODE_USE_ENV_PROXY: '0' }, true],
    [{ HTTPS_PROXY: 'http://proxy.example:1', NODE_USE_ENV_PROXY: '1' }, false],
    [{ HTTPS_PROXY: '' }, false],
  ])('reports a proxy that requests do not use: %j', (env, isReported) => {
    const { remarks } = loadEnv({ env })
    expect(remarks).toEqual(isReported ? [expect.stringContaining('set NODE_USE_ENV_PROXY=1')] : [])
    expect(remarks.join()).not.toContain('proxy.example')
  })
})
