import { isStepCount, streamText, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defaultModel, type LanguageModelEnv, resolveLanguageModels } from './resolve-language-models.ts'
import { type FakeOpenAi, startFakeOpenAi } from './testing/fake-openai-server.ts'
import { scriptedModel } from './testing/scripted-model.ts'

const offlineModel = scriptedModel([], { provider: 'sibyl', modelId: 'offline' })
const resolve = (env: LanguageModelEnv) => resolveLanguageModels(env, () => offlineModel)

let server: FakeOpenAi | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

describe('which language model an oracle gets', () => {
  it('is the offline one without any variable, outside production', async () => {
    for (const NODE_ENV of [undefined, 'development', 'test']) {
      const models = resolve({ NODE_ENV })
      expect(models).toMatchObject({ state: 'ready', name: 'offline', problems: [] })
      expect(models.describe()).toBe(
        'offline: answers from the examples of the plugins; set OPENAI_API_KEY for a real model',
      )
      expect(await models.main()).toBe(offlineModel)
      expect(await models.utility()).toBe(offlineModel)
    }
  })

  it('is none in production without any variable, and the error names the remedy', async () => {
    const models = resolve({ NODE_ENV: 'production' })
    expect(models).toMatchObject({ state: 'not-configured', problems: [] })
    expect(models.describe()).toMatch(/^not configured: set OPENAI_API_KEY/)
    await expect(models.main()).rejects.toMatchObject({ code: 'model_not_configured', status: 503 })
    await expect(models.utility()).rejects.toMatchObject({ code: 'model_not_configured' })
  })

  it('is the offline one in production when it is chosen', () => {
    expect(resolve({ NODE_ENV: 'production', LLM_PROVIDER: 'offline', OPENAI_API_KEY: 'key' }).name).toBe('offline')
  })

  it('is OpenAI with a key, and a server of one kind with an address', async () => {
    expect(resolve({ OPENAI_API_KEY: 'sk-secret' }).describe()).toBe(`openai ${defaultModel}`)
    expect(resolve({ OPENAI_API_KEY: 'sk-secret', LLM_MODEL: 'offline' }).describe()).toBe(`openai ${defaultModel}`)
    expect(resolve({ LLM_MODEL: 'offline' }).name).toBe('offline')
    expect(resolve({ LLM_MODEL: 'offline', NODE_ENV: 'production' }).state).toBe('not-configured')
    expect(await resolve({ OPENAI_API_KEY: 'sk-secret' }).main()).toMatchObject({
      provider: 'openai.responses',
      modelId: defaultModel,
    })
    const env = {
      OPENAI_API_KEY: 'sk-secret',
      OPENAI_BASE_URL: 'http://user:pass@localhost:11434/v1',
      LLM_MODEL: 'qwen3',
    }
    expect(resolve(env).describe()).toBe('openai-compatible qwen3 at localhost:11434')
    expect(await resolve(env).main()).toMatchObject({ provider: 'openai-compatible.chat', modelId: 'qwen3' })
    expect(resolve({ OPENAI_BASE_URL: 'http://localhost:11434/v1' }).describe()).toMatch(/^openai-compatible /)
    expect(resolve({ ...env, LLM_PROVIDER: 'openai' }).describe()).toBe('openai qwen3 at localhost:11434')
  })

  it('names the variable that is missing for the chosen provider', async () => {
    const compatible = resolve({ LLM_PROVIDER: 'openai-compatible', OPENAI_API_KEY: 'sk-secret' })
    expect(compatible.problems.map(problem => problem.variable)).toEqual(['OPENAI_BASE_URL'])
    expect(compatible.state).toBe('not-configured')
    expect(resolve({ LLM_PROVIDER: 'openai' }).problems.map(problem => problem.variable)).toEqual(['OPENAI_API_KEY'])
    await expect(compatible.main()).rejects.toThrow('OPENAI_BASE_URL')
  })

  it('uses one model for both roles unless a utility model is named, and makes each once', async () => {
    const one = resolve({ OPENAI_API_KEY: 'key', LLM_MODEL: 'big' })
    expect(await one.utility()).toBe(await one.main())
    const two = resolve({ OPENAI_API_KEY: 'key', LLM_MODEL: 'big', LLM_UTILITY_MODEL: 'small' })
    expect((await two.utility()).modelId).toBe('small')
    expect(await two.main()).toBe(await two.main())
    expect(two.describe()).toBe('openai big, small for small tasks')
  })
})

describe.each([
  ['openai', 'responses'],
  ['openai-compatible', 'chat-completions'],
] as const)('a turn with LLM_PROVIDER=%s', (LLM_PROVIDER, api) => {
  it(`speaks ${api}, streams the tool call and the answer, and counts tokens`, async () => {
    server = await startFakeOpenAi({
      apiKey: 'key',
      replies: [
        { toolCalls: [{ name: 'weather', arguments: { city: 'Berlin' } }] },
        { text: 'It is 14 °C.', usage: { inputTokens: 80, outputTokens: 5, cachedInputTokens: 64 } },
      ],
    })
    const models = resolve({
      LLM_PROVIDER,
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: server.url,
      LLM_MODEL: 'some-model',
    })
    const result = streamText({
      model: await models.main(),
      prompt: 'weather?',
      stopWhen: isStepCount(3),
      tools: { weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async () => '14 °C' }) },
    })
    const types = new Set<string>()
    for await (const part of result.stream) types.add(part.type)

    expect(types).toContain('tool-input-delta')
    expect(types).toContain('tool-result')
    expect(await result.text).toBe('It is 14 °C.')
    const steps = await result.steps
    expect(steps[1]?.usage).toMatchObject({
      inputTokens: 80,
      outputTokens: 5,
      inputTokenDetails: { cacheReadTokens: 64 },
    })
    expect(server.requests.map(request => [request.api, request.body.model, request.stream])).toEqual([
      [api, 'some-model', true],
      [api, 'some-model', true],
    ])
  })
})
