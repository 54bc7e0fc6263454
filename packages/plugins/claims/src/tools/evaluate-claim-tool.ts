import { defineTool } from '@sibyl/plugin'
import { z } from 'zod'
import { evaluatorOf } from '../access/caller.ts'
import { claimIdInput, type ToolParts, tellClaim, telling, toldClaim } from './tool-parts.ts'

/** The tool `evaluate_claim`. */
export const evaluateClaimTool = ({ evaluation, reader, parties }: ToolParts) =>
  defineTool({
    description: 'Evaluates a claim as its collection says: by rules, by the agent, or for a person to decide.',
    effect: 'write',
    ability: 'claims/evaluate',
    approval: 'user',
    describe: ({ id }) => `Evaluate the claim ${id}. If it is approved, a credential is issued.`,
    input: z.object({ id: claimIdInput }),
    output: toldClaim.extend({ outcome: z.string() }),
    execute: ({ id }, { turn }) =>
      telling(async () => {
        const caller = evaluatorOf(turn.actor, parties)
        const { pending } = await evaluation.evaluate(id, caller, turn.actor)
        const { claim } = await reader.see(id, caller)
        const waits = claim.state === 'evaluating' && !pending
        return {
          ...tellClaim(claim),
          outcome: pending ? 'being judged by the agent' : waits ? 'waiting for a person to decide' : claim.state,
        }
      }),
  })
