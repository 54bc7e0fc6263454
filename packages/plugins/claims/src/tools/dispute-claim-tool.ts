import { defineTool, personalAbility } from '@sibyl/plugin'
import { claimDispute } from '@sibyl/protocol'
import { personOf } from '../access/caller.ts'
import { claimIdInput, type ToolParts, tellClaim, telling, toldClaim } from './tool-parts.ts'

/** The tool `dispute_claim`. */
export const disputeClaimTool = ({ settlement, reader, parties }: ToolParts) =>
  defineTool({
    description: 'Disputes the decision about a claim, as the person, with their reason.',
    effect: 'write',
    ability: ['claims/submit', personalAbility],
    approval: 'user',
    describe: ({ id, reason }) => `Dispute the decision about the claim ${id}, because: ${reason}`,
    input: claimDispute
      .extend({ id: claimIdInput, reason: claimDispute.shape.reason.meta({ examples: ['the stove was in use'] }) })
      .strip(),
    output: toldClaim,
    execute: ({ id, reason }, { turn }) =>
      telling(async () => {
        const caller = personOf(turn.actor, parties)
        await settlement.dispute(id, reason, caller)
        return tellClaim((await reader.see(id, caller)).claim)
      }),
  })
