import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { silentLogger } from '@sibyl/plugin/host'
import { generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai'
import { afterAll, describe, expect, test } from 'vitest'
import { classifyModelFailure } from '../failures/classify-model-failure.ts'
import { type LanguageModelEnv, resolveLanguageModels } from '../resolve-language-models.ts'
import { scriptedModel } from '../testing/scripted-model.ts'

const script = fileURLToPath(new URL('../testing/quirky-server-process.test.support.ts', import.meta.url))
const server = spawn(process.execPath, ['--conditions=sibyl-source', script], { stdio: ['ignore', 'pipe', 'inherit'] })
const [line] = await once(server.stdout, 'data')
const url = String(line).trim()
afterAll(async () => {
  const gone = once(server, 'exit')
  server.kill('SIGKILL')
  await gone
})

const seen = async (): Promise<{ path: string; body: Record<string, unknown> }[]> => (await fetch(`${url}/seen`)).json()

interface Line {
  readonly message: string
  readonly fields: unknown
}

/** What a server of that kind leads to: two turns with a tool, one after the other. */
const open = (
  kind: string,
  { base = `${url}/${kind}/v1`, ...env }: LanguageModelEnv & { readonly base?: string } = {},
) => {
  const lines: Line[] = []
  const warn = (message: string, fields?: unknown) => void lines.push({ message, fields })
  const log = { ...silentLogger, warn }
  const models = resolveLanguageModels(
    { OPENAI_BASE_URL: base, LLM_MODEL: 'm', OPENAI_API_KEY: 'k', ...env },
    () => scriptedModel([]),
    { log },
  )
  const inputs: unknown[] = []
  const dryDays = tool({
    description: 'Counts dry days',
    inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
    execute: input => {
      inputs.push(input)
      return '3 days'
    },
  })
  const ask = async () => {
    let failure: unknown
    const { stream } = streamText({
      model: await models.main(),
      tools: { dry_days: dryDays },
      prompt: 'Is it dry?',
      stopWhen: isStepCount(3),
      maxRetries: 0,
      onError: ({ error }) => {
        failure = error
      },
    })
    let text = ''
    let reasoning = ''
    let tokens: number | undefined
    for await (const part of stream) {
      if (part.type === 'text-delta') text += part.text
      if (part.type === 'reasoning-delta') reasoning += part.text
      if (part.type === 'finish') tokens = part.totalUsage.totalTokens
    }
    return { text, reasoning, tokens, code: failure === undefined ? undefined : classifyModelFailure(failure).code }
  }
  return { ask, lines, inputs, models }
}

describe('pictures', () => {
  const check = async (models: ReturnType<typeof open>['models']) => {
    const content = [
      { type: 'text' as const, text: 'What is it?' },
      { type: 'file' as const, mediaType: 'image/png', data: new Uint8Array([0x89, 0x50, 0x4e, 0x47]) },
    ]
    const model = await models.main()
    const { textStream } = streamText({
      model,
      messages: [{ role: 'user', content }],
      maxRetries: 0,
      onError: () => {},
    })
    let text = ''
    for await (const delta of textStream) text += delta
    return text
  }
  const pictures = async () => (await seen()).map(({ body }) => JSON.stringify(body).includes('image_url'))

  test.each(['blind-llama', 'blind-vllm', 'blind-ollama', 'blind-openai', 'blind-openrouter', 'blind-deepseek'])(
    '%s gets requests without them from then on, logged once',
    async kind => {
      const { models, lines } = open(kind)
      await seen()
      expect([await check(models), await check(models)]).toEqual(['fine', 'fine'])
      expect(await pictures()).toEqual([true, false, false])
      expect(lines).toMatchObject([{ fields: { model: 'm', variable: 'LLM_INPUTS' } }])
    },
  )

  test('a server that cannot read one picture is given the next', async () => {
    const { models, lines } = open('broken-picture', { LLM_MAX_RETRIES: 0 })
    await seen()
    expect([await check(models), await check(models)]).toEqual(['', ''])
    expect(await pictures()).toEqual([true, true])
    expect(lines.filter(({ fields }) => JSON.stringify(fields).includes('LLM_INPUTS'))).toEqual([])
  })

  test('what models take follows from their provider, or from LLM_INPUTS', () => {
    const inputs = (env: LanguageModelEnv) => [...resolveLanguageModels(env, () => scriptedModel([])).inputs]
    expect(inputs({ LLM_PROVIDER: 'openai', OPENAI_API_KEY: 'k' })).toEqual(['image', 'pdf'])
    expect(inputs({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' })).toEqual(['image'])
    expect(inputs({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', LLM_INPUTS: ['pdf'] })).toEqual(['pdf'])
    expect(inputs({ LLM_PROVIDER: 'openai', OPENAI_API_KEY: 'k', LLM_INPUTS: [] })).toEqual([])
    expect(inputs({})).toEqual([])
  })
})

describe('a form of request that a server rejects', () => {
  const picture = { type: 'file' as const, mediaType: 'image/png', data: new Uint8Array([0x89, 0x50, 0x4e, 0x47]) }
  const content = [{ type: 'text' as const, text: 'What is it?' }, picture]

  const answer = async (models: ReturnType<typeof open>['models'], options: { readonly hasFormat: boolean }) => {
    const result = streamText({
      model: await models.main(),
      instructions: 'You are an oracle.',
      messages: [{ role: 'user', content: options.hasFormat ? 'What is it?' : content }],
      ...(options.hasFormat ? { output: Output.json() } : {}),
      maxRetries: 0,
      onError: () => {},
    })
    let text = ''
    for await (const delta of result.textStream) text += delta
    return text
  }

  test.each(['system', 'list', 'format'])('is learned once, remembered and logged: %s', async form => {
    const kinds = {
      system: ['system-gemma', 'system-google', 'system-template', 'system-vllm'],
      list: ['list-pydantic', 'list-rust', 'list-go', 'list-groq'],
      format: ['format-openai', 'format-groq', 'format-llama'],
    }[form]!
    for (const kind of kinds) {
      const { models, lines } = open(kind)
      await seen()
      const options = { hasFormat: form === 'format' }
      expect([kind, await answer(models, options), await answer(models, options)]).toEqual([kind, 'fine', 'fine'])
      const requests = await seen()
      expect([kind, requests.length, lines.length]).toEqual([kind, 3, 1])
      expect(lines[0]?.fields).toMatchObject({ model: 'm' })
      expect(JSON.stringify(requests.at(-1)?.body)).toContain('You are an oracle.')
    }
  })
})

test('a model without a role for results of tools chats without them', async () => {
  const { ask, lines } = open('two-roles', { LLM_MAX_RETRIES: 0 })
  await seen()
  expect([(await ask()).text, (await ask()).text]).toEqual(['fine', 'fine'])
  expect((await seen()).map(({ body }) => 'tools' in body)).toEqual([true, true, false, false])
  expect(lines.length).toBe(1)
})

describe.each(['no-tools', 'vllm-no-tools'])('a model of %s', kind => {
  test('chats without tools, logs it once, and gets requests without them from then on', async () => {
    await seen()
    const { ask, lines } = open(kind)
    expect(await ask()).toMatchObject({ text: 'fine', code: undefined })
    expect(await ask()).toMatchObject({ text: 'fine', code: undefined })
    expect((await seen()).map(({ body }) => 'tools' in body)).toEqual([true, false, false])
    expect(lines).toEqual([
      {
        message: 'the model does not support tools: it chats without them. Set LLM_MODEL to a model that does',
        fields: { model: 'm', variable: 'LLM_MODEL' },
      },
    ])
  })
})

test('a JSON reply to a streamed request is an answer, with its tokens', async () => {
  expect(await open('json-reply').ask()).toMatchObject({ text: 'fine', tokens: 9, code: undefined })
})

test.each(['object-arguments', 'json-tool'])('tool arguments that are an object reach the tool (%s)', async kind => {
  const { ask, inputs } = open(kind)
  expect(await ask()).toMatchObject({ text: 'fine', code: undefined })
  expect(inputs).toEqual([{ place: 'Lusaka', note: 'a "quoted" {brace}' }])
})

test('stream_options that are rejected are left out from then on', async () => {
  await seen()
  const { ask } = open('no-stream-options')
  expect(await ask()).toMatchObject({ text: 'fine', code: undefined })
  expect(await ask()).toMatchObject({ text: 'fine', code: undefined })
  expect((await seen()).map(({ body }) => 'stream_options' in body)).toEqual([true, false, false])
})

test('what stands in <think> at the beginning is reasoning, also in pieces and without a stream', async () => {
  const { ask, models } = open('think')
  expect(await ask()).toMatchObject({ text: 'fine <think> stays', reasoning: 'Rain? No.', code: undefined })
  const { text, reasoningText } = await generateText({ model: await models.main(), prompt: 'Is it dry?' })
  expect([text, reasoningText]).toEqual(['fine', 'Rain? No.'])
  expect(await open('think-alone').ask()).toMatchObject({ text: '', reasoning: 'Rain' })
  expect(await open('less-than').ask()).toMatchObject({ text: ' <thing', reasoning: '' })
})

test.each(['not-versioned', 'page-not-versioned'])('/v1 is added to a base URL that lacks it (%s)', async kind => {
  await seen()
  const { ask, lines } = open(kind, { base: `${url}/${kind}` })
  expect(await ask()).toMatchObject({ text: 'fine', code: undefined })
  expect(await ask()).toMatchObject({ text: 'fine', code: undefined })
  const paths = ['chat', 'v1/chat', 'v1/chat'].map(path => `/${kind}/${path}/completions`)
  expect((await seen()).map(({ path }) => path)).toEqual(paths)
  expect(lines).toMatchObject([{ fields: { variable: 'OPENAI_BASE_URL' } }])
})

test('a web page and an empty answer are answers that cannot be understood, and the log names the variable', async () => {
  for (const kind of ['page', 'empty']) {
    const { ask, lines } = open(kind)
    expect(await ask()).toMatchObject({ text: '', code: 'model_bad_response' })
    expect(lines).toMatchObject([
      {
        message: 'a call of the language model failed and is not retried',
        fields: { code: 'model_bad_response', check: 'OPENAI_BASE_URL' },
      },
    ])
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  }
  expect(await open('error-as-answer').ask()).toMatchObject({ code: 'model_bad_request' })
})

test('the log has the status and the reason of a failure without keys and numbers, and the variable to check', async () => {
  const unknown = open('unknown-model')
  expect((await unknown.ask()).code).toBe('model_not_found')
  expect(unknown.lines.at(-1)?.fields).toEqual({
    code: 'model_not_found',
    status: 404,
    tries: 1,
    reason: 'model "m" not found, try pulling it first',
    check: 'LLM_MODEL',
  })
  const key = open('bad-key')
  expect((await key.ask()).code).toBe('model_unauthorized')
  expect(key.lines.at(-1)?.fields).toMatchObject({
    status: 401,
    reason: 'Incorrect API key provided: sk-•••. Call •••.',
    check: 'OPENAI_API_KEY',
  })
})

test.each(['event-after-text', 'breaks-after-text'])(
  'what comes after the whole text does not fail the turn (%s)',
  async kind => {
    expect(await open(kind).ask()).toMatchObject({ text: 'fine', code: undefined })
  },
)

test('headers of a gateway go with every request', async () => {
  const headers = { 'x-portkey-provider': 'open ai' }
  expect(await open('wants-header', { OPENAI_EXTRA_HEADERS: headers }).ask()).toMatchObject({ text: 'fine' })
  const without = open('wants-header')
  expect((await without.ask()).code).toBe('model_bad_request')
  expect(without.lines.at(-1)?.fields).toMatchObject({ reason: 'x-portkey-provider is missing' })
})

describe('a provider by the name of its package', () => {
  const offline = () => scriptedModel([])

  test('is loaded if it is installed', async () => {
    const models = resolveLanguageModels({ LLM_PROVIDER: '@ai-sdk/openai', LLM_MODEL: 'gpt-x' }, offline, {
      folder: fileURLToPath(new URL('..', import.meta.url)),
    })
    expect(models.describe()).toBe('@ai-sdk/openai gpt-x')
    expect(await models.main()).toMatchObject({ provider: 'openai.responses', modelId: 'gpt-x' })
  })

  test('that is not installed, or without a model, is a problem that names the remedy', () => {
    const problems = (env: LanguageModelEnv) => resolveLanguageModels(env, offline).problems
    expect(problems({ LLM_PROVIDER: '@ai-sdk/nowhere', LLM_MODEL: 'm' })).toEqual([
      { variable: 'LLM_PROVIDER', message: expect.stringContaining('Run npm install @ai-sdk/nowhere') },
    ])
    const folder = fileURLToPath(new URL('..', import.meta.url))
    expect(resolveLanguageModels({ LLM_PROVIDER: '@ai-sdk/openai' }, offline, { folder }).problems).toMatchObject([
      { variable: 'LLM_MODEL' },
    ])
  })
})
