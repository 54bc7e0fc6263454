import type { Turn } from '@sibyl/plugin'
import type { Skill } from './scan-skills.ts'

/** Conversations that are remembered. */
const mostSessions = 1_000

/**
 * Which skills stand in which conversation, so that they are not sent twice. It is kept in memory alone: after a restart a
 * skill may be sent once more, which harms nobody.
 */
export class LoadedSkills {
  readonly #sessions = new Map<string, Map<string, string>>()

  /** Whether the skill stands there as it is now. */
  has(turn: Turn, { name, version }: Skill): boolean {
    return this.#sessions.get(keyOf(turn))?.get(name) === version
  }

  /** Notes that it stands there from now on. */
  add(turn: Turn, { name, version }: Skill): void {
    const key = keyOf(turn)
    const session = this.#sessions.get(key) ?? new Map<string, string>()
    session.set(name, version)
    this.#sessions.delete(key)
    this.#sessions.set(key, session)
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= mostSessions) return
      this.#sessions.delete(oldest)
    }
  }
}

const keyOf = ({ actor, session }: Turn): string => JSON.stringify([actor.did, session.id])
