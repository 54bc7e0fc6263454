import { defineTool, personalAbility } from '@sibyl/plugin'
import { claimState, collectionId } from '@sibyl/protocol'
import { z } from 'zod'
import { personOf } from '../access/caller.ts'
import { waitingStates } from '../claims/claim-states.ts'
import { type ToolParts, tellClaim, telling, toldClaim } from './tool-parts.ts'

/** The tool `list_claims`. */
export const listClaimsTool = ({ claims, parties }: ToolParts) =>
  defineTool({
    description: 'Lists the claims that the person may see, the newest first.',
    effect: 'read',
    ability: ['claims/read', personalAbility],
    input: z.object({
      state: z.union([z.enum(['waiting', ...claimState.options])]).optional(),
      collection: collectionId.optional(),
      limit: z.int().min(1).max(50).default(10),
    }),
    output: z.object({ count: z.number(), more: z.boolean(), claims: z.array(toldClaim), summary: z.string() }),
    execute: ({ state, collection, limit }, { turn }) =>
      telling(async () => {
        const states = state === 'waiting' ? waitingStates : state && [state]
        const filters = { ...(states ? { states } : {}), ...(collection === undefined ? {} : { collection }) }
        const found = await claims.list(filters, personOf(turn.actor, parties), limit + 1)
        const told = found.slice(0, limit).map(tellClaim)
        const more = found.length > limit
        return { count: told.length, more, claims: told, summary: summaryOf(told, state, more) }
      }),
  })

const summaryOf = (claims: readonly z.infer<typeof toldClaim>[], state: string | undefined, more: boolean): string => {
  const kind = state === undefined ? '' : ` ${state}`
  if (claims.length === 0) return `There are no${kind} claims.`
  const lines = claims.map(
    ({ id, type, asset, state: now }) => `${id}: ${type}${asset === undefined ? '' : ` about ${asset}`}, ${now}`,
  )
  return `${claims.length}${more ? ' and more' : ''}${kind} ${claims.length === 1 ? 'claim' : 'claims'}:\n${lines.join('\n')}`
}
