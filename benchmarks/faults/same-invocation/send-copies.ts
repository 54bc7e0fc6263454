import { RawConnection } from '../frame/raw-http.ts'

/** A request that spends an invocation. */
export type SpendingRequest = 'chat' | 'stop' | 'delete'

/** What came of copies of one invocation. */
export interface CopiesResult {
  readonly accepted: number
  /** Refused as used before. */
  readonly replayed: number
  /** Anything else, such as no answer. */
  readonly other: number
}

const write = (kind: SpendingRequest, token: string): string => {
  const body = kind === 'chat' ? JSON.stringify({ id: 'copied', message: 'Hello' }) : ''
  const target = { chat: 'POST /chat', stop: 'POST /chat/copied/stop', delete: 'DELETE /sessions/copied' }[kind]
  return [
    `${target} HTTP/1.1`,
    'Host: oracle',
    `Authorization: Bearer ${token}`,
    ...(body === '' ? [] : ['Content-Type: application/json']),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/**
 * Sends copies of one invocation at the same moment, each over a connection of its own that is open before.
 *
 * @param urls the processes, in turn
 * @param kinds the requests, in turn
 */
export const sendCopies = async (
  urls: readonly string[],
  kinds: readonly SpendingRequest[],
  token: string,
  copies: number,
): Promise<CopiesResult> => {
  const connections = Array.from({ length: copies }, (_, index) => {
    return new RawConnection(Number(new URL(urls[index % urls.length]!).port))
  })
  await Promise.all(connections.map(connection => connection.open()))
  const answers = await Promise.all(
    connections.map((connection, index) => connection.send(write(kinds[index % kinds.length]!, token))),
  )
  await Promise.all(connections.map(connection => connection[Symbol.asyncDispose]()))
  const replayed = answers.filter(answer => answer?.status === 401 && answer.body.includes('"ucan_replayed"')).length
  const other = answers.filter(answer => answer === undefined || answer.status >= 429).length
  return { accepted: copies - replayed - other, replayed, other }
}
