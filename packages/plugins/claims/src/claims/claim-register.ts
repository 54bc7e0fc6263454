import type { ClaimRegister } from '@sibyl/protocol'
import { personOf } from '../access/caller.ts'
import type { Parties } from '../access/parties.ts'
import { claimRecordOf } from './claim.ts'
import type { ClaimStore } from './claim-store.ts'

/** The most claims of a list. */
const mostListed = 1_000

/** Reads claims for other plugins, each as the person for whom they ask. */
export const createClaimRegister = (claims: ClaimStore, parties: Parties): ClaimRegister => ({
  async list({ did, collection, limit = mostListed }) {
    const filters = collection === undefined ? {} : { collection }
    const found = await claims.list(filters, personOf({ did }, parties), Math.min(limit, mostListed))
    return found.map(claimRecordOf)
  },
})
