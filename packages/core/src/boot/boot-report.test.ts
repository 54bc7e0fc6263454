import { startFakeOpenAi } from '@sibyl/models/testing'
import type { Host, PluginParts } from '@sibyl/plugin'
import { recordedLogger, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeDatabase } from '../database/describe-database.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'

const plugin = (name: string, load: 'always' | 'on-demand', parts: PluginParts, start = async () => {}) =>
  samplePlugin(name, {
    manifest: { ...samplePlugin(name).manifest, load },
    setup: (host: Host) => {
      host.background('connection', start)
      return parts
    },
  })

test('plugins report what boot does not wait for, with its current state', async () => {
  const log = recordedLogger()
  await using oracle = await testApp({
    logger: log,
    plugins: [
      plugin('near', 'always', {}),
      plugin('far', 'on-demand', { state: () => 'ready' }),
      plugin('away', 'on-demand', { state: () => 'degraded', reason: () => 'Nothing listens there.' }),
      plugin('slow', 'always', { state: () => 'pending' }),
      plugin('broken', 'always', {}, () => Promise.reject(new Error('no'))),
    ],
  })
  await oracle.app.ready
  const reported = log.lines.flatMap(({ fields }) => {
    const { boot, plugin, state, detail } = fields as Record<string, string | undefined>
    return boot === 'pending' || boot === 'settled' ? [[boot, plugin, state, detail]] : []
  })
  expect(reported.filter(([boot]) => boot === 'pending')).toEqual(
    ['near', 'far', 'away', 'slow', 'broken'].map(name => ['pending', name, undefined, 'connection']),
  )
  expect(reported.filter(([boot]) => boot === 'settled')).toEqual([
    ['settled', 'near', 'loaded', undefined],
    ['settled', 'far', 'available', undefined],
    ['settled', 'away', 'degraded', 'Nothing listens there.'],
    ['settled', 'slow', 'pending', undefined],
    ['settled', 'broken', 'failed', undefined],
  ])
})

test('the boot names the database, without its password, and variables with a typing error', async () => {
  const log = recordedLogger()
  await using _ = await testApp({
    logger: log,
    plugins: [],
    env: { DATABSE_URL: 'file:./other.db', LOG_LEVEL: 'info' },
  })
  const texts = log.lines.map(({ message }) => message)
  expect(texts).toContain('[boot] database SQLite in memory: nothing is kept after the shutdown')
  expect(texts.filter(text => text.includes('is not read'))).toEqual([
    '[boot] warning DATABSE_URL is not read; did you mean DATABASE_URL?',
  ])
})

test('an oracle that listens warns of a model that its provider does not list', async () => {
  const onModels = vi.fn()
  const openai = await startFakeOpenAi({ replies: [], models: ['gpt-5-mini', 'gpt-5.2', 'o9'], onModels })
  onTestFinished(() => openai.close())
  const texts = async (model: string, check = 'on') => {
    const log = recordedLogger()
    await using oracle = await testApp({
      logger: log,
      plugins: [],
      env: { OPENAI_BASE_URL: openai.url, LLM_MODEL: model, LLM_MODEL_CHECK: check },
    })
    await oracle.app.listen({ port: 0 })
    await vi.waitUntil(() => log.lines.some(({ message }) => message.startsWith('[boot] ready')))
    const warns = () => log.lines.map(({ message }) => message).filter(it => it.includes('does not list'))
    if (model === 'gpt5-mini' && check === 'on') await vi.waitUntil(() => warns().length > 0)
    return warns()
  }
  const host = new URL(openai.url).host
  expect(await texts('gpt5-mini')).toEqual([
    `[boot] model ${host} does not list the model gpt5-mini; set LLM_MODEL, or model in oracle.config.json, to gpt-5-mini`,
  ])
  expect(await texts('o9')).toEqual([])
  onModels.mockClear()
  expect(await texts('gpt5-mini', 'off')).toEqual([])
  expect(onModels).not.toHaveBeenCalled()
})

test.each([
  ['file:./.data/sibyl.db', 'SQLite ./.data/sibyl.db'],
  ['postgres://sibyl:secret@db.example:6432/field', 'PostgreSQL db.example:6432 field'],
  ['postgresql:///field?host=/run/postgresql', 'PostgreSQL /run/postgresql field'],
  ['postgresql://sibyl@/field', 'PostgreSQL'],
])('%s is %s', (url, text) => {
  expect(describeDatabase(url)).toBe(text)
})
