import { type Host, type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entityParams } from '../access/route-answers.ts'
import { entitiesErrors, entitiesFailures } from '../errors/entities-errors.ts'
import { historyRecord, proofRecord } from '../records/history-records.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { type ProvenEntities, proveEntity } from './prove-entity.ts'
import { readPage } from './read-chain.ts'

const version = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const checks = [
  'versions are consecutive, from 1',
  'each previousHash is the hash of the previous link, and empty in the first',
  "each hash is the SHA-256 of the canonical JSON (RFC 8785) of did, version, kind, at, by, change and previousHash; for a link that was erased together with a person's data, the signature of its erasure is valid instead",
  "each signer is a key of this oracle's DID document, in use or retired",
  'each signature is an Ed25519 signature over the 32 bytes of the hash, by the key of its signer',
  'with the last link: the entity matches its links from the last state that the oracle signed, and none is missing at the end',
]

/**
 * Creates `GET /v1/entities/{did}/history` and `/proof`.
 *
 * @param perMinute requests of one address; 0 means no limit
 */
export const historyRoutes = (
  read: EntitiesStorage['read'],
  reader: ProvenEntities,
  identity: Pick<Host['identity'], 'keys'>,
  perMinute: number,
): readonly Route[] => {
  const find = async (given: string) => {
    const entity = await reader.find(given)
    if (!entity) throw entitiesFailures.entity_not_found()
    return entity
  }
  const keys = async () => new Set((await identity.keys()).map(({ did }) => did))
  const options = { rateLimit: { name: 'entities-history', perMinute } }
  return [
    route.get(
      '/v1/entities/{did}/history',
      {
        auth: entitiesAccess('read'),
        summary: 'List the changes of an entity, newest first',
        params: entityParams,
        query: z.object({
          limit: z.coerce.number().int().min(1).max(200).default(50),
          before: version.optional().meta({ description: 'Only changes before this version' }),
        }),
        ok: { 200: { description: 'A page of changes', schema: historyRecord } },
        errors: [
          entitiesErrors.scope_missing,
          entitiesFailures.entity_not_found,
          { code: 'rate_limited', status: 429 },
        ],
        ...options,
      },
      async c => {
        actingAs(c.get('actor'), 'read')
        const entity = await find(c.req.valid('param').did)
        const { limit, before } = c.req.valid('query')
        const { parts, more } = await readPage(read, entity, { before, order: 'descending', limit })
        const links = parts.flatMap(part => part.links)
        const events = links.map(({ version, kind, at, by, change, hash, erasure }) => ({
          ...{ version, kind, at, by, change, hash },
          ...(erasure ? { erasedAt: erasure.at } : {}),
        }))
        return c.json({ events, ...(more ? { next: links.at(-1)?.version } : {}) }, 200)
      },
    ),
    route.get(
      '/v1/entities/{did}/proof',
      {
        auth: entitiesAccess('read'),
        summary: "Get an entity's signed chain of hashes",
        description:
          'Everything needed to verify the history without trusting this response; the decision page on the chain of hashes ' +
          'describes the steps.',
        params: entityParams,
        query: z.object({
          limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
          after: version.optional().meta({ description: 'Only links after this version' }),
        }),
        ok: { 200: { description: 'The links and the result of their verification', schema: proofRecord } },
        errors: [
          entitiesErrors.scope_missing,
          entitiesFailures.entity_not_found,
          { code: 'rate_limited', status: 429 },
          entitiesErrors.history_unfinished,
        ],
        ...options,
      },
      async c => {
        actingAs(c.get('actor'), 'read')
        const entity = await find(c.req.valid('param').did)
        const { limit, after = 0 } = c.req.valid('query')
        const { links, verdict, next } = await proveEntity({ read, reader, keys }, entity, { after, limit })
        return c.json({ did: entity.did, links: [...links], ...verdict, checks, ...(next ? { next } : {}) }, 200)
      },
    ),
  ]
}
