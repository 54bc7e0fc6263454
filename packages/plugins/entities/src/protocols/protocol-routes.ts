import { listErrors, page, type Route, route } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors, entitiesFailures } from '../errors/entities-errors.ts'
import { type ProtocolRecord, protocolRecord, versionEntry } from '../records/protocol-records.ts'
import type { ProtocolStore, PublishedProtocol } from './protocol-store.ts'

const protocolRecordOf = ({
  definition,
  status,
  retired,
  createdAt,
}: Pick<PublishedProtocol, 'definition' | 'status' | 'retired' | 'createdAt'>): ProtocolRecord => ({
  did: definition.did,
  version: definition.version,
  status,
  ...(retired ? { retired } : {}),
  properties: definition.properties as Record<string, object> as Record<string, { [key: string]: JsonValue }>,
  relationships: { ...definition.relationships },
  domainClass: definition.domainClass,
  claim: definition.claim,
  createdAt: new Date(createdAt).toISOString(),
})

const protocolPages = page({ name: 'protocols', item: protocolRecord })

const limit = z.coerce.number().int().min(1).max(200).default(50)
const did = z.string().max(500).meta({ description: "The protocol's DID" })
const version = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

/** Creates `GET /v1/protocols` and the routes of one protocol with its versions. */
export const protocolRoutes = (protocols: Pick<ProtocolStore, 'list' | 'published' | 'versions'>): readonly Route[] => {
  const access = entitiesAccess('read')

  const find = async (given: string, wanted?: number) => {
    const found = await protocols.published(given, wanted)
    if (!found) throw entitiesFailures.protocol_not_found()
    return protocolRecordOf(found)
  }

  const list = route.get(
    '/v1/protocols',
    {
      auth: access,
      summary: 'List protocols',
      description: 'Newest protocol first, each in its newest version.',
      query: protocolPages.query,
      ok: { 200: { description: 'A page; `next` is set if there are more', schema: protocolPages.response } },
      errors: [listErrors.cursor_invalid, entitiesErrors.scope_missing],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const { limit, cursor } = c.req.valid('query')
      const found = await protocols.list(limit + 1, protocolPages.read(cursor))
      const keyOf = ({ definition }: (typeof found)[number]) => definition.did
      return c.json(protocolPages.make(found, { limit, keyOf, itemOf: protocolRecordOf }), 200)
    },
  )

  const newest = route.get(
    '/v1/protocols/{did}',
    {
      auth: access,
      summary: 'Get the newest version of a protocol',
      params: z.object({ did }),
      ok: { 200: { description: 'The protocol', schema: protocolRecord } },
      errors: [entitiesErrors.scope_missing, entitiesFailures.protocol_not_found],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      return c.json(await find(c.req.valid('param').did), 200)
    },
  )

  const versions = route.get(
    '/v1/protocols/{did}/versions',
    {
      auth: access,
      summary: 'List the versions of a protocol',
      description:
        "Newest first. Entities keep the version that they were validated against until they are moved. The protocol's controller " +
        'retires a version by a PATCH of the protocol with `retiredVersions`.',
      params: z.object({ did }),
      query: z.object({ limit, before: version.optional().meta({ description: '`next` of the previous page' }) }),
      ok: {
        200: {
          description: 'A page; `next` is set if there are more',
          schema: z.object({ did: z.string(), versions: z.array(versionEntry), next: z.int().optional() }),
        },
      },
      errors: [entitiesErrors.scope_missing, entitiesFailures.protocol_not_found],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const query = c.req.valid('query')
      const protocol = await find(c.req.valid('param').did)
      const found = await protocols.versions(protocol.did, query.limit + 1, query.before)
      const page = found.slice(0, query.limit)
      const last = found.length > page.length ? page.at(-1) : undefined
      const shown = page.map(({ version, createdAt, retired }) => ({
        version,
        createdAt: new Date(createdAt).toISOString(),
        ...(retired ? { retired } : {}),
      }))
      return c.json({ did: protocol.did, versions: shown, ...(last ? { next: last.version } : {}) }, 200)
    },
  )

  const one = route.get(
    '/v1/protocols/{did}/versions/{version}',
    {
      auth: access,
      summary: 'Get a version of a protocol',
      description: 'A version never changes, except that it can be retired.',
      params: z.object({ did, version }),
      ok: { 200: { description: 'The version', schema: protocolRecord } },
      errors: [entitiesErrors.scope_missing, entitiesFailures.protocol_not_found],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const given = c.req.valid('param')
      return c.json(await find(given.did, given.version), 200)
    },
  )

  return [list, newest, versions, one]
}
