import { type Clock, isOracleError, isToolFailure, ToolFailure } from '@sibyl/plugin'
import type { EntityDirectory } from '@sibyl/protocol'
import { z } from 'zod'
import type { Parties } from '../access/parties.ts'
import type { Claim } from '../claims/claim.ts'
import { claimIdForm } from '../claims/claim-id.ts'
import type { ClaimReader } from '../claims/claim-reader.ts'
import type { ClaimStore } from '../claims/claim-store.ts'
import type { SubmitClaim } from '../claims/submit-claim.ts'
import type { CollectionStore } from '../collections/collection-store.ts'
import type { Evaluation } from '../evaluation/evaluate-claim.ts'
import type { Settlement } from '../evaluation/settle-claims.ts'

export interface ToolParts {
  readonly submit: SubmitClaim
  readonly claims: ClaimStore
  readonly collections: CollectionStore
  readonly reader: ClaimReader
  readonly evaluation: Evaluation
  readonly settlement: Settlement
  readonly directory: EntityDirectory
  readonly parties: Parties
  readonly clock: Clock
}

/** The id of a claim as people and models give it. */
export const claimIdInput = z
  .string()
  .max(64)
  .regex(claimIdForm, 'must be the id of a claim')
  .meta({ examples: ['01938f6a-7c1e-7b7a-9c55-3f1d1f1f7a55'] })

/** A claim as tools give it back. */
export const toldClaim = z.object({
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

/** A claim for the agent, without its data. */
export const tellClaim = ({ id, state, type, asset, collection, submitter, channel, verdict, credential }: Claim) => ({
  id,
  state,
  type,
  ...(asset === undefined ? {} : { asset }),
  collection,
  submitter,
  channel,
  ...(verdict ? { reasons: [...verdict.reasons] } : {}),
  ...(credential?.id === undefined ? {} : { credential: credential.id }),
})

/** Lets errors that are meant for people through as they are; all others stay masked. */
export const telling = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    const isForPeople = isOracleError(error) && error.status < 600 && error.status !== 500
    throw isForPeople && !isToolFailure(error) ? new ToolFailure(error.message, { cause: error }) : error
  }
}
