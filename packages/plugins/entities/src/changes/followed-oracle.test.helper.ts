import type { Clock } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import { entities } from '../entities.ts'

const keys = { writer: 'writer-key-0123456789', reader: 'reader-key-0123456789', other: 'other-key-0123456789' }

/** An event as a client of server-sent events has it. */
export interface ReceivedEvent {
  readonly id: string
  readonly data: { readonly did: string } & Readonly<Record<string, unknown>>
}

/** Reads server-sent events one by one. */
export const eventReader = (response: Response) => {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let lastId = ''
  return {
    /** The next event; undefined when the stream is over. */
    async next(): Promise<ReceivedEvent | undefined> {
      for (;;) {
        const end = rest.indexOf('\n\n')
        if (end < 0) {
          const { value, done } = await reader.read()
          if (done) return undefined
          rest += value
          continue
        }
        const lines = rest.slice(0, end).split('\n')
        rest = rest.slice(end + 2)
        lastId = lines.find(line => line.startsWith('id: '))?.slice(4) ?? lastId
        const data = lines.find(line => line.startsWith('data: '))?.slice(6)
        if (data !== undefined) return { id: lastId, data: JSON.parse(data) }
      }
    },
    /** What `Last-Event-ID` would be. */
    get lastId() {
      return lastId
    },
    leave: () => reader.cancel(),
  }
}

/** An oracle whose changes are followed. */
export const followedOracle = async (env: Readonly<Record<string, string>> = {}, clock: Clock = Date) => {
  const oracle = await testApp({
    plugins: [entities()],
    clock,
    env: {
      ENTITIES_API_KEYS: `writer:${keys.writer},reader:${keys.reader}:read,other:${keys.other}:read+write:did:web:other.example`,
      ...env,
    },
  })
  const request = async (
    path: string,
    init: RequestInit & { readonly json?: unknown; readonly as?: keyof typeof keys } = {},
  ): Promise<Response> => {
    const { json, as = 'writer', ...rest } = init
    const headers = new Headers(rest.headers)
    headers.set('authorization', `Bearer ${keys[as]}`)
    if (json !== undefined) headers.set('content-type', 'application/json')
    const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
    return oracle.app.request(path, { ...body, ...rest, headers })
  }
  return {
    app: oracle.app,
    request,
    /** Creates an entity; gives its DID. */
    async create(type = 'Device', more: object = {}): Promise<string> {
      const response = await request('/v1/entities', { json: { type, ...more } })
      if (response.status !== 201) throw new Error(await response.text())
      return ((await response.json()) as { did: string }).did
    },
    /** Follows changes; the first frame is read already. */
    async follow(query = '', lastEventId?: string) {
      const headers = new Headers(lastEventId === undefined ? [] : [['last-event-id', lastEventId]])
      const response = await request(`/v1/changes${query}`, { headers, as: 'reader' })
      if (response.status !== 200) throw new Error(await response.text())
      return eventReader(response)
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  }
}
