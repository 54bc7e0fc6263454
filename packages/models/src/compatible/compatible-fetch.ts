import type { Logger } from '@sibyl/plugin'
import { parseJson } from '@sibyl/protocol'
import { ModelCallFailed } from '../failures/model-call-failed.ts'
import { errorIn, statusOf } from './answered-error.ts'
import { completionEvents, repairCompletion } from './completion.ts'
import { type ChatRequest, knownLimits, type Limit } from './learned-limits.ts'
import { repairEvents } from './repair-events.ts'

/** Limits of a server: the models of each, and the version that its base URL lacks. */
interface Learned {
  readonly limits: Map<Limit, Set<string>>
  version: '' | '/v1'
}

/** More changes to one request than there are kinds of them. */
const maxTries = knownLimits.length + 2

/**
 * Returns a `fetch` for servers that speak OpenAI's chat completions with differences. A request that a server rejects for a form
 * in `knownLimits` is sent again without it, and one that is unknown at a base URL without `/v1` is sent there; both are
 * remembered. A JSON answer to a streamed request becomes a stream.
 *
 * @param send sends a request, with its limits
 */
export const compatibleFetch = (send: typeof fetch, log: Logger): typeof fetch => {
  const learned: Learned = { limits: new Map(), version: '' }
  return async (input, init) => {
    let asked: ChatRequest | undefined
    const readAsked = () => {
      asked ??= readRequest(init?.body)
      return asked
    }
    for (let tries = 1; ; tries += 1) {
      const url = withVersion(String(input), learned.version)
      const request = learned.limits.size > 0 ? within(learned, readAsked()) : undefined
      const answer = await send(url, request ? { ...init, body: JSON.stringify(request) } : init)
      // The usual answer, for which the request is not read.
      if (answer.ok && hasType(answer, 'text/event-stream')) return repaired(answer)
      const current = request ?? readAsked()
      if (current === undefined) return answer
      if (answer.ok && !isPage(answer)) return current.stream === true ? streamed(answer) : whole(answer)
      const text = await answer.text()
      const learns = tries < maxTries && learn(learned, answer, text, current, url, log)
      if (learns) continue
      if (answer.ok) throw new ModelCallFailed('model_bad_response', { reasons: ['web_page'] })
      return new Response(text, answer)
    }
  }
}

/** Notes what a rejection says of the server; false where it says nothing new. */
const learn = (
  learned: Learned,
  answer: Response,
  text: string,
  request: ChatRequest,
  url: string,
  log: Logger,
): boolean => {
  const { model } = request
  if (isUnknownPath(answer, text) && !/\/v\d\w*\//.test(new URL(url).pathname)) {
    learned.version = '/v1'
    const message = 'the model server does not serve chat completions at OPENAI_BASE_URL; /v1 is appended'
    log.warn(message, { model, variable: 'OPENAI_BASE_URL' })
    return true
  }
  const { status } = answer
  const limit = knownLimits.find(one => {
    const isRejection = one.statuses === 'any' ? status >= 400 : [400, 422, 501].includes(status)
    const isKnown = learned.limits.get(one)?.has(model)
    return isRejection && !isKnown && one.has(request) && one.rejects(text)
  })
  if (!limit) return false
  const models = learned.limits.get(limit) ?? new Set()
  learned.limits.set(limit, models.add(model))
  log.warn(limit.message, { model, ...(limit.variable ? { variable: limit.variable } : {}) })
  return true
}

const hasType = ({ headers }: Response, type: string): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().split(';')[0]?.trim() === type

const isPage = (answer: Response): boolean => hasType(answer, 'text/html')

/** A path that is unknown, not a model: servers answer 404 to both. */
const isUnknownPath = (answer: Response, text: string): boolean =>
  (answer.ok && isPage(answer)) || ((answer.status === 404 || answer.status === 405) && !/\bmodel\b/i.test(text))

const readRequest = (body: unknown): ChatRequest | undefined => {
  if (typeof body !== 'string') return undefined
  const parsed: unknown = JSON.parse(body)
  return typeof parsed === 'object' && parsed !== null && 'messages' in parsed ? (parsed as ChatRequest) : undefined
}

/** Returns a request without what the server cannot do; undefined where nothing changes. */
const within = ({ limits }: Learned, asked: ChatRequest | undefined): ChatRequest | undefined => {
  if (asked === undefined) return undefined
  let request = asked
  for (const limit of knownLimits) {
    const models = limits.get(limit)
    const applies = models !== undefined && (limit.ofServer || models.has(asked.model))
    if (applies) request = limit.without(request)
  }
  return request === asked ? undefined : request
}

const withVersion = (url: string, version: string): string =>
  version === '' ? url : url.replace(/\/chat\/completions(?=\?|$)/, `${version}/chat/completions`)

/** Returns the answer with the status of the error in it; undefined where it has none. Servers answer some errors with 200. */
const refused = (text: string, headers: Headers): Response | undefined => {
  const error = errorIn(parseJson(text))
  const status = statusOf(error, typeof error === 'string' ? 400 : 500)
  return error === undefined ? undefined : new Response(text, { status, headers })
}

/** Repairs a completion that is not streamed. */
const whole = async (answer: Response): Promise<Response> => {
  const text = await answer.text()
  const completion = repairCompletion(text)
  return refused(text, answer.headers) ?? new Response(completion ? JSON.stringify(completion) : text, answer)
}

/** Repairs a stream of events. */
const repaired = ({ body, status, headers }: Response): Response =>
  new Response(body && repairEvents(body), { status, headers })

/** Returns an answer as a stream of events, also a whole completion. */
const streamed = async (answer: Response): Promise<Response> => {
  const { status, headers } = answer
  if (!hasType(answer, 'application/json')) return repaired(answer)
  const text = await answer.text()
  const events = completionEvents(text)
  const stream = () => new Response(events, { status, headers: { 'content-type': 'text/event-stream' } })
  return refused(text, headers) ?? (events === undefined ? new Response(text, { status, headers }) : stream())
}
