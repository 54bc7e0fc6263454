import type { Actor, Logger } from '@sibyl/plugin'
import type { ToolBook } from '../fingerprints/tool-book.ts'
import type { HeldQuestions } from '../questions/held-questions.ts'

/** What all servers share. */
export interface ServerContext {
  readonly book: ToolBook
  readonly held: HeldQuestions
  readonly log: Logger
  readonly now: () => number
  /** Whether anything may be connected: not before the oracle runs, so that looking at one starts no program. */
  mayConnect(): boolean
  /** How long to wait before the next try to connect, in milliseconds. */
  readonly backOffMs?: (attempt: number) => number
  /** The prefixes of the tools of all servers. */
  readonly prefixes: readonly string[]
  /** An invocation for a person at a server. Rejects where they have not delegated it, or the right of the actor has ended. */
  mint(actor: Actor, request: { audience: string; resource: string; abilities: readonly string[] }): Promise<string>
}
