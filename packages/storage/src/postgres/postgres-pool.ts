import type { Pool, PoolClient } from 'pg'
import { storageErrors } from '../errors/storage-errors.ts'

/** A pool of sessions that gives none, and breaks those in use off, while the server takes connections but stands still. */
export class PostgresPool {
  readonly #pool: Pool
  readonly #server: string
  readonly #clients = new Set<PoolClient>()
  #standstill = Promise.withResolvers<never>()
  #standsStill = false

  /** @param server where the database is, without user and password */
  constructor(pool: Pool, server: string) {
    this.#pool = pool
    this.#server = server
    this.#standstill.promise.catch(() => {})
    pool.on('connect', client => this.#clients.add(client))
    pool.on('remove', client => this.#clients.delete(client))
  }

  /** The number of requests that wait for a session. */
  get waiting(): number {
    return this.#pool.waitingCount
  }

  /**
   * A session, to be given back with `release`.
   *
   * @throws what pg throws, `database_unreachable` at once while the server stands still
   */
  async connect(): Promise<PoolClient> {
    if (this.#standsStill) return await this.#standstill.promise
    const connecting = this.#pool.connect()
    try {
      return await Promise.race([connecting, this.#standstill.promise])
    } catch (error) {
      connecting.then(
        client => client.release(true),
        () => {},
      )
      throw error
    }
  }

  /** Says why the server is of no use for now, or that it is again. */
  set problem(problem: string | undefined) {
    const value = problem !== undefined
    if (value === this.#standsStill) return
    this.#standsStill = value
    if (problem !== undefined) {
      this.#standstill.reject(storageErrors.database_unreachable({ server: this.#server, problem }))
      for (const client of this.#clients) breakOff(client)
    } else {
      this.#standstill = Promise.withResolvers<never>()
      this.#standstill.promise.catch(() => {})
    }
  }

  /** Ends all sessions once they are given back. */
  async end(): Promise<void> {
    if (this.#standsStill) for (const client of this.#clients) breakOff(client)
    await this.#pool.end()
  }
}

/** Breaks a connection off without waiting for the server; what is under way on it fails. */
export const breakOff = (client: object): void => {
  const { connection } = client as { readonly connection?: { readonly stream?: { destroy(): void } } }
  connection?.stream?.destroy()
}
