import { isOracleError, type OracleError } from '@sibyl/plugin'
import { errorCauses, propertyOf } from './error-causes.ts'

/** The reason why the model call of a turn failed, for programs. */
export type ModelFailureCode =
  | 'model_unreachable'
  | 'model_timeout'
  | 'model_aborted'
  | 'model_rate_limited'
  | 'model_quota_exceeded'
  | 'model_unauthorized'
  | 'model_not_found'
  | 'model_context_too_long'
  | 'model_refused'
  | 'model_bad_request'
  | 'model_server_error'
  | 'model_bad_response'
  | 'model_failed'
  | 'model_circuit_open'
  | 'answer_invalid'
  | 'turn_too_large'
  | 'turn_failed'

/** A failed model call, free of anything the provider or the network said. */
export interface ModelFailure {
  readonly code: ModelFailureCode
  /** Whether the same call may work a little later. */
  readonly retryable: boolean
  /** One or two sentences for the person. */
  readonly text: string
  /** The provider's HTTP status. */
  readonly status?: number | undefined
  /** The codes that provider, network and HTTP client gave, such as `ECONNREFUSED`. */
  readonly reasons?: readonly string[]
}

const failures: Readonly<Record<ModelFailureCode, Omit<ModelFailure, 'code'>>> = {
  model_unreachable: { retryable: true, text: 'The language model is unreachable. Try again in a moment.' },
  model_timeout: { retryable: true, text: 'The language model took too long to answer. Try again in a moment.' },
  model_aborted: { retryable: false, text: 'The call of the language model was canceled.' },
  model_rate_limited: {
    retryable: true,
    text: 'The language model is overloaded. Try again in a minute.',
  },
  model_quota_exceeded: {
    retryable: false,
    text: "The quota of the oracle's language model is used up. Contact the operator.",
  },
  model_unauthorized: { retryable: false, text: "The language model rejected the oracle's key. Contact the operator." },
  model_not_found: {
    retryable: false,
    text: 'The configured language model does not exist. Contact the operator.',
  },
  model_context_too_long: {
    retryable: false,
    text: 'The conversation is too long for the language model. Start a new one.',
  },
  model_refused: { retryable: false, text: 'The language model declined to answer this. Ask in another way.' },
  model_bad_request: { retryable: false, text: 'The language model rejected the request. Ask in another way.' },
  model_server_error: { retryable: true, text: 'The language model has an internal error. Try again in a moment.' },
  model_bad_response: {
    retryable: false,
    text: 'The answer of the language model is invalid. Try again.',
  },
  model_failed: { retryable: false, text: 'The language model failed. Try again.' },
  model_circuit_open: {
    retryable: false,
    text: 'The language model failed repeatedly, so calls are paused. Try again in a minute.',
  },
  answer_invalid: {
    retryable: false,
    text: 'The answer of the language model does not have the requested form. Try again, or simplify the schema.',
  },
  turn_too_large: { retryable: false, text: 'The answer exceeded the size limit of this oracle. Ask for less.' },
  turn_failed: { retryable: false, text: 'The oracle could not finish this answer. Try again.' },
}

/** Facts of an error and its causes. */
interface ErrorFacts {
  readonly names: ReadonlySet<string>
  readonly status: number | undefined
  /** Codes of the network, the HTTP client and the provider. */
  readonly codes: ReadonlySet<string>
  readonly fromModel: boolean
  /** Whether the provider says that the conversation has too many tokens. */
  readonly overflows: boolean
}

/**
 * Classifies an error of a language model call, thrown or streamed. It uses names, HTTP status and codes, and of
 * messages only how model servers say that a conversation is too long; it passes none of them on. An error of another origin is `turn_failed`.
 */
export const classifyModelFailure = (error: unknown): ModelFailure => {
  const known = [...errorCauses(error)].find(isFailure)
  if (known) return { code: known.code, ...failures[known.code] }
  const facts = collectFacts(error)
  const { status } = facts
  const code = codeOf(facts)
  const reasons = [...facts.codes].filter(code => plainCode.test(code)).slice(0, 5)
  return {
    code,
    ...failures[code],
    status,
    ...(reasons.length === 0 ? {} : { reasons }),
  }
}

const plainCode = /^[\w.-]{1,64}$/

const isFailure = (error: object): error is OracleError & { readonly code: ModelFailureCode } =>
  isOracleError(error) && Object.hasOwn(failures, error.code)

/** Returns the text of a failure for the user; that of `turn_failed` for another code. */
export const modelFailureText = (code: string): string =>
  failures[Object.hasOwn(failures, code) ? (code as ModelFailureCode) : 'turn_failed'].text

const codeOf = (facts: ErrorFacts): ModelFailureCode => {
  const { names, codes, status, overflows } = facts
  const has = (...wanted: readonly string[]) => wanted.some(one => codes.has(one))
  if (!facts.fromModel)
    return names.has('AbortError') ? 'model_aborted' : names.has('TimeoutError') ? 'model_timeout' : 'turn_failed'
  if (has('context_length_exceeded') || status === 413 || (overflows && status !== 429)) return 'model_context_too_long'
  if (has('insufficient_quota', 'billing_hard_limit_reached') || status === 402) return 'model_quota_exceeded'
  if (has('content_filter', 'content_policy_violation')) return 'model_refused'
  if (has('model_not_found')) return 'model_not_found'
  if (has('invalid_api_key') || names.has('AI_LoadAPIKeyError')) return 'model_unauthorized'
  if (has('rate_limit_exceeded', 'rate_limit_error')) return 'model_rate_limited'
  if (status !== undefined && status >= 400) return codeOfStatus(status)
  if (names.has('TimeoutError') || has(...timeoutCodes)) return 'model_timeout'
  if (names.has('AbortError')) return 'model_aborted'
  if ([...names].some(name => badResponse.has(name)) || [...codes].some(code => garbled.test(code))) {
    return 'model_bad_response'
  }
  if (status !== undefined && ![...codes].some(isNetworkCode)) return 'model_bad_response'
  if ([...codes].some(isNetworkCode) || names.has('TypeError')) return 'model_unreachable'
  return has('server_error', 'overloaded_error', 'api_error') ? 'model_server_error' : 'model_failed'
}

const codeOfStatus = (status: number): ModelFailureCode => {
  if (status === 401 || status === 403) return 'model_unauthorized'
  if (status === 404) return 'model_not_found'
  if (status === 408 || status === 504) return 'model_timeout'
  if (status === 429) return 'model_rate_limited'
  return status >= 500 ? 'model_server_error' : 'model_bad_request'
}

/** The words of llama.cpp, vLLM, Anthropic, OpenRouter, Gemini and others, most of which have no code for it. */
const overflow = new RegExp(
  [
    'exceed_context_size_error',
    "(?:maximum|available|model's) context (?:length|size|window)",
    "exceeds? (?:the )?(?:model's )?(?:maximum )?context",
    'context (?:length|window|size) (?:is only|exceeded|exceeds)',
    '(?:prompt|input)[^.]{0,40} is too long',
    'prompt is longer than|longer than the maximum model length|maximum prompt length',
    'input token count[^.]{0,40} exceeds',
    'exceeded model token limit',
    'too large for model with \\d+ maximum context',
  ].join('|'),
  'i',
)

/** The most characters of a message that are read. */
const maxMessage = 4_000

const timeoutCodes = ['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']

const badResponse = new Set([
  'HTTPParserError',
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_InvalidStreamPartError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
  'AI_NoOutputGeneratedError',
])

/** Codes of what cannot be read as HTTP or decompressed, or has headers beyond all measure. */
const garbled = /^(HPE_|Z_|UND_ERR_HEADERS_OVERFLOW|ERR_CONTENT)/

/** Codes of sockets, DNS, TLS and the HTTP client; providers write theirs in lower case. */
const isNetworkCode = (code: string): boolean => /^[A-Z][A-Z0-9_]+$/.test(code)

const collectFacts = (error: unknown): ErrorFacts => {
  const names = new Set<string>()
  const codes = new Set<string>()
  let status: number | undefined
  let fromModel = false
  let overflows = false
  for (const current of errorCauses(error)) {
    const name = text(current, 'name')
    if (name !== undefined) names.add(name)
    const data = propertyOf(current, 'data')
    for (const source of [current, data, propertyOf(data, 'error')]) {
      for (const key of ['code', 'type']) {
        const code = text(source, key)
        if (code !== undefined) codes.add(code)
      }
      for (const key of ['message', 'responseBody']) {
        overflows ||= overflow.test((text(source, key) ?? '').slice(0, maxMessage))
      }
    }
    const statusCode = propertyOf(current, 'statusCode')
    if (typeof statusCode === 'number') status ??= statusCode
    // An error inside a stream has the status as its code.
    const inStream = current instanceof Error ? undefined : propertyOf(current, 'code')
    if (typeof inStream === 'number' && inStream >= 400 && inStream <= 599) status ??= inStream
    const ofClient = name?.startsWith('AI_') || name === 'TypeError' || text(current, 'code')?.startsWith('UND_ERR_')
    fromModel ||= ofClient === true || typeof statusCode === 'number' || !(current instanceof Error)
  }
  return { names, codes, status, fromModel, overflows }
}

const text = (value: unknown, key: string): string | undefined => {
  const found = propertyOf(value, key)
  return typeof found === 'string' ? found : undefined
}
