/** A session from `GET /sessions/:id`, as far as the ledger compares it. */
export interface StoredSession {
  readonly messages: readonly {
    readonly id: string
    readonly role: string
    readonly parts: readonly { readonly type: string; readonly text?: string }[]
    readonly metadata?: { readonly turnId?: string; readonly outcome?: string }
  }[]
}

/** Problems that the ledger found. */
export interface LedgerVerdict {
  readonly messages: number
  readonly answers: number
  /** Messages that were acknowledged and are not stored word for word. */
  readonly lostMessages: number
  /** Answers whose `finish` was seen and that are not stored word for word. */
  readonly lostAnswers: number
  /** Messages that are stored more than once. */
  readonly doubled: number
}

/** The acknowledged state of clients, for comparison with the stored state after a failure. */
export class Ledger {
  readonly #messages = new Map<string, Map<string, string>>()
  readonly #answers = new Map<string, Map<string, string>>()

  /** Notes a user message whose stream began with 200: it is acknowledged. */
  message(sessionId: string, messageId: string, text: string): void {
    entriesOf(this.#messages, sessionId).set(messageId, text)
  }

  /** Notes an answer whose `finish` came. @param text all its text deltas together */
  answer(sessionId: string, turnId: string, text: string): void {
    entriesOf(this.#answers, sessionId).set(turnId, text)
  }

  /** The sessions that something is noted of. */
  get sessions(): string[] {
    return [...new Set([...this.#messages.keys(), ...this.#answers.keys()])]
  }

  /** Compares everything noted with what is stored; a session that is gone is given as undefined. */
  async compare(find: (sessionId: string) => Promise<StoredSession | undefined>): Promise<LedgerVerdict> {
    const verdict = { messages: 0, answers: 0, lostMessages: 0, lostAnswers: 0, doubled: 0 }
    for (const sessionId of this.sessions) {
      const stored = (await find(sessionId))?.messages ?? []
      verdict.doubled += stored.length - new Set(stored.map(({ id }) => id)).size
      for (const [id, text] of this.#messages.get(sessionId) ?? []) {
        verdict.messages += 1
        if (!stored.some(one => one.id === id && one.role === 'user' && textOf(one) === text)) verdict.lostMessages += 1
      }
      for (const [turnId, text] of this.#answers.get(sessionId) ?? []) {
        verdict.answers += 1
        const answer = stored.find(one => one.role === 'assistant' && one.metadata?.turnId === turnId)
        if (!answer || textOf(answer) !== text) verdict.lostAnswers += 1
      }
    }
    return verdict
  }
}

const entriesOf = (map: Map<string, Map<string, string>>, sessionId: string): Map<string, string> => {
  const known = map.get(sessionId) ?? new Map<string, string>()
  map.set(sessionId, known)
  return known
}

const textOf = ({ parts }: StoredSession['messages'][number]): string =>
  parts.map(part => (part.type === 'text' ? (part.text ?? '') : '')).join('')
