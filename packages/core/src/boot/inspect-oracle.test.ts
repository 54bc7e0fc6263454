import { createMnemonic } from '@sibyl/identity'
import { defineTool, route } from '@sibyl/plugin'
import { asBundled } from '@sibyl/plugin/host'
import { readStream, startFakeOpenAi, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { oracleInspection } from '../records/oracle-inspection.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { inspectOracle } from './inspect-oracle.ts'
import type { OracleAppOptions } from './oracle-app.ts'

const tool = (description: string) =>
  defineTool({
    description,
    input: z.object({ city: z.string().max(80).describe('Where'), days: z.number().int().default(3) }),
    effect: 'read',
    execute: async () => ({}),
  })

const plugins = () => [
  officePlugin({ tools: { tide: tool('Tells the tide.') }, instructions: 'Tides are in metres.' }, 'tides'),
  officePlugin({ tools: () => ({ moon: tool('Tells the moon.') }), instructions: async () => 'It is night.' }, 'moon'),
  officePlugin({ tools: { wind: tool('Tells the wind.'), gust: tool('Tells the gusts.') } }, 'winds', 'on-demand'),
  officePlugin({
    modelMiddleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({
        ...params,
        prompt: params.prompt.map(message =>
          message.role === 'system' ? { ...message, content: `${message.content}\nAnswer in Welsh.` } : message,
        ),
      }),
    },
  }),
]

const config = { name: 'Harbour', description: 'It knows the harbour.', prompt: 'Be brief.' }

test('describes a turn as the model receives it in its first step, byte for byte', async () => {
  await using model = await openModel()
  const env = { OPENAI_BASE_URL: model.url }
  const { turn } = await inspectOracle({ plugins: plugins(), config, env })
  await using oracle = await testApp({ plugins: plugins(), config, env })
  await readStream(await oracle.actor.request('/chat', { json: { message: 'Hello' } }))

  const sent = model.requests[0]?.body as {
    messages: { role: string; content: unknown }[]
    tools: { function: { name: string; description: string; parameters: unknown } }[]
  }
  const [system, user] = sent.messages
  expect(turn?.prompt).toBe(system?.content)
  expect(turn?.prompt).toContain('Tides are in metres.\nAnswer in Welsh.')
  expect(JSON.stringify(user?.content)).toContain(JSON.stringify(turn?.note).slice(1, -1))
  expect(turn?.note).toContain('It is night.')
  expect(turn?.tools.map(({ name, description, inputSchema }) => [name, description, inputSchema])).toEqual(
    sent.tools.map(({ function: { name, description, parameters } }) => [name, description, parameters]),
  )
  expect(turn?.tools.map(({ name, owner }) => [name, owner])).toEqual([
    ['list_capabilities', 'core'],
    ['load_capability', 'core'],
    ['tide', 'tides'],
    ['moon', 'moon'],
  ])
})

const openModel = async () => {
  const server = await startFakeOpenAi({ replies: () => ({ text: 'Shwmae.' }) })
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() })
}

test('counts tokens as loading a capability counts them', async () => {
  const { turn } = await inspectOracle({ plugins: plugins(), env: {} })
  expect(turn?.promptTokens).toBe(Math.ceil((turn?.prompt.length ?? 0) / 4))
  expect(turn?.toolTokens).toBe(turn?.tools.reduce((sum, { tokens }) => sum + tokens, 0))
  await using oracle = await testApp({ plugins: plugins() })
  const winds = oracle.app.capabilities().find(({ name }) => name === 'winds')
  expect(turn?.loadable).toEqual([{ plugin: 'winds', tools: 2, tokens: winds?.tokens }])
})

test('lists every plugin with its state and the reason', async () => {
  const answered = route.get(
    '/tides/now',
    { auth: 'public', summary: 'A route', ok: { 200: { description: 'The tide.' } } },
    () => new Response(),
  )
  const optional = samplePlugin('sms', { env: z.object({ SMS_URL: z.url().optional() }), optIn: ['SMS_URL'] })
  const { plugins, problems } = await inspectOracle({
    plugins: [
      officePlugin({ tools: { tide: tool('Tells the tide.') }, routes: [answered] }, 'tides'),
      asBundled(officePlugin({ capabilities: () => [] }, 'servers', 'on-demand')),
      samplePlugin('slow', {
        setup: host => {
          host.background('slow line', () => Promise.reject(new Error('it was begun')))
          return {}
        },
      }),
      optional,
      samplePlugin('off'),
    ],
    features: { off: false },
    env: {},
  })
  expect(problems).toEqual([])
  expect(plugins.map(({ name, state, reason, variable }) => [name, state, reason, variable])).toEqual([
    ['tides', 'loaded', undefined, undefined],
    ['servers', 'available', undefined, undefined],
    ['slow', 'pending', 'slow line starts', undefined],
    ['sms', 'excluded', 'SMS_URL is not set', 'SMS_URL'],
    ['off', 'excluded', 'disabled by features', undefined],
  ])
  expect(plugins[0]).toMatchObject({
    bundled: false,
    load: 'always',
    tools: ['tide'],
    toolsVary: false,
    routes: [{ method: 'GET', path: '/tides/now', public: true }],
  })
  expect(plugins[1]).toMatchObject({ bundled: true, load: 'on-demand', toolsVary: true })
})

test('lists everything that prevents boot, and the rest of the facts', async () => {
  const wrong = await inspectOracle({
    plugins: [officePlugin({}, 'tides')],
    env: { PORT: 'x', HISTORY_MAX_TOKENS: '1' },
  })
  expect(wrong.problems.map(({ variable }) => variable)).toEqual(['PORT', 'HISTORY_MAX_TOKENS'])
  expect(wrong.plugins).toMatchObject([{ name: 'tides', state: 'loaded' }])
  expect(wrong.turn).toBeUndefined()

  const failing = samplePlugin('pump', { setup: () => Promise.reject(new Error('secret place')) })
  const dependent = samplePlugin('meter', { requires: ['pump'] })
  const { problems, plugins, turn } = await inspectOracle({ plugins: [failing, dependent, officePlugin({})], env: {} })
  expect(problems).toMatchObject([{ code: 'plugin_setup_failed', plugin: 'pump' }])
  expect(plugins.map(({ name, state, reason }) => [name, state, reason])).toEqual([
    ['pump', 'failed', "Plugin 'pump' could not be set up"],
    ['meter', 'failed', 'it requires a plugin that failed'],
    ['desk', 'loaded', undefined],
  ])
  expect(turn).toBeUndefined()
})

test('shows the source of each variable, and mistyped names', async () => {
  const env = { PORT: '4000', ORACLE_NAME: ' ', OPENAI_API_KYE: 'x', HOSTNAME: 'x', PATH: 'x', LLM_MODEL: 'm' }
  const { variables, unknownVariables, oracle } = await inspectOracle({
    plugins: [samplePlugin('sms', { env: z.object({ SMS_URL: z.url().optional() }), optIn: ['SMS_URL'] })],
    config: { name: 'Harbour', model: 'other', price: 'free' },
    env,
  })
  const from = Object.fromEntries(variables.map(variable => [variable.name, variable.from]))
  expect(from).toMatchObject({
    PORT: 'environment',
    LLM_MODEL: 'environment',
    ORACLE_NAME: 'config',
    NETWORK: 'default',
    ORACLE_MNEMONIC: 'nowhere',
    SMS_URL: 'nowhere',
  })
  expect(unknownVariables).toEqual([{ name: 'OPENAI_API_KYE', meant: 'OPENAI_API_KEY' }])
  expect(oracle).toMatchObject({
    name: 'Harbour',
    price: 'free',
    port: 4000,
    modelReady: true,
    environment: 'development',
  })
})

test.each([
  [undefined, 'sqlite'],
  ['memory:', 'memory'],
  ['postgres://harbour:canary-password@db.example/x', 'postgres'],
])('does not touch the database %s', async (url, database) => {
  const env = url === undefined ? {} : { DATABASE_URL: url }
  const inspection = await inspectOracle({ plugins: [], env })
  expect(inspection.oracle.database).toBe(database)
  expect(JSON.stringify(inspection)).not.toContain('canary')
})

test('an invalid mnemonic is a problem that quotes none of it', async () => {
  const inspection = await inspectOracle({ plugins: [], env: { ORACLE_MNEMONIC: 'canary canary' } })
  expect(inspection.oracle.did).toBeUndefined()
  expect(inspection.problems).toMatchObject([{ code: 'env_invalid', variable: 'ORACLE_MNEMONIC' }])
  expect(JSON.stringify(inspection)).not.toContain('canary')
})

test('contains no secret, wherever it is set, and fits the protocol', async () => {
  const secrets = {
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    OPENAI_API_KEY: 'sk-canary-1234567890',
    ORACLE_OPERATOR_TOKEN: 'operator-canary-1234567890',
    ORACLE_API_KEYS: 'shop:api-key-canary-1234567890:*',
    LEAKY_TOKEN: 'always',
    LEAKY_PIN: 'plugin-canary-1234567890',
  }
  const words = `${secrets.ORACLE_MNEMONIC} ${secrets.OPENAI_API_KEY} ${secrets.LEAKY_PIN} api-key-canary-1234567890`
  const leaky = officePlugin(
    {
      tools: { tell: { ...tool(words), input: z.object({ [secrets.LEAKY_PIN]: z.string().describe(words) }) } },
      instructions: async () => words,
    },
    'leaky',
  )
  const options: OracleAppOptions = {
    plugins: [
      { ...leaky, env: z.object({ LEAKY_TOKEN: z.string(), LEAKY_PIN: z.string().meta({ description: words }) }) },
    ],
    config: { prompt: words, description: words },
    env: secrets,
  }
  const inspection = await inspectOracle(options)
  expect(inspection.problems).toEqual([])
  expect(inspection.turn?.tools).toHaveLength(3)
  expect(oracleInspection.parse(inspection)).toEqual(inspection)
  const report = JSON.stringify(inspection)
  expect(report).not.toContain('canary')
  expect(report).not.toContain(secrets.ORACLE_MNEMONIC)
  expect(inspection.plugins).toMatchObject([{ load: 'always' }])

  const failing = samplePlugin(secrets.LEAKY_PIN, { setup: () => Promise.reject(new Error(words)) })
  expect(JSON.stringify(await inspectOracle({ ...options, plugins: [failing] }))).not.toContain('api-key-canary')
})
