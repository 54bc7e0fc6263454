import { defineRoute, type Route } from '@sibyl/plugin'
import { domainClass, entityStatus, type JsonValue, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { answers } from '../access/route-answers.ts'
import { entitiesFailures } from '../errors/entities-errors.ts'
import { entityIdOf } from '../records/entity-did.ts'
import type { ProtocolStore, PublishedProtocol } from './protocol-store.ts'

/** A version of a protocol as routes answer it. */
export const protocolRecord = z.object({
  did: z.string(),
  /** Counts the definitions, from 1: another property or relationship is another version. */
  version: z.int(),
  status: entityStatus,
  /** Whether this version takes no entities and no claims any more. */
  retired: z.literal(true).optional(),
  /** Name to rule, each with its `type`. */
  properties: z.record(z.string(), jsonValue),
  /** Name to the kind of entity. */
  relationships: z.record(z.string(), z.string()),
  domainClass: domainClass.optional(),
  claim: jsonValue.optional(),
  /** When this version was registered. */
  createdAt: z.iso.datetime(),
})

/** The record of a version. */
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

const limit = z.coerce.number().int().min(1).max(200).default(50)
const did = z.string().max(500).meta({ description: "The protocol's DID" })
const version = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const problems = {
  400: answers.problem('`input_invalid`'),
  403: answers.problem('`scope_missing`'),
}
const notFound = { 404: answers.problem('`protocol_not_found`') }

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

  const list = defineRoute(
    access,
    {
      method: 'get',
      path: '/v1/protocols',
      summary: 'List protocols',
      description: 'Each in its newest version, the newest protocol first.',
      request: {
        query: z.object({
          limit,
          cursor: did
            .refine(text => entityIdOf(text) !== undefined, 'is not what a page gave as `next`')
            .optional()
            .meta({ description: '`next` of the page before' }),
        }),
      },
      responses: {
        200: answers.json(
          'A page; `next` where there are more',
          z.object({ protocols: z.array(protocolRecord), next: z.string().optional() }),
        ),
        ...problems,
      },
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const query = c.req.valid('query')
      const found = await protocols.list(query.limit + 1, query.cursor)
      const page = found.slice(0, query.limit)
      const last = found.length > page.length ? page.at(-1) : undefined
      return c.json({ protocols: page.map(protocolRecordOf), ...(last ? { next: last.definition.did } : {}) }, 200)
    },
  )

  const newest = defineRoute(
    access,
    {
      method: 'get',
      path: '/v1/protocols/{did}',
      summary: 'The newest version of a protocol',
      request: { params: z.object({ did }) },
      responses: { 200: answers.json('The protocol', protocolRecord), ...problems, ...notFound },
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      return c.json(await find(c.req.valid('param').did), 200)
    },
  )

  const versions = defineRoute(
    access,
    {
      method: 'get',
      path: '/v1/protocols/{did}/versions',
      summary: 'The versions of a protocol',
      description:
        'The newest first. Entities keep the version that they were checked against until they are moved. Its controller ' +
        'retires a version by a PATCH of the protocol with `retiredVersions`.',
      request: {
        params: z.object({ did }),
        query: z.object({ limit, before: version.optional().meta({ description: '`next` of the page before' }) }),
      },
      responses: {
        200: answers.json(
          'A page; `next` where there are more',
          z.object({ did: z.string(), versions: z.array(versionEntry), next: z.int().optional() }),
        ),
        ...problems,
        ...notFound,
      },
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

  const one = defineRoute(
    access,
    {
      method: 'get',
      path: '/v1/protocols/{did}/versions/{version}',
      summary: 'A version of a protocol',
      description: 'It never changes, but that it may be retired.',
      request: { params: z.object({ did, version }) },
      responses: { 200: answers.json('The version', protocolRecord), ...problems, ...notFound },
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const given = c.req.valid('param')
      return c.json(await find(given.did, given.version), 200)
    },
  )

  return [list, newest, versions, one]
}
