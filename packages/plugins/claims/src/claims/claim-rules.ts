import type { Parties } from '../access/parties.ts'
import type { Collection } from '../collections/collection.ts'
import type { ClaimDecision } from '../records/claim-records.ts'
import type { Claim } from './claim.ts'

/** Roles of a party in a claim. */
export type ClaimRole = 'submitter' | 'asset-controller' | 'evaluator' | 'collection-controller'

/** Roles that allow each decision. */
const deciders: Readonly<Record<ClaimDecision, readonly ClaimRole[]>> = {
  evaluate: ['evaluator'],
  confirm: ['evaluator'],
  dispute: ['submitter', 'asset-controller', 'evaluator'],
  resolve: ['evaluator', 'collection-controller'],
}

/** Returns whether one of the roles allows a decision. */
export const hasRoleFor = (decision: ClaimDecision, roles: ReadonlySet<ClaimRole>): boolean =>
  deciders[decision].some(role => roles.has(role))

/** Returns whether a party decided the claim and another party could end its dispute. */
export const isOwnDecision = (
  { decision }: Claim,
  { controller, evaluators }: Collection,
  did: string,
  parties: Parties,
): boolean => {
  const decider = decision?.by
  return (
    decider !== undefined &&
    parties.isSame(decider, did) &&
    [controller, ...evaluators].some(one => !parties.isSame(one, decider))
  )
}

/** Returns the decisions that are open in the state of a claim and allowed to a party by its roles. */
export const allowedDecisions = (
  claim: Claim,
  collection: Collection,
  { did, roles }: { readonly did: string; readonly roles: ReadonlySet<ClaimRole> },
  parties: Parties,
): ClaimDecision[] =>
  openDecisions(claim).filter(
    decision =>
      hasRoleFor(decision, roles) && !(decision === 'resolve' && isOwnDecision(claim, collection, did, parties)),
  )

const openDecisions = ({ state, verdict }: Claim): readonly ClaimDecision[] => {
  switch (state) {
    case 'submitted':
      return ['evaluate']
    case 'evaluating':
      return verdict ? ['confirm'] : ['evaluate']
    case 'approved':
    case 'rejected':
      return ['dispute']
    case 'disputed':
      return ['resolve']
    default:
      return []
  }
}
