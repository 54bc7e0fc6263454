import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { silentLogger } from '@sibyl/plugin'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { expect, onTestFinished, test, vi } from 'vitest'
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

/** A server that answers each request alike. */
const serve = async (status: number, body: string) => {
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () =>
        response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body),
      )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

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
      inputSchema: jsonSchema<object>({ type: 'object' }),
      execute: input => {
        inputs.push(input)
        return '3 days'
      },
    })
    const { text, usage, finishReason } = streamText({
      model: await models.main(),
      tools: { dry_days: dryDays },
      prompt: 'Is it dry?',
      stopWhen: isStepCount(3),
    })
    expect(await text).toBe('It is dry.')
    expect(inputs).toEqual([{ zone: 'Kitui' }])
    expect(await finishReason).toBe('stop')
    expect((await usage).outputTokens).toBeGreaterThan(0)
    expect(await models.main()).toMatchObject({ specificationVersion: 'v4', modelId: 'm' })
  },
)

test.each([
  [
    'an unauthorized call',
    401,
    '{"type":"error","error":{"type":"authentication_error","message":"no"}}',
    'ANTHROPIC_API_KEY',
  ],
  ['an unknown model', 404, '{"type":"error","error":{"type":"not_found_error","message":"no"}}', 'LLM_MODEL'],
  ['a page', 200, '<html>Sign in</html>', 'ANTHROPIC_BASE_URL'],
])('the log names the variable of the provider after %s', async (_, status, body, check) => {
  setVariable('ANTHROPIC_BASE_URL', await serve(status, body))
  setVariable('ANTHROPIC_API_KEY', 'k')
  const { models, checks } = open('@ai-sdk/anthropic', 'claude-x')
  await expect(generateText({ model: await models.main(), prompt: 'Hi', maxRetries: 0 })).rejects.toThrow()
  expect(checks()).toEqual([expect.objectContaining({ check })])
})

test('a key that is not set is named before any request', async () => {
  setVariable('ANTHROPIC_API_KEY', undefined)
  const { models, checks } = open('@ai-sdk/anthropic', 'claude-x')
  await expect(generateText({ model: await models.main(), prompt: 'Hi', maxRetries: 0 })).rejects.toMatchObject({
    code: 'model_unauthorized',
  })
  expect(checks()).toEqual([expect.objectContaining({ code: 'model_unauthorized', check: 'ANTHROPIC_API_KEY' })])
})

test('a package without a model of a known version is refused in one sentence', async () => {
  const home = mkdtempSync(join(tmpdir(), 'provider-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const file = join(home, 'index.mjs')
  writeFileSync(file, 'export const odd = { languageModel: () => ({ specificationVersion: "v1" }) }')
  await expect(loadProviderModel('odd-provider', file, 'm')).rejects.toThrow('has no provider for version 5, 6 or 7')
})
