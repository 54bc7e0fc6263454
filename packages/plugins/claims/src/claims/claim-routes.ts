import { listErrors, page, type Route, route } from '@sibyl/plugin'
import { didText, type entityDirectory, type ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { callerOf, type Need, openTo } from '../access/caller.ts'
import { knownDid, type Parties } from '../access/parties.ts'
import { claimsFailures } from '../definitions/claims-errors.ts'
import { claimCreation, claimDetails, claimRecord, claimState } from '../records/claim-records.ts'
import { collectionId } from '../records/collection-records.ts'
import { claimIdForm, claimRecordOf, waitingStates } from './claim.ts'
import type { ClaimReader } from './claim-reader.ts'
import type { ClaimStore } from './claim-store.ts'
import type { SubmitClaim } from './submit-claim.ts'

const submitting: Need = { scope: 'write', ability: 'claims/submit' }
const reading: Need = { scope: 'read', ability: 'claims/read' }

/** Path parameters of one claim. */
export const claimParams = z.object({
  id: z
    .string()
    .max(64)
    .regex(claimIdForm, 'must be the id of a claim')
    .meta({ description: 'Id of the claim', example: '01938f6a-7c1e-7b7a-9c55-3f1d1f1f7a55' }),
})

const headers = z.object({
  'idempotency-key': z.string().min(1).max(200).optional().meta({
    description: 'The same key with the same claim returns that claim; the same key with another claim is rejected',
  }),
})

const claimPage = page({ name: 'claims', item: claimRecord })

const query = claimPage.query.extend({
  state: z
    .union([claimState, z.literal('waiting')])
    .optional()
    .meta({ description: '`waiting`: submitted, evaluating or disputed' }),
  collection: collectionId.optional(),
  asset: didText.optional(),
  submitter: didText.optional(),
  deciding: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Only claims that wait for a decision of the caller' }),
  order: z.enum(['newest', 'oldest']).optional().meta({ description: 'Which claims come first; default: newest' }),
})

/** Creates the routes `/v1/claims` that submit and list claims. */
export const claimRoutes = (parts: {
  readonly submit: SubmitClaim
  readonly claims: ClaimStore
  readonly reader: ClaimReader
  readonly parties: Parties
  readonly directory: ServiceOf<typeof entityDirectory>
}): Route[] => {
  const { submit, claims, reader, parties, directory } = parts
  return [
    route.post(
      '/v1/claims',
      {
        auth: openTo(submitting.ability),
        summary: 'Submit a claim',
        description:
          "For the asset's controller, or the submitters of the collection. A repeated claim by the same submitter returns the existing claim in its current state.",
        headers,
        body: claimCreation,
        ok: {
          201: { description: 'The claim', schema: claimRecord },
          200: { description: 'The existing claim', schema: claimRecord },
        },
        errors: [
          claimsFailures.submitter_not_allowed,
          claimsFailures.scope_missing,
          claimsFailures.claim_quota_reached,
          claimsFailures.claim_space_full,
          claimsFailures.claim_invalid,
          claimsFailures.idempotency_key_reused,
        ],
      },
      async c => {
        const actor = c.get('actor')
        const { did } = callerOf(actor, submitting, parties)
        const key = c.req.valid('header')['idempotency-key']
        const { claim, repeated } = await submit(c.req.valid('json'), {
          ...{ did, actor },
          channel: 'api',
          idempotencyKey: key,
        })
        const location = { location: `/v1/claims/${claim.id}` }
        return repeated ? c.json(claimRecordOf(claim), 200, location) : c.json(claimRecordOf(claim), 201, location)
      },
    ),
    route.get(
      '/v1/claims',
      {
        auth: openTo(reading.ability),
        summary: 'List claims',
        description:
          "An API key sees all claims. A UCAN sees claims that its holder submitted, claims about the holder's assets, and claims of collections that the holder controls or evaluates. `deciding=true&order=oldest` is the queue of an evaluator: waiting claims of collections that the caller evaluates, and disputed ones of collections that the caller controls.",
        query,
        ok: { 200: { description: 'A page of claims', schema: claimPage.response } },
        errors: [listErrors.cursor_invalid, claimsFailures.scope_missing],
      },
      async c => {
        const caller = callerOf(c.get('actor'), reading, parties)
        const { limit, cursor, ...filters } = c.req.valid('query')
        const { state, collection, asset, submitter, deciding, order } = filters
        const found = await claims.list(
          {
            ...(state === undefined ? {} : { states: state === 'waiting' ? waitingStates : [state] }),
            collection,
            ...(asset === undefined ? {} : { asset: await knownDid(asset, directory) }),
            ...(submitter === undefined ? {} : { submitter: parties.partyOf(submitter) }),
            deciding: deciding === 'true',
          },
          caller,
          limit + 1,
          { after: claimPage.read(cursor, filters), order },
        )
        return c.json(claimPage.make(found, { limit, filters, keyOf: ({ id }) => id, itemOf: claimRecordOf }), 200)
      },
    ),
    route.get(
      '/v1/claims/{id}',
      {
        auth: openTo(reading.ability),
        summary: 'Get a claim with its transitions',
        description: 'Answers 404 for a claim in which the caller has no role.',
        params: claimParams,
        ok: { 200: { description: 'The claim', schema: claimDetails } },
        errors: [claimsFailures.scope_missing, claimsFailures.claim_not_found],
      },
      async c => {
        const caller = callerOf(c.get('actor'), reading, parties)
        return c.json(await reader.details(c.req.valid('param').id, caller), 200)
      },
    ),
  ]
}
