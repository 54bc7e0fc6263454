import { listErrors, page, type Route, route } from '@sibyl/plugin'
import { domainClass, entityStatus, type JsonValue, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors, entitiesFailures } from '../errors/entities-errors.ts'
import type { ProtocolStore, PublishedProtocol } from './protocol-store.ts'

/** A version of a protocol as routes answer it. */
export const protocolRecord = z.object({
  did: z.string(),
  /** Counts the definitions, from 1: another property or relationship is another version. */
  version: z.int(),
  status: entityStatus,
  /** True if this version accepts no entities and no claims. */
  retired: z.literal(true).optional(),
  /** Name to rule, each with its `type`. */
  properties: z.record(z.string(), jsonValue),
  /** Name to the kind of entity. */
  relationships: z.record(z.string(), z.string()),
  domainClass: domainClass.optional(),
  claim: jsonValue.optional(),
  /** Time of the registration of this version. */
  createdAt: z.iso.datetime(),
})

export const protocolRecordOf = ({
  definition,
  status,
  retired,
  createdAt,
}: Pick<PublishedProtocol, 'definition' | 'status' | 'retired' | 'createdAt'>): z.infer<typeof protocolRecord> => ({
  did: definition.did,
  version: definition.version,
  status,
  ...(retired ? { retired } : {}),
  properties: definition.properties as Record<string, object> as Record<string, { [key: string]: JsonValue }>,
  relationships: { ...definition.relationships },
  ...(definition.domainClass === undefined ? {} : { domainClass: definition.domainClass }),
  ...(definition.claim === undefined ? {} : { claim: definition.claim }),
  createdAt: new Date(createdAt).toISOString(),
})

const protocolPages = page({ name: 'protocols', item: protocolRecord })

const limit = z.coerce.number().int().min(1).max(200).default(50)
const did = z.string().max(500).meta({ description: "The protocol's DID" })
const version = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const versionEntry = z.object({
  version: z.int(),
  createdAt: z.iso.datetime(),
  retired: z.literal(true).optional().meta({ description: 'It takes no entities and no claims any more' }),
})

/** `GET /v1/protocols`, and one of them with its versions. */
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
      description: 'Each in its newest version, the newest protocol first.',
      query: protocolPages.query,
      ok: { 200: { description: 'A page; `next` where there are more', schema: protocolPages.response } },
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
      summary: 'The newest version of a protocol',
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
      summary: 'The versions of a protocol',
      description:
        'The newest first. Entities keep the version that they were checked against until they are moved. Its controller ' +
        'retires a version by a PATCH of the protocol with `retiredVersions`.',
      params: z.object({ did }),
      query: z.object({ limit, before: version.optional().meta({ description: '`next` of the page before' }) }),
      ok: {
        200: {
          description: 'A page; `next` where there are more',
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
      summary: 'A version of a protocol',
      description: 'It never changes, but that it may be retired.',
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
