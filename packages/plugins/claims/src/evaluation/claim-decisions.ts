import type { Caller } from '../access/caller.ts'
import { hasRoleFor, isOwnDecision } from '../claims/claim-rules.ts'
import { claimsFailures, stateConflict } from '../definitions/claims-errors.ts'
import type { ClaimConfirmation } from '../records/claim-records.ts'
import type { DecideClaim, EvaluationDependencies } from './decide-claim.ts'

export type ClaimDecisions = ReturnType<typeof createClaimDecisions>

/**
 * Creates the actions by which people decide claims. Each one throws `claim_not_found`, `claim_role_missing`,
 * `claim_state_conflict`.
 */
export const createClaimDecisions = (parts: EvaluationDependencies, decide: DecideClaim) => {
  const { host, storage, claims, reader, parties, issuer } = parts
  return {
    /** Confirms or overrules a pending verdict. @throws `reason_missing`, `signing_key_missing` */
    async confirm(id: string, { decision, reason }: ClaimConfirmation, by: Caller) {
      const { claim, collection, roles } = await reader.see(id, by)
      if (!hasRoleFor('confirm', roles))
        throw claimsFailures.claim_role_missing({
          rule: "Only an evaluator of the claim's collection may confirm its verdict.",
        })
      const { state, verdict } = claim
      if (state !== 'evaluating' || !verdict) throw stateConflict('confirm', state)
      const overruled = verdict.decision !== 'unsure' && verdict.decision !== decision
      if (reason === undefined && verdict.decision !== decision) throw claimsFailures.reason_missing()
      const why = reason ?? verdict.reasons.join(' ')
      await decide(claim, collection, { before: [], decision, by: by.did, why, verdict, overruled })
    },
    async dispute(id: string, reason: string, by: Caller) {
      const { claim, roles } = await reader.see(id, by)
      if (!hasRoleFor('dispute', roles)) {
        throw claimsFailures.claim_role_missing({
          rule: 'Only the submitter, the controller of the asset or an evaluator may dispute a claim.',
        })
      }
      const step = { action: 'dispute' as const, by: by.did, why: reason }
      await storage.write(tx => claims.move(claim, [step], {}, host.clock.now(), tx))
    },
    /** Ends a dispute. If an approval is invalidated, its credential is revoked. @throws `credential_issuer_missing` */
    async resolve(id: string, resolution: 'uphold' | 'invalidate', reason: string, by: Caller) {
      const { claim, collection, roles } = await reader.see(id, by)
      if (!hasRoleFor('resolve', roles)) throw claimsFailures.claim_role_missing({ rule: resolverRule })
      if (claim.state !== 'disputed') throw stateConflict(resolution, claim.state)
      if (isOwnDecision(claim, collection, by.did, parties)) {
        throw claimsFailures.claim_role_missing({
          rule: `${resolverRule} The party that decided the claim may not, because another one can.`,
        })
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

const resolverRule = "Only the controller of the claim's collection or an evaluator may end a dispute."
