import type { McpServerAddress } from '@sibyl/mcp-client'
import type { Manifest, RequiredAbility } from '@sibyl/plugin'

/** Whom a server takes the oracle for. */
export type ServerIdentity =
  /** Itself: one connection for all. */
  | { readonly kind: 'oracle' }
  /** Somebody who acts for the person that asks: a connection for each of them, proved by invocations for this. */
  | {
      readonly kind: 'caller'
      readonly audience: string
      readonly resource: string
      readonly abilities: readonly string[]
    }

/** Which tools a person approves at every call: those that do not count as reads, all, none, or the named ones. */
export type ServerApproval = 'writes' | 'always' | 'never' | readonly string[]

/** One server of the file, checked and with its references filled in. */
export interface ServerEntry {
  /** Of the capability: lower case, digits and single hyphens. */
  readonly name: string
  /** As it stands in the file. */
  readonly title: string
  readonly address: McpServerAddress
  readonly identity: ServerIdentity
  readonly approval: ServerApproval
  /** What a caller needs to have its tools called: one of these. */
  readonly ability: RequiredAbility
  /** Whether the server's `readOnlyHint` counts. */
  readonly trusted: boolean
  /** The only tools to offer, by the server's own names; all where it is left out. */
  readonly tools?: readonly string[]
  /** How long a call may take without a sign of progress. */
  readonly timeoutSeconds: number
  /** What the operator says about it; tools in the examples by the server's own names. */
  readonly manifest: Pick<Manifest, 'whenNotToUse' | 'tags' | 'examples'> & {
    readonly summary?: string
    readonly whenToUse?: readonly string[]
  }
  /** Values that the server must not bring into a conversation: of headers, of its environment, of its address. */
  readonly secrets: readonly string[]
}
