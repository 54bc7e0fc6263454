import type { Actor, Logger } from '@sibyl/plugin'
import type { ToolStore } from '../fingerprints/tool-store.ts'
import type { HeldQuestions } from '../questions/held-questions.ts'

/** Dependencies that all servers share. */
export interface ServerContext {
  readonly toolStore: ToolStore
  readonly held: HeldQuestions
  readonly log: Logger
  readonly now: () => number
  /**
   * Returns whether servers may be connected: not before the oracle runs, so that inspecting an oracle starts no
   * program.
   */
  mayConnect(): boolean
  /** Returns the pause before the next attempt to connect, in milliseconds. */
  readonly backOffMs?: (attempt: number) => number
  /** Prefixes of the tools of all servers. */
  readonly prefixes: readonly string[]
  /**
   * Mints an invocation for a caller at a server. Rejects if the caller has not delegated it, or if the actor's right
   * has ended.
   */
  mint(actor: Actor, request: { audience: string; resource: string; abilities: readonly string[] }): Promise<string>
}
