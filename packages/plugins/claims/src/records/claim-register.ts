import { type ServiceToken, serviceToken } from '@sibyl/protocol'
import type { ClaimRecord } from './claim-records.ts'

/** Reads claims for other plugins, such as one that writes a report of them. */
export interface ClaimRegister {
  /**
   * Returns the claims that a user may see, newest first: their own, those about entities that they control, and those
   * of collections that they control or judge.
   *
   * @param request.did The user.
   * @param request.collection The id of a collection, for its claims only.
   * @param request.limit At most 1,000. @default 1000
   */
  list(request: {
    readonly did: string
    readonly collection?: string
    readonly limit?: number
  }): Promise<readonly ClaimRecord[]>
}

/** The service of the plugin that keeps claims. @example host.service(claimRegister).list({ did: turn.actor.did }) */
export const claimRegister: ServiceToken<ClaimRegister> = serviceToken('claim-register')
