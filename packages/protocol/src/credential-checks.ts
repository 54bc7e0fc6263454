import type { JsonValue } from './json-value.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

/** The content of a verified credential, or the reason why verification failed, safe to show. */
export type CheckedCredential =
  | { readonly verified: true; readonly id?: string; readonly type: string; readonly issuer: string }
  | { readonly verified: false; readonly detail: string }

/** Verifies a whole credential: its form, proofs, validity and status. Never rejects. */
export type CredentialCheck = (credential: { readonly [member: string]: JsonValue }) => Promise<CheckedCredential>

/** The registry for the plugin that verifies credentials. */
export interface CredentialChecks {
  /** Verifies every whole credential that an entity is registered with from now on. */
  use(check: CredentialCheck): void
}

/** Provided by the plugin that keeps entities. @example host.optionalService(credentialChecks)?.use(check) */
export const credentialChecks: ServiceToken<CredentialChecks> = serviceToken('credential-checks')
