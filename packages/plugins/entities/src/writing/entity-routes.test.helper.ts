import type { OracleAppOptions } from '@sibyl/core'
import { type TestActor, testActor, testApp } from '@sibyl/testing'
import { entities } from '../entities.ts'

/** What a test reads off an answer. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the body of whichever answer it is
  readonly body: any
}

/** Keys that are good at the oracle of `bootEntities`. */
export const keys = {
  oracle: 'a-key-without-a-did-0001',
  ada: 'a-key-of-ada-000000000001',
  ben: 'a-key-of-ben-000000000001',
  reader: 'a-key-that-reads-00000001',
} as const

export const ada = 'did:web:ada.example'
export const ben = 'did:web:ben.example'

/** An oracle with entities, and ways to call it. */
export const bootEntities = async (
  options: Partial<OracleAppOptions> & { readonly env?: Record<string, string> } = {},
) => {
  const listed = [
    `registry:${keys.oracle}`,
    `ada:${keys.ada}:read+write:${ada}`,
    `ben:${keys.ben}:write:${ben}`,
    `reader:${keys.reader}:read:${ada}`,
  ]
  const { env = {}, ...rest } = options
  const oracle = await testApp({ plugins: [entities()], ...rest, env: { ENTITIES_API_KEYS: listed.join(','), ...env } })
  const send = async (
    method: string,
    path: string,
    { body, key = keys.oracle, headers = {} }: { body?: unknown; key?: string; headers?: Record<string, string> } = {},
  ): Promise<Answered> => {
    const response = await oracle.app.request(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const pathOf = (did: string, rest = '') => `/v1/entities/${encodeURIComponent(did)}${rest}`
  return {
    app: oracle.app,
    /** Somebody with a key of their own, who sends UCANs. */
    actor: (): TestActor => testActor(oracle.app),
    send,
    create: (body: unknown, key?: string, headers?: Record<string, string>) =>
      send('POST', '/v1/entities', { body, ...(key ? { key } : {}), ...(headers ? { headers } : {}) }),
    patch: (did: string, version: number | string, body: unknown, key?: string) =>
      send('PATCH', pathOf(did), { body, headers: { 'if-match': `"${version}"` }, ...(key ? { key } : {}) }),
    deactivate: (did: string, version: number, key?: string) =>
      send('DELETE', pathOf(did), { headers: { 'if-match': `"${version}"` }, ...(key ? { key } : {}) }),
    relate: (did: string, relationship: string, targets: readonly string[], key?: string) =>
      send('POST', pathOf(did, '/relationships'), { body: { relationship, targets }, ...(key ? { key } : {}) }),
    unrelate: (did: string, relationship: string, target: string, key?: string) =>
      send(
        'DELETE',
        pathOf(did, `/relationships?${new URLSearchParams({ relationship, target })}`),
        key ? { key } : {},
      ),
    history: async (did: string) => (await send('GET', pathOf(did, '/history'))).body,
    proof: async (did: string) => (await send('GET', pathOf(did, '/proof'))).body,
    [Symbol.asyncDispose]: () => oracle.app.close(),
  }
}
