import { type JsonValue, parseJson } from '@sibyl/protocol'
import { type RecordedRequest, recordedSessionSchema, sessionPlaceholder } from './recorded-session.ts'
import { differences, type ReplayDifference } from './replay-difference.ts'
import type { UssdTarget } from './send-ussd.ts'

export interface ReplayOptions {
  /** The ID of the session. @default a new one */
  readonly sessionId?: string
  /** Waits between requests; sets the clock of an app with a fake clock. @default a real wait */
  readonly pause?: (ms: number) => void | Promise<void>
}

/**
 * Sends a recorded session to an oracle, sequentially, and compares the replies with the recording.
 *
 * @param target An app, or the URL of a running oracle.
 * @param recording Content of a file in `recordings`: a `RecordedSession`.
 * @returns the differences; empty if there are none
 * @throws ZodError for an invalid recording
 *
 * @example
 * const recording = JSON.parse(await readFile('acme.json', 'utf8'))
 * expect(await replaySession(oracle.app, recording)).toEqual([])
 */
export const replaySession = async (
  target: UssdTarget,
  recording: unknown,
  { sessionId = crypto.randomUUID().replaceAll('-', ''), pause = waits }: ReplayOptions = {},
): Promise<ReplayDifference[]> => {
  const named = JSON.stringify(recording)?.replaceAll(sessionPlaceholder, sessionId) ?? 'null'
  const { exchanges } = recordedSessionSchema.parse(JSON.parse(named))
  const found: ReplayDifference[] = []
  for (const [index, { does, afterMs, request, reply }] of exchanges.entries()) {
    if (afterMs > 0) await pause(afterMs)
    const response = await send(target, request)
    const contentType = response.headers.get('content-type')?.split(';', 1)[0]?.trim() ?? ''
    const body = readBody(await response.text(), contentType)
    const unlike = [
      ...differences('status', reply.status, response.status),
      ...differences('contentType', reply.contentType, contentType),
      ...differences('body', reply.body as JsonValue, body),
    ]
    found.push(...unlike.map(difference => ({ exchange: `${index + 1}: ${does}`, ...difference })))
  }
  return found
}

const waits = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

const send = (target: UssdTarget, { method, path, headers, query, body }: RecordedRequest) => {
  const to = query === undefined ? path : `${path}?${new URLSearchParams(query)}`
  const init = { method, headers, ...(body !== undefined && { body: encoded(body as JsonValue, headers) }) }
  return typeof target === 'string' || target instanceof URL
    ? fetch(new URL(to, target), init)
    : target.request(to, init)
}

const encoded = (body: JsonValue, headers: Readonly<Record<string, string>>): string => {
  if (typeof body === 'string') return body
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  return isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
}

const readBody = (text: string, contentType: string): JsonValue =>
  ((contentType.endsWith('json') ? parseJson(text) : undefined) as JsonValue | undefined) ?? text
