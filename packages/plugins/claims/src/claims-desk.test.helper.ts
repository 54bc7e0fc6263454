import type { OracleAppOptions, OraclePlugin } from '@sibyl/core'
import { type TestApp, testApp } from '@sibyl/core/testing'
import type { ClaimDetails, CollectionRecord, JsonValue } from '@sibyl/protocol'
import { claims } from './claims.ts'
import {
  StandInDirectory,
  type StandInIssuer,
  standInCredentials,
  standInEntities,
} from './stand-in-plugins.test.helper.ts'

/** Who calls with a key of `ENTITIES_API_KEYS`. */
export const keys = {
  /** Acts as the oracle. */
  oracle: 'oracle-key-of-a-test',
  farm: 'farm-key-of-a-test',
  stranger: 'stranger-key-of-a-test',
  maker: 'maker-key-of-a-test',
  reader: 'reader-key-of-a-test',
} as const

/** The DIDs that the keys act as. */
export const dids = {
  farm: 'did:example:farm',
  stranger: 'did:example:stranger',
  maker: 'did:example:maker',
  reader: 'did:example:reader',
} as const

const apiKeys = [
  `oracle:${keys.oracle}`,
  `farm:${keys.farm}:write+claims/read:${dids.farm}`,
  `stranger:${keys.stranger}:write+claims/read:${dids.stranger}`,
  `maker:${keys.maker}:write+claims/*:${dids.maker}`,
  `reader:${keys.reader}:read:${dids.reader}`,
].join(',')

/** An answer with its body. */
export interface Answer<Body = never> {
  readonly status: number
  readonly body: Body & { readonly code?: string; readonly issues?: readonly { path: string; code: string }[] }
  readonly headers: Headers
}

/** A booted oracle that takes claims. */
export interface ClaimsDesk extends AsyncDisposable {
  readonly oracle: TestApp
  readonly directory: StandInDirectory
  readonly issuer: StandInIssuer
  /** Calls a route with a key. */
  call<Body = ClaimDetails>(
    key: keyof typeof keys,
    method: string,
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>
  /** A protocol, by its DID; again with the same name it is its next version. */
  protocol(claim: JsonValue | undefined, did?: string): string
  /** An entity under a protocol. */
  asset(
    protocol: string | undefined,
    more?: { controller?: string; status?: 'active' | 'deactivated'; version?: number },
  ): string
  /** A collection that the oracle makes. */
  collection(creation: object, key?: keyof typeof keys): Promise<CollectionRecord>
  /** A claim of the farm. */
  claim(creation: object, key?: keyof typeof keys): Promise<ClaimDetails>
}

/** What the claims of the tests look like, and when they hold. */
export const stoveClaim = {
  properties: { hours: { type: 'number', required: true }, fuel: 'string', note: 'string' },
  rubric: [{ id: 'used', path: '/hours', operator: 'at-least', value: 2, reason: 'The stove was used for too short.' }],
} satisfies JsonValue

/** Boots an oracle that takes claims. */
export const openDesk = async (
  options: Partial<OracleAppOptions> & { readonly credentials?: boolean } = {},
): Promise<ClaimsDesk> => {
  const { credentials = true, ...rest } = options
  const directory = new StandInDirectory()
  const issuer = standInCredentials()
  const plugins: OraclePlugin[] = [standInEntities(directory), claims(), ...(rest.plugins ?? [])]
  if (credentials) plugins.push(issuer.plugin)
  const oracle = await testApp({ ...rest, plugins, env: { ENTITIES_API_KEYS: apiKeys, ...rest.env } })
  let made = 0
  const desk: ClaimsDesk = {
    oracle,
    directory,
    issuer,
    async call(key, method, path, json, headers = {}) {
      const answer = await oracle.app.request(path, {
        method,
        headers: {
          authorization: `Bearer ${keys[key]}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
      return { status: answer.status, body: (await answer.json()) as never, headers: answer.headers }
    },
    protocol(claim, did = `did:example:protocol-${++made}`) {
      const versions = directory.protocols.get(did) ?? []
      directory.protocols.set(did, [
        ...versions,
        { did, version: versions.length + 1, ...(claim === undefined ? {} : { claim }) },
      ])
      return did
    },
    asset(protocol, { controller = dids.farm, status = 'active', version = 1 } = {}) {
      const did = `did:example:asset-${++made}`
      const follows = protocol === undefined ? {} : { protocol: { did: protocol, version } }
      directory.entities.set(did, {
        did,
        type: 'CookStove',
        domainClass: 'Physical Twins',
        controller,
        status,
        ...follows,
      })
      return did
    },
    async collection(creation, key = 'oracle') {
      const answer = await desk.call<CollectionRecord>(key, 'POST', '/v1/collections', { title: 'Stoves', ...creation })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body
    },
    async claim(creation, key = 'farm') {
      const answer = await desk.call(key, 'POST', '/v1/claims', creation)
      if (answer.status > 201) throw new Error(JSON.stringify(answer.body))
      return answer.body
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  }
  return desk
}
