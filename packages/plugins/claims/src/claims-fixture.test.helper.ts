import type { OracleAppOptions } from '@sibyl/core'
import { definePlugin, type OraclePlugin } from '@sibyl/plugin'
import { credentials } from '@sibyl/plugin-credentials'
import { entities } from '@sibyl/plugin-entities'
import type { EntityRecord } from '@sibyl/plugin-entities/records'
import type { JsonValue } from '@sibyl/protocol'
import { type TestApp, testApp } from '@sibyl/testing'
import { claims } from './claims.ts'
import type { ClaimsStorage, ClaimsTables } from './definitions/claims-tables.ts'
import type { ClaimDetails } from './records/claim-records.ts'
import type { CollectionRecord } from './records/collection-records.ts'

/** Who calls with a key of `ENTITIES_API_KEYS`. */
export const keys = {
  /** Acts as the oracle. */
  oracle: 'oracle-key-of-a-test',
  farm: 'farm-key-of-a-test',
  stranger: 'stranger-key-of-a-test',
  maker: 'maker-key-of-a-test',
  reader: 'reader-key-of-a-test',
} as const

/** A name of `keys`. */
export type Key = keyof typeof keys

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

/** How an entity is otherwise than a stove of the farm. */
export interface AssetOptions {
  readonly controller?: string
  readonly version?: number
  readonly type?: string
}

/** A booted oracle that takes claims. */
export interface ClaimsFixture extends AsyncDisposable {
  readonly oracle: TestApp
  /** Calls a route with a key. */
  call<Body = ClaimDetails>(
    key: Key,
    method: string,
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>
  /** A protocol, by its DID. */
  protocol(claim?: JsonValue): Promise<string>
  /** Gives a protocol its second version. */
  newVersion(protocol: string, claim: JsonValue): Promise<void>
  /** An entity of the farm, by its DID. */
  asset(protocol?: string, options?: AssetOptions): Promise<string>
  /** @param key of its controller, by default the farm's */
  deactivate(did: string, key?: Key): Promise<void>
  /** A collection that the oracle makes. */
  collection(creation: object): Promise<CollectionRecord>
  /** Makes a collection as one of before versions of protocols were kept. */
  forgetVersions(collection: string): Promise<void>
  /** A claim of the farm. */
  claim(creation: object): Promise<ClaimDetails>
  /** The edges at a node. */
  edges(node: string): Promise<readonly { from: string; relationship: string; to: string }[]>
}

/** What the claims of the tests look like, and when they hold. */
export const stoveClaim = {
  properties: { hours: { type: 'number', required: true }, fuel: 'string', note: 'string' },
  rubric: [{ id: 'used', path: '/hours', operator: 'at-least', value: 2, reason: 'The stove was used for too short.' }],
} satisfies JsonValue

/** Options of the oracle, and whether it has the plugin that issues credentials, or another in its place. */
export interface OfficeOptions extends Partial<OracleAppOptions> {
  /** @default the real one */
  readonly credentials?: OraclePlugin | 'none'
}

/** Boots an oracle that takes claims. */
export const openFixture = async (options: OfficeOptions = {}): Promise<ClaimsFixture> => {
  const { credentials: issuer = credentials(), ...rest } = options
  let storage: ClaimsStorage | undefined
  const neighbour = definePlugin<never, ClaimsTables>({
    name: 'neighbour',
    version: '1.0.0',
    core: '^0.1.0',
    manifest: { title: 'Neighbour', summary: 'Changes what is not its own.', whenToUse: ['never'] },
    setup(host) {
      storage = host.storage
      return {}
    },
  })
  const plugins = [entities(), ...(issuer === 'none' ? [] : [issuer]), claims(), neighbour, ...(rest.plugins ?? [])]
  const oracle = await testApp({ ...rest, plugins, env: { ENTITIES_API_KEYS: apiKeys, ...rest.env } })

  const call: ClaimsFixture['call'] = async (key, method, path, json, headers = {}) => {
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
  }

  const made = async <Body>(answering: Promise<Answer<Body>>): Promise<Body> => {
    const { status, body } = await answering
    if (status > 201) throw new Error(JSON.stringify(body))
    return body
  }

  return {
    oracle,
    call,
    async protocol(claim) {
      const body = { type: 'Protocol', properties: {}, claim }
      return (await made(call<EntityRecord>('oracle', 'POST', '/v1/entities', body))).did
    },
    async newVersion(protocol, claim) {
      await made(
        call('oracle', 'PATCH', `/v1/entities/${encodeURIComponent(protocol)}`, { claim }, { 'if-match': '"1"' }),
      )
    },
    async asset(protocol, { controller = dids.farm, version, type = 'CookStove' } = {}) {
      const follows = protocol === undefined ? {} : { protocol }
      const body = { type, controller, ...follows, protocolVersion: version }
      return (await made(call<EntityRecord>('oracle', 'POST', '/v1/entities', body))).did
    },
    async deactivate(did, key = 'farm') {
      await made(call(key, 'DELETE', `/v1/entities/${encodeURIComponent(did)}`, undefined, { 'if-match': '"1"' }))
    },
    collection: creation => made(call('oracle', 'POST', '/v1/collections', { title: 'Stoves', ...creation })),
    async forgetVersions(id) {
      const unset = { least_version: null, accepted_version: null }
      await storage!.write(tx => tx.updateTable('claims_collections').set(unset).where('id', '=', id).execute())
    },
    claim: creation => made(call('farm', 'POST', '/v1/claims', creation)),
    async edges(node) {
      type Graph = { edges: { from: string; relationship: string; to: string }[] }
      return (await made(call<Graph>('oracle', 'GET', `/v1/graph?from=${encodeURIComponent(node)}`))).edges
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  }
}
