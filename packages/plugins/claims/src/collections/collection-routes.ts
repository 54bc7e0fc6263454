import { type Host, listErrors, page, type Route, route } from '@sibyl/plugin'
import { didText, type entityDirectory, type ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { callerOf, demandMaker, type Need, openTo } from '../access/caller.ts'
import { knownDid, type Parties } from '../access/parties.ts'
import { claimsFailures } from '../definitions/claims-errors.ts'
import { collectionCreation, collectionId, collectionPatch, collectionRecord } from '../records/collection-records.ts'
import { type Collection, collectionRecordOf } from './collection.ts'
import type { CollectionStore } from './collection-store.ts'
import type { Collections } from './collections.ts'

const manage: Need = { scope: 'write', ability: 'claims/manage' }
const read: Need = { scope: 'read', ability: 'claims/read' }

const params = z.object({ id: collectionId.meta({ description: 'Id of the collection' }) })

const collectionPage = page({ name: 'collections', item: collectionRecord })

const query = collectionPage.query.extend({
  protocol: didText.optional().meta({ description: 'DID of the protocol' }),
})

/** Creates the routes `/v1/collections`. */
export const collectionRoutes = (parts: {
  readonly collections: Collections
  readonly store: CollectionStore
  readonly parties: Parties
  readonly host: Pick<Host, 'access' | 'grants'>
  readonly directory: ServiceOf<typeof entityDirectory>
}): Route[] => {
  const { collections, store, parties, host, directory } = parts
  return [
    route.post(
      '/v1/collections',
      {
        auth: openTo(manage.ability),
        summary: 'Create a collection of claims',
        description:
          'For the oracle, its controllers, operators who signed in, and callers to whom one of them gave `claims/manage`. The caller becomes its controller. A collection can add conditions to those of its protocol, but cannot remove any.',
        body: collectionCreation,
        ok: { 201: { description: 'The collection', schema: collectionRecord } },
        errors: [
          claimsFailures.collection_maker_not_allowed,
          claimsFailures.scope_missing,
          claimsFailures.collection_invalid,
        ],
      },
      async c => {
        const caller = callerOf(c.get('actor'), manage, parties)
        demandMaker(c.get('actor'), host)
        const made = await collections.create(c.req.valid('json'), caller)
        return c.json(collectionRecordOf(made), 201, { location: `/v1/collections/${made.id}` })
      },
    ),
    route.get(
      '/v1/collections',
      {
        auth: openTo(read.ability),
        summary: 'List collections of claims, newest first',
        query,
        ok: { 200: { description: 'A page of collections', schema: collectionPage.response } },
        errors: [listErrors.cursor_invalid, claimsFailures.scope_missing],
      },
      async c => {
        callerOf(c.get('actor'), read, parties)
        const { limit, cursor, ...filters } = c.req.valid('query')
        const found = await store.list(
          filters.protocol === undefined ? {} : { protocol: await knownDid(filters.protocol, directory) },
          limit + 1,
          collectionPage.read(cursor, filters),
        )
        const settings = { limit, filters, keyOf: ({ id }: Collection) => id, itemOf: collectionRecordOf }
        return c.json(collectionPage.make(found, settings), 200)
      },
    ),
    route.get(
      '/v1/collections/{id}',
      {
        auth: openTo(read.ability),
        summary: 'Get a collection of claims',
        params,
        ok: { 200: { description: 'The collection', schema: collectionRecord } },
        errors: [claimsFailures.scope_missing, claimsFailures.collection_not_found],
      },
      async c => {
        callerOf(c.get('actor'), read, parties)
        return c.json(collectionRecordOf(await collections.get(c.req.valid('param').id)), 200)
      },
    ),
    route.patch(
      '/v1/collections/{id}',
      {
        auth: openTo(manage.ability),
        summary: 'Close or open a collection, or change its window, quota and protocol versions',
        description:
          'For its controller only. Conditions and evaluators cannot change. `acceptedProtocolVersion` accepts ' +
          'newer versions of a protocol that another party controls; verdicts under other versions wait for a person.',
        params,
        body: collectionPatch,
        ok: { 200: { description: 'The collection', schema: collectionRecord } },
        errors: [
          claimsFailures.collection_controller_needed,
          claimsFailures.scope_missing,
          claimsFailures.collection_not_found,
          claimsFailures.collection_invalid,
        ],
      },
      async c => {
        const caller = callerOf(c.get('actor'), manage, parties)
        const changed = await collections.change(c.req.valid('param').id, c.req.valid('json'), caller)
        return c.json(collectionRecordOf(changed), 200)
      },
    ),
  ]
}
