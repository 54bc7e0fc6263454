import type { ClaimConfirmation } from '@sibyl/protocol'
import type { Caller } from '../access/caller.ts'
import { ClaimRoleMissing, ClaimStateConflict } from '../claims/claim-errors.ts'
import { claimsFailures } from '../claims-errors.ts'
import type { Collection } from '../collections/collection.ts'
import { createDecideClaim, type DecideClaim } from './decide-claim.ts'

import type { EvaluationParts } from './evaluation-parts.ts'

/** What people decide of claims. */
export interface Settlement {
  /**
   * Confirms or overrules a verdict that waits. Throws `claim_not_found`, `claim_role_missing`, `claim_state_conflict`,
   * `reason_missing` where the decision is another than the verdict's, `signing_key_missing`.
   */
  confirm(id: string, confirmation: ClaimConfirmation, by: Caller): Promise<void>
  /** Disputes a decision. Throws `claim_not_found`, `claim_role_missing`, `claim_state_conflict`. */
  dispute(id: string, reason: string, by: Caller): Promise<void>
  /**
   * Ends a dispute: the decision stands or falls. With an approval that falls, the credential is revoked. Throws
   * `claim_not_found`, `claim_role_missing`, `claim_state_conflict`, `credential_issuer_missing`.
   */
  resolve(id: string, resolution: 'uphold' | 'invalidate', reason: string, by: Caller): Promise<void>
}

/** Makes what people decide of claims. */
export const createSettlement = (
  parts: EvaluationParts,
  decide: DecideClaim = createDecideClaim(parts),
): Settlement => {
  const { host, storage, claims, reader, parties, issuer } = parts
  return {
    async confirm(id, { decision, reason }, by) {
      const { claim, collection, roles } = await reader.see(id, by)
      if (!roles.has('evaluator'))
        throw new ClaimRoleMissing('Only an evaluator of its collection may confirm a verdict.')
      const { state, verdict } = claim
      if (state !== 'evaluating' || !verdict) throw new ClaimStateConflict('confirm', state)
      const overruled = verdict.decision !== 'unsure' && verdict.decision !== decision
      if (reason === undefined && verdict.decision !== decision) throw claimsFailures.reason_missing()
      const why = reason ?? verdict.reasons.join(' ')
      await decide(claim, collection, { before: [], decision, by: by.did, why, verdict, overruled })
    },
    async dispute(id, reason, by) {
      const { claim, roles } = await reader.see(id, by)
      if (!roles.has('submitter') && !roles.has('asset-controller') && !roles.has('evaluator')) {
        throw new ClaimRoleMissing(
          'Only its submitter, the controller of its asset or an evaluator may dispute a claim.',
        )
      }
      const step = { action: 'dispute' as const, by: by.did, why: reason }
      await storage.write(tx => claims.move(claim, [step], {}, host.clock.now(), tx))
    },
    async resolve(id, resolution, reason, by) {
      const { claim, collection, roles } = await reader.see(id, by)
      const decider = claim.decision?.by
      if (!roles.has('evaluator') && !roles.has('collection-controller')) throw new ClaimRoleMissing(resolverRule)
      if (claim.state !== 'disputed') throw new ClaimStateConflict(resolution, claim.state)
      if (decider !== undefined && parties.isSame(decider, by.did) && hasOther(collection, decider, parts)) {
        throw new ClaimRoleMissing(`${resolverRule} Somebody else than who decided it has to.`)
      }
      const { credential } = claim
      const revoked = resolution === 'invalidate' && credential?.status === 'issued' ? credential.id : undefined
      if (revoked !== undefined && !issuer) throw claimsFailures.credential_issuer_missing()
      const change = {
        ...(revoked === undefined ? {} : { credential: { status: 'revoked' as const, id: revoked } }),
        ...(resolution === 'invalidate' && !credential ? { frees: true } : {}),
      }
      await storage.write(async tx => {
        await claims.move(claim, [{ action: resolution, by: by.did, why: reason }], change, host.clock.now(), tx)
        if (revoked !== undefined) await issuer?.revoke(revoked, by.did, reason, tx)
      })
    },
  }
}

const resolverRule = 'Only the controller of its collection or an evaluator may end a dispute.'

/** Whether somebody else than who decided could end the dispute. */
const hasOther = ({ controller, evaluators }: Collection, decider: string, { parties }: EvaluationParts): boolean =>
  [controller, ...evaluators].some(one => !parties.isSame(one, decider))
