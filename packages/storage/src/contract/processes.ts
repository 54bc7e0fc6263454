import { randomUUID } from 'node:crypto'

/** Discovery of and notifications between the processes that share a database. On SQLite there is only one. */
export interface Processes {
  /** This process: a UUID, new each time the storage is opened. */
  readonly ownId: string
  /**
   * For how long this process has been in touch with the database without a break, in milliseconds; 0 while it is not.
   * Who was out of touch cannot judge others by their silence.
   */
  readonly steadyForMs: number
  /** Which of these processes hold their line to the database now. One without is ending, or reconnects within a second. */
  connected(ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Calls the other processes, after the break if the line is down. A process whose own line is down misses the call: it only
   * hastens what they would find in the database anyway.
   *
   * @param text at most 1,000 characters
   */
  call(text: string): void
  /** Hears the calls of the others until the returned function is called. */
  onCall(listener: (text: string) => void): () => void
  /** Calls back when the line is restored: calls of the others may have been missed. */
  onReturn(listener: () => void): void
}

/** The only process of a database. */
export const soloProcess = (): Processes => {
  const ownId = randomUUID()
  return {
    ownId,
    steadyForMs: Number.POSITIVE_INFINITY,
    connected: async ids => new Set(ids.filter(id => id === ownId)),
    call: () => {},
    onCall: () => () => {},
    onReturn: () => {},
  }
}
