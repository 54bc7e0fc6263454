import { defineRoute, type HostAccess, type Route } from '@sibyl/plugin'
import {
  collectionCreation,
  collectionId,
  collectionPatch,
  collectionRecord,
  didText,
  type EntityDirectory,
} from '@sibyl/protocol'
import { z } from 'zod'
import { callerOf, demandMaker, type Need } from '../access/caller.ts'
import { knownDid } from '../access/known-did.ts'
import type { Parties } from '../access/parties.ts'
import { body, json, openTo, pageQuery, problem } from '../route-parts.ts'
import { cursorAfter, readCursor } from '../storage/page-cursor.ts'
import { collectionRecordOf } from './collection.ts'
import type { CollectionStore } from './collection-store.ts'
import type { Collections } from './collections.ts'

const manage: Need = { scope: 'write', ability: 'claims/manage' }
const read: Need = { scope: 'read', ability: 'claims/read' }

const params = z.object({ id: collectionId.meta({ description: "The collection's id" }) })

const query = pageQuery.extend({
  protocol: didText.optional().meta({ description: 'The DID of the protocol' }),
})

const page = z.object({ collections: z.array(collectionRecord), next: z.string().optional() })

/** The routes `/v1/collections`. */
export const collectionRoutes = (parts: {
  readonly collections: Collections
  readonly store: CollectionStore
  readonly parties: Parties
  readonly access: HostAccess
  readonly directory: EntityDirectory
}): Route[] => {
  const { collections, store, parties, access, directory } = parts
  return [
    defineRoute(
      openTo(manage.ability),
      {
        method: 'post',
        path: '/v1/collections',
        summary: 'Make a collection of claims',
        description:
          'For the oracle and its controllers, and those to whom one of them gave `claims/manage`. Whoever makes it is its controller. It can add conditions to those of its protocol, never take any away.',
        request: { body: body(collectionCreation) },
        responses: {
          201: json('The collection', collectionRecord),
          400: problem('`input_invalid`'),
          403: problem('`collection_maker_not_allowed`, `scope_missing`'),
          422: problem('`collection_invalid`, with all its faults in `issues`'),
        },
      },
      async c => {
        const caller = callerOf(c.get('actor'), manage, parties)
        demandMaker(c.get('actor'), access, parties)
        const made = await collections.create(c.req.valid('json'), caller)
        return c.json(collectionRecordOf(made), 201, { location: `/v1/collections/${made.id}` })
      },
    ),
    defineRoute(
      openTo(read.ability),
      {
        method: 'get',
        path: '/v1/collections',
        summary: 'Collections of claims, the newest first',
        request: { query },
        responses: {
          200: json('A page of them', page),
          400: problem('`input_invalid`, `cursor_invalid`'),
          403: problem('`scope_missing`'),
        },
      },
      async c => {
        callerOf(c.get('actor'), read, parties)
        const { limit, cursor, ...filters } = c.req.valid('query')
        const wanted = { of: 'collections', ...filters }
        const found = await store.list(
          filters.protocol === undefined ? {} : { protocol: await knownDid(filters.protocol, directory) },
          limit + 1,
          readCursor(cursor, wanted),
        )
        const shown = found.slice(0, limit)
        const last = found.length > limit ? shown.at(-1) : undefined
        return c.json(
          { collections: shown.map(collectionRecordOf), ...(last ? { next: cursorAfter(last.id, wanted) } : {}) },
          200,
        )
      },
    ),
    defineRoute(
      openTo(read.ability),
      {
        method: 'get',
        path: '/v1/collections/{id}',
        summary: 'One collection of claims',
        request: { params },
        responses: {
          200: json('The collection', collectionRecord),
          400: problem('`input_invalid`'),
          403: problem('`scope_missing`'),
          404: problem('`collection_not_found`'),
        },
      },
      async c => {
        callerOf(c.get('actor'), read, parties)
        return c.json(collectionRecordOf(await collections.get(c.req.valid('param').id)), 200)
      },
    ),
    defineRoute(
      openTo(manage.ability),
      {
        method: 'patch',
        path: '/v1/collections/{id}',
        summary: 'Close or open a collection, or change its window, quota and versions of the protocol',
        description:
          'For its controller alone. Conditions and evaluators stay as they were made. `acceptedProtocolVersion` accepts ' +
          'newer versions of a protocol that somebody else controls; verdicts under others wait for a person.',
        request: { params, body: body(collectionPatch) },
        responses: {
          200: json('The collection', collectionRecord),
          400: problem('`input_invalid`'),
          403: problem('`collection_controller_needed`, `scope_missing`'),
          404: problem('`collection_not_found`'),
          422: problem('`collection_invalid`'),
        },
      },
      async c => {
        const caller = callerOf(c.get('actor'), manage, parties)
        const changed = await collections.change(c.req.valid('param').id, c.req.valid('json'), caller)
        return c.json(collectionRecordOf(changed), 200)
      },
    ),
  ]
}
