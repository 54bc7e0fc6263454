import {
  type Clock,
  defineTool,
  isOracleError,
  isToolFailure,
  personalAbility,
  ToolFailure,
  type Tools,
} from '@sibyl/plugin'
import type { entityDirectory, ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { evaluatorOf, personOf } from './access/caller.ts'
import type { Parties } from './access/parties.ts'
import { type Claim, claimIdForm, waitingStates } from './claims/claim.ts'
import type { ClaimReader } from './claims/claim-reader.ts'
import type { ClaimStore } from './claims/claim-store.ts'
import type { SubmitClaim } from './claims/submit-claim.ts'
import { closedBecause } from './collections/collection.ts'
import type { CollectionStore } from './collections/collection-store.ts'
import type { ClaimDecisions } from './evaluation/claim-decisions.ts'
import type { Evaluation } from './evaluation/evaluate-claim.ts'
import { claimCreation, claimDispute, claimState } from './records/claim-records.ts'
import { collectionId } from './records/collection-records.ts'

interface ToolDependencies {
  readonly submit: SubmitClaim
  readonly claims: ClaimStore
  readonly collections: CollectionStore
  readonly reader: ClaimReader
  readonly evaluation: Evaluation
  readonly decisions: ClaimDecisions
  readonly directory: ServiceOf<typeof entityDirectory>
  readonly parties: Parties
  readonly clock: Clock
}

/** Id of a claim in tool input. */
const claimIdInput = z
  .string()
  .max(64)
  .regex(claimIdForm, 'must be the id of a claim')
  .meta({ examples: ['01938f6a-7c1e-7b7a-9c55-3f1d1f1f7a55'] })

/** A claim in tool output. */
const describedClaim = z.object({
  id: z.string(),
  state: z.string(),
  type: z.string(),
  asset: z.string().optional(),
  collection: z.string(),
  submitter: z.string(),
  channel: z.string(),
  reasons: z.array(z.string()).optional(),
  credential: z.string().optional(),
})

/** Returns a claim for the agent, without its data. */
const describeClaim = ({ id, state, type, asset, collection, submitter, channel, verdict, credential }: Claim) => ({
  id,
  state,
  type,
  asset,
  collection,
  submitter,
  channel,
  ...(verdict ? { reasons: [...verdict.reasons] } : {}),
  ...(credential?.id === undefined ? {} : { credential: credential.id }),
})

/** Passes on errors whose text is safe for users; masks all others. */
const reportFailures = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    const isForPeople = isOracleError(error) && error.status < 600 && error.status !== 500
    throw isForPeople && !isToolFailure(error) ? new ToolFailure(error.message, { cause: error }) : error
  }
}

const sample = 'did:web:localhost%3A3000:entities:01jd3s1v8zf3m9kq2w7c5x4b6n'

/** Creates the tools that submit, evaluate, dispute and list claims. */
export const claimTools = (parts: ToolDependencies): Tools => {
  const { submit, claims, reader, evaluation, decisions, parties } = parts
  return {
    list_claims: defineTool({
      description: 'Lists the claims that the user may see, newest first.',
      effect: 'read',
      ability: ['claims/read', personalAbility],
      input: z.object({
        state: z.union([z.enum(['waiting', ...claimState.options])]).optional(),
        collection: collectionId.optional(),
        limit: z.int().min(1).max(50).default(10),
      }),
      output: z.object({ count: z.number(), more: z.boolean(), claims: z.array(describedClaim), summary: z.string() }),
      execute: ({ state, collection, limit }, { turn }) =>
        reportFailures(async () => {
          const states = state === 'waiting' ? waitingStates : state && [state]
          const filters = { ...(states ? { states } : {}), collection }
          const found = await claims.list(filters, personOf(turn.actor, parties), limit + 1)
          const reported = found.slice(0, limit).map(describeClaim)
          const more = found.length > limit
          return { count: reported.length, more, claims: reported, summary: summaryOf(reported, state, more) }
        }),
    }),
    submit_claim: defineTool({
      description:
        "Submits a claim about an entity on behalf of the user. Data is an object in the form that the entity's protocol defines.",
      effect: 'write',
      repeatable: true,
      ability: ['claims/submit', personalAbility],
      approval: 'user',
      describe: ({ asset }) => `Submit a claim${asset === undefined ? '' : ` about ${asset}`} in your name.`,
      input: claimCreation
        .pick({ data: true, type: true, evidence: true })
        .extend({
          asset: claimCreation.shape.asset.meta({ description: 'DID of the entity', examples: [sample] }),
          collection: collectionId.optional().describe('required if several collections accept the claim'),
          data: claimCreation.shape.data.meta({ examples: ['{"hours":3}'] }),
        })
        .strip(),
      output: describedClaim,
      execute: ({ asset, collection, data, type, evidence }, { turn, idempotencyKey }) =>
        reportFailures(async () => {
          const { did } = personOf(turn.actor, parties)
          const creation = {
            collection: collection ?? (await onlyCollection(asset, parts)),
            data,
            asset,
            type,
            evidence,
          }
          const { claim } = await submit(creation, {
            ...{ did, actor: turn.actor, channel: turn.channel, idempotencyKey },
          })
          return describeClaim(claim)
        }),
    }),
    evaluate_claim: defineTool({
      description:
        'Evaluates a claim by the method of its collection: by rules, by the agent, or by a person who decides.',
      effect: 'write',
      ability: 'claims/evaluate',
      approval: 'user',
      describe: ({ id }) => `Evaluate the claim ${id}. If it is approved, a credential is issued.`,
      input: z.object({ id: claimIdInput }),
      output: describedClaim.extend({ outcome: z.string() }),
      execute: ({ id }, { turn }) =>
        reportFailures(async () => {
          const caller = evaluatorOf(turn.actor, parties)
          const { pending } = await evaluation.evaluate(id, caller, turn.actor)
          const { claim } = await reader.see(id, caller)
          const waits = claim.state === 'evaluating' && !pending
          return {
            ...describeClaim(claim),
            outcome: pending ? 'being judged by the agent' : waits ? 'waiting for a person to decide' : claim.state,
          }
        }),
    }),
    dispute_claim: defineTool({
      description: "Disputes the decision about a claim on behalf of the user, with the user's reason.",
      effect: 'write',
      ability: ['claims/submit', personalAbility],
      approval: 'user',
      describe: ({ id }) => `Dispute the decision about the claim ${id}.`,
      input: claimDispute
        .extend({ id: claimIdInput, reason: claimDispute.shape.reason.meta({ examples: ['the stove was in use'] }) })
        .strip(),
      output: describedClaim,
      execute: ({ id, reason }, { turn }) =>
        reportFailures(async () => {
          const caller = personOf(turn.actor, parties)
          await decisions.dispute(id, reason, caller)
          return describeClaim((await reader.see(id, caller)).claim)
        }),
    }),
  }
}

const summaryOf = (
  claims: readonly z.infer<typeof describedClaim>[],
  state: string | undefined,
  more: boolean,
): string => {
  const kind = state === undefined ? '' : ` ${state}`
  if (claims.length === 0) return `There are no${kind} claims.`
  const lines = claims.map(
    ({ id, type, asset, state: now }) => `${id}: ${type}${asset === undefined ? '' : ` about ${asset}`}, ${now}`,
  )
  return `${claims.length}${more ? ' and more' : ''}${kind} ${claims.length === 1 ? 'claim' : 'claims'}:\n${lines.join('\n')}`
}

/** Returns the only collection that currently accepts claims about an asset. */
const onlyCollection = async (
  asset: string | undefined,
  { directory, collections, clock }: ToolDependencies,
): Promise<string> => {
  if (asset === undefined) throw new ToolFailure('Name the entity that the claim is about, or the collection.')
  const entity = (await directory.find([asset])).get(asset)
  if (!entity) throw new ToolFailure('The entity is unknown here.')
  const { protocol } = entity
  const found = protocol ? await collections.list({ protocol: protocol.did, open: true }, 20) : []
  const open = found.filter(one => closedBecause(one, clock.now()) === undefined)
  const [only] = open
  if (!only) throw new ToolFailure('No collection accepts claims about that entity now.')
  if (open.length === 1) return only.id
  const listed = open.map(({ id, title }) => `${title} (${id})`).join(', ')
  throw new ToolFailure(`Several collections accept claims about that entity. Name one: ${listed}.`)
}
