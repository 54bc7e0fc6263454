/** The session of a caller in which capabilities are loaded, and calls run one after the other. */
export const mainSession = 'mcp'

/** The most sessions in which calls of one caller run at once; more calls wait. */
const maxSessions = 16

/** Returns whether a session is one of calls, which has no text. */
export const isCallSession = (session: string): boolean => /^mcp(-\d+)?$/.test(session)

/** The sessions of calls: `mcp`, and while a call runs there `mcp-2` and so on, since a session has one turn at a time. */
export class CallSessions {
  readonly #taken = new Map<string, Set<number>>()

  /** Returns a session in which no call of the owner runs in this process. */
  take(owner: string): { readonly session: string; release(): void } {
    const taken = this.#taken.get(owner) ?? new Set<number>()
    this.#taken.set(owner, taken)
    let number = 1
    while (taken.has(number) && number < maxSessions) number += 1
    taken.add(number)
    return {
      session: number === 1 ? mainSession : `${mainSession}-${number}`,
      release: () => {
        taken.delete(number)
        if (taken.size === 0) this.#taken.delete(owner)
      },
    }
  }
}
