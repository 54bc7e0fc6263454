import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { silentLogger } from '@sibyl/plugin/host'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { loadProviderModel } from './provider-package.ts'
import { resolveLanguageModels } from './resolve-language-models.ts'
import { startFakeOpenAi } from './testing/fake-openai-server.ts'
import { scriptedModel } from './testing/scripted-model.ts'

// Real packages of the AI SDK, in this package's node_modules.
const folder = fileURLToPath(new URL('..', import.meta.url))

const open = (provider: string, model = 'm') => {
  const lines: { readonly message: string; readonly fields: unknown }[] = []
  const warn = (message: string, fields?: unknown) => void lines.push({ message, fields })
  const env = { LLM_PROVIDER: provider, LLM_MODEL: model, LLM_MAX_RETRIES: 0 }
  const models = resolveLanguageModels(env, () => scriptedModel([]), { folder, log: { ...silentLogger, warn } })
  return { models, checks: () => lines.map(({ fields }) => fields) }
}

/** Sets a variable that a package reads, until the test ends. */
const setVariable = (name: string, value: string | undefined) => {
  vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}

const answers: Readonly<Record<string, { readonly status: number; readonly body: string }>> = {
  'model-401': { status: 401, body: '{"type":"error","error":{"type":"authentication_error","message":"no"}}' },
  'model-404': { status: 404, body: '{"type":"error","error":{"type":"not_found_error","message":"no"}}' },
  'model-page': { status: 200, body: '<html>Sign in</html>' },
}

// The package reads its address once, when it is loaded: the model that is asked for chooses the answer.
const server = createServer(async (request, response) => {
  const { status, body } =
    answers[(JSON.parse(await text(request)) as { model: string }).model] ?? answers['model-404']!
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
})
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test.each(['ai-sdk-openai-2', 'ai-sdk-openai-3'])(
  'a provider of an earlier version of the AI SDK calls tools and streams (%s)',
  async provider => {
    const replies = [{ toolCalls: [{ name: 'dry_days', arguments: { zone: 'Kitui' } }] }, { text: 'It is dry.' }]
    const openai = await startFakeOpenAi({ replies, apiKey: 'k' })
    onTestFinished(() => openai.close())
    setVariable('OPENAI_BASE_URL', openai.url)
    setVariable('OPENAI_API_KEY', 'k')
    const { models } = open(provider)
    const inputs: unknown[] = []
    const dryDays = tool({
      description: 'Counts dry days',
      inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
      execute: input => {
        inputs.push(input)
        return '3 days'
      },
    })
    const result = streamText({
      model: await models.main(),
      tools: { dry_days: dryDays },
      prompt: 'Is it dry?',
      stopWhen: isStepCount(3),
    })
    expect(await result.text).toBe('It is dry.')
    expect(inputs).toEqual([{ zone: 'Kitui' }])
    expect(await result.finishReason).toBe('stop')
    expect((await result.usage).outputTokens).toBeGreaterThan(0)
    expect(await models.main()).toMatchObject({ specificationVersion: 'v4', modelId: 'm' })
  },
)

test.each([
  ['model-401', 'model_unauthorized', 'ANTHROPIC_API_KEY'],
  ['model-404', 'model_not_found', 'LLM_MODEL'],
  ['model-page', 'model_bad_response', 'ANTHROPIC_BASE_URL'],
])('the log names the variable of the provider (%s)', async (model, code, check) => {
  setVariable('ANTHROPIC_BASE_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  setVariable('ANTHROPIC_API_KEY', 'k')
  const { models, checks } = open('@ai-sdk/anthropic', model)
  await expect(generateText({ model: await models.main(), prompt: 'Hi', maxRetries: 0 })).rejects.toThrow()
  expect(checks()).toEqual([expect.objectContaining({ code, check })])
})

test('a key that is not set is named before any request', async () => {
  setVariable('ANTHROPIC_API_KEY', undefined)
  const { models, checks } = open('@ai-sdk/anthropic', 'claude-x')
  await expect(generateText({ model: await models.main(), prompt: 'Hi', maxRetries: 0 })).rejects.toMatchObject({
    code: 'model_unauthorized',
  })
  expect(checks()).toEqual([expect.objectContaining({ code: 'model_unauthorized', check: 'ANTHROPIC_API_KEY' })])
})

test('rejects a package without a model of a known version in one sentence', async () => {
  const home = mkdtempSync(join(tmpdir(), 'provider-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const file = join(home, 'index.mjs')
  writeFileSync(file, 'export const odd = { languageModel: () => ({ specificationVersion: "v1" }) }')
  await expect(loadProviderModel('odd-provider', file, 'm')).rejects.toThrow('does not support version 5, 6 or 7')
})
