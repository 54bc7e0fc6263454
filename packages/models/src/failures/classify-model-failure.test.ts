import { APICallError, InvalidResponseDataError, JSONParseError, LoadAPIKeyError } from '@ai-sdk/provider'
import { RetryError, streamText } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { resolveLanguageModels } from '../resolve-language-models.ts'
import type { FakeReply } from '../testing/fake-openai-reply.ts'
import { type FakeOpenAi, startFakeOpenAi } from '../testing/fake-openai-server.ts'
import { classifyModelFailure } from './classify-model-failure.ts'

const secret = 'sk-this-is-secret'
let server: FakeOpenAi | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const streamError = async (LLM_PROVIDER: 'openai' | 'openai-compatible', url: string, abortSignal?: AbortSignal) => {
  const env = { LLM_PROVIDER, OPENAI_API_KEY: secret, OPENAI_BASE_URL: url, LLM_MAX_RETRIES: 0 }
  const models = resolveLanguageModels(env, () => {
    throw new Error('not offline')
  })
  const { stream } = streamText({
    model: await models.main(),
    prompt: 'hi',
    maxRetries: 0,
    onError: () => {},
    ...(abortSignal && { abortSignal }),
  })
  for await (const part of stream) if (part.type === 'error') return part.error
  return undefined
}

const failing = (status: number, code?: string): FakeReply => ({
  status,
  error: { message: `upstream says ${secret}`, ...(code && { code }) },
})

const rejecting = (status: number, body: unknown): FakeReply => ({ status, body: JSON.stringify(body) })
const ofVllm = (message: string) =>
  rejecting(400, { object: 'error', message, type: 'BadRequestError', param: null, code: 400 })

/** How model servers say that a conversation is too long. */
const overflows: readonly (readonly [string, FakeReply])[] = [
  [
    'llama.cpp',
    rejecting(400, {
      error: {
        code: 400,
        message: 'the request exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
    }),
  ],
  [
    'vLLM',
    ofVllm(
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
    ),
  ],
  [
    'vLLM, newer',
    ofVllm(
      "You passed 5000 input tokens and requested 0 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 4096 tokens. Please reduce the length of the input prompt.",
    ),
  ],
  [
    'vLLM, decoder',
    ofVllm(
      'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    ),
  ],
  [
    'Anthropic',
    rejecting(400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    }),
  ],
  [
    'Anthropic, with max_tokens',
    rejecting(400, {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease input length or `max_tokens` and try again',
      },
    }),
  ],
  [
    'OpenRouter',
    rejecting(400, {
      error: {
        code: 400,
        message:
          'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 190000 tokens (190000 of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
      },
    }),
  ],
  [
    'Gemini',
    rejecting(400, {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
    }),
  ],
  [
    'Gemini, in a list',
    rejecting(400, [
      {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: 'The input token count exceeds the maximum number of tokens allowed 1048576.',
        },
      },
    ]),
  ],
]

const expectations: readonly (readonly [string, FakeReply, string, boolean])[] = [
  ['a wrong key', failing(401, 'invalid_api_key'), 'model_unauthorized', false],
  ['a forbidden model', failing(403), 'model_unauthorized', false],
  ['an unknown model', failing(404, 'model_not_found'), 'model_not_found', false],
  ['a bad request', failing(400), 'model_bad_request', false],
  ['too long a conversation', failing(400, 'context_length_exceeded'), 'model_context_too_long', false],
  ['a rate limit', failing(429, 'rate_limit_exceeded'), 'model_rate_limited', true],
  ['a rate limit without a code', failing(429), 'model_rate_limited', true],
  ['an empty account', failing(429, 'insufficient_quota'), 'model_quota_exceeded', false],
  ['a fault of the server', failing(500), 'model_server_error', true],
  ['an overloaded server', failing(503), 'model_server_error', true],
  ['a gateway that gave up', failing(504), 'model_timeout', true],
  ['a page instead of an answer', { status: 200, body: '<html>Welcome</html>' }, 'model_bad_response', false],
  ['a page of a proxy', { status: 502, body: '<html>Bad gateway</html>' }, 'model_server_error', true],
]

describe.each(['openai', 'openai-compatible'] as const)('classifyModelFailure over %s', provider => {
  it.each(overflows)('reads an overflow of %s', async (_, reply) => {
    server = await startFakeOpenAi({ replies: [reply] })
    expect(classifyModelFailure(await streamError(provider, server.url)).code).toBe('model_context_too_long')
  })

  it('takes other uses of the same words for what they are', async () => {
    const message = 'max_tokens must be at least 1. The context length of this model is 4096.'
    server = await startFakeOpenAi({ replies: [rejecting(400, { error: { message } })] })
    expect(classifyModelFailure(await streamError(provider, server.url)).code).toBe('model_bad_request')
  })

  it.each(expectations)('knows %s', async (_, reply, code, retryable) => {
    server = await startFakeOpenAi({ replies: [reply] })
    const failure = classifyModelFailure(await streamError(provider, server.url))
    expect(failure).toMatchObject({ code, retryable })
    expect(failure.text).not.toMatch(/secret|upstream|html/)
  })

  it('knows a server that is not there', async () => {
    server = await startFakeOpenAi({ replies: [] })
    const { url } = server
    await server.close()
    server = undefined
    expect(classifyModelFailure(await streamError(provider, url))).toMatchObject({
      code: 'model_unreachable',
      retryable: true,
    })
  })

  it('knows a host that has no address', async () => {
    const failure = classifyModelFailure(await streamError(provider, 'http://no-such-host.invalid/v1'))
    expect(failure.code).toBe('model_unreachable')
  })
})

describe('classifyModelFailure', () => {
  it('looks into retries and causes', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' })
    const call = new APICallError({
      message: 'x',
      url: 'http://x',
      requestBodyValues: {},
      cause: refused,
      isRetryable: true,
    })
    const retry = new RetryError({ message: 'x', reason: 'maxRetriesExceeded', errors: [call, call] })
    expect(classifyModelFailure(retry).code).toBe('model_unreachable')
  })

  it('knows a connection that broke in the middle, a timeout and an abort', () => {
    const broken = new TypeError('terminated', { cause: Object.assign(new Error('x'), { code: 'UND_ERR_SOCKET' }) })
    expect(classifyModelFailure(broken).code).toBe('model_unreachable')
    expect(classifyModelFailure(new DOMException('x', 'TimeoutError')).code).toBe('model_timeout')
    expect(classifyModelFailure(new DOMException('x', 'AbortError')).code).toBe('model_aborted')
  })

  it('knows answers that make no sense, error parts of a stream and a missing key', () => {
    expect(classifyModelFailure(new JSONParseError({ text: '{', cause: new Error('x') })).code).toBe(
      'model_bad_response',
    )
    expect(classifyModelFailure(new InvalidResponseDataError({ data: 1 })).code).toBe('model_bad_response')
    expect(classifyModelFailure({ message: 'x', code: 'rate_limit_exceeded' }).code).toBe('model_rate_limited')
    expect(classifyModelFailure({ message: 'x', type: 'server_error' }).code).toBe('model_server_error')
    expect(classifyModelFailure(new LoadAPIKeyError({ message: 'x' })).code).toBe('model_unauthorized')
  })

  it('leaves what no model call can have thrown to the turn', () => {
    const database = Object.assign(new Error('x'), { code: 'ECONNREFUSED' })
    for (const error of [database, new RangeError('x'), undefined, null, 'text', 7]) {
      expect(classifyModelFailure(error)).toMatchObject({ code: 'turn_failed', retryable: false })
    }
  })
})
