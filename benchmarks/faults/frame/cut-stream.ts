import { request } from 'node:http'

/** One event as it came over the wire. */
export interface WireEvent {
  readonly id: string
  readonly data: string
}

/** Content of a stream until it ended or was interrupted. */
export interface WireStream {
  readonly status: number
  readonly events: readonly WireEvent[]
  /** Whether `[DONE]` came. */
  readonly done: boolean
}

/** A request for a stream, and where to cut it. */
export interface CutRequest {
  readonly url: string
  readonly token: string
  readonly method?: 'GET' | 'POST'
  readonly json?: unknown
  readonly lastEventId?: string
  /** The connection is cut as soon as this many events have come. @default never */
  readonly cutAfter?: number
  /** Number of bytes of the next event before the cut. @default none */
  readonly bytesBeyond?: number
}

/** Reads a stream over a separate socket, and closes the connection at the requested point. */
export const readCut = (wanted: CutRequest): Promise<WireStream> =>
  new Promise((resolve, reject) => {
    const { cutAfter = Number.POSITIVE_INFINITY, bytesBeyond = 0 } = wanted
    const events: WireEvent[] = []
    let buffer = ''
    let done = false
    let isCut = false
    const body = wanted.json === undefined ? undefined : JSON.stringify(wanted.json)
    const call = request(wanted.url, {
      method: wanted.method ?? 'GET',
      agent: false,
      headers: {
        authorization: `Bearer ${wanted.token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...(wanted.lastEventId === undefined ? {} : { 'last-event-id': wanted.lastEventId }),
      },
    })
    call.on('error', error => (isCut ? undefined : reject(error)))
    call.on('response', response => {
      const finish = () => resolve({ status: response.statusCode ?? 0, events, done })
      const cut = () => {
        isCut = true
        response.destroy()
        finish()
      }
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        if (isCut) return
        buffer += text
        for (let end = buffer.indexOf('\n\n'); end >= 0 && events.length < cutAfter; end = buffer.indexOf('\n\n')) {
          const frame = buffer.slice(0, end)
          buffer = buffer.slice(end + 2)
          const data = /^data: (.*)$/m.exec(frame)?.[1]
          if (data === '[DONE]') done = true
          else if (data !== undefined) events.push({ id: /^id: (.*)$/m.exec(frame)?.[1] ?? '', data })
        }
        if (events.length >= cutAfter && buffer.length >= bytesBeyond) cut()
      })
      response.on('end', () => (isCut ? undefined : finish()))
      response.on('error', error => (isCut ? undefined : reject(error)))
      if (cutAfter === 0) cut()
    })
    call.end(body)
  })
