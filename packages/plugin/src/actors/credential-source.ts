import type { Actor } from './actor.ts'

/** Stored credentials of one kind that callers send as `Authorization: Bearer`. */
export interface CredentialSource {
  /** Unique in an oracle; `Grant.credential` has it. */
  readonly name: string
  /** Start of each of its credentials: `sibyl_key_`. */
  readonly prefix: string
  /**
   * Returns the actor of a credential; undefined if it is unknown, expired, revoked, or not valid at this path. Core
   * then checks the rest of the grant, so that the actor has no more rights than its grant.
   */
  find(credential: string, path: string): Promise<Actor | undefined>
  /** Returns the current scopes of a credential by its ID; undefined if it ended. */
  scopesOf(id: string): Promise<readonly string[] | undefined>
  /**
   * True if a user may create API keys with it, where its actor has `api-key/create` by name. A key outlives the
   * credential, so ask the user for that ability.
   */
  readonly mayCreateKeys?: true
  /** Returns parameters for the `WWW-Authenticate` header of rejected requests: `resource_metadata="…"`. */
  challenge?(path: string): string
}
