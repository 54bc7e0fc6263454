import { type RawAnswer, RawConnection } from '../frame/raw-http.ts'

/** A request that spends an invocation. */
export type SpendingRequest = 'chat' | 'stop' | 'delete'

/** Result of the copies of one invocation. */
export interface CopiesResult {
  readonly accepted: number
  /** Refused as used before. */
  readonly replayed: number
  /** Anything else, such as no answer. */
  readonly other: number
  /** Answers 503, by which a database that is too busy puts a request off; it was sent again until it was decided. */
  readonly putOff: number
}

const maxTries = 20
const pauseMs = 500

const write = (kind: SpendingRequest, token: string): string => {
  const body = kind === 'chat' ? JSON.stringify({ id: 'copied', message: 'Hello' }) : ''
  const target = { chat: 'POST /chat', stop: 'POST /chat/copied/stop', delete: 'DELETE /sessions/copied' }[kind]
  return [
    `${target} HTTP/1.1`,
    'Host: localhost',
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
  let putOff = 0
  const decide = async (connection: RawConnection, kind: SpendingRequest): Promise<RawAnswer | undefined> => {
    for (let time = 0; ; time += 1) {
      const answer = await connection.send(write(kind, token))
      if (answer?.status !== 503 || time === maxTries) return answer
      putOff += 1
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  }
  const answers = await Promise.all(
    connections.map((connection, index) => decide(connection, kinds[index % kinds.length]!)),
  )
  await Promise.all(connections.map(connection => connection[Symbol.asyncDispose]()))
  const replayed = answers.filter(answer => answer?.status === 401 && answer.body.includes('"ucan_replayed"')).length
  const other = answers.filter(answer => answer === undefined || answer.status >= 429).length
  return { accepted: copies - replayed - other, replayed, other, putOff }
}
