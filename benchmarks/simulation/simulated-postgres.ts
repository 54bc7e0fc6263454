import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { bindValue, type QueryReply, readValue, reply, ServerError, sqlStates } from './query-reply.ts'
import { type SimulatedProcess, startTime, type World } from './world.ts'

interface Transaction {
  readonly id: number
  readonly serializable: boolean
  begun: boolean
  failed: boolean
  wrote: boolean
}

/** The server's side of a connection. */
export interface Session {
  readonly pid: number
  readonly process: SimulatedProcess
  /** Sends a notification to the client. */
  readonly notify: (payload: string) => void
  /** Breaks the connection of the client. */
  readonly drop: (error: Error) => void
  readonly locks: Set<string>
  open: boolean
  listens: boolean
  tx: Transaction | undefined
}

type Done = (reply: QueryReply | Error) => void

interface Prepared {
  readonly statement: StatementSync
  readonly columns: readonly { readonly name: string; readonly type: string | null }[]
}

/**
 * PostgreSQL as this project uses it, on SQLite in memory: transactions run one after the other, each as a whole; sessions,
 * advisory locks, notifications and the outcome of a transaction are those of PostgreSQL.
 */
export class SimulatedPostgres {
  readonly database = new DatabaseSync(':memory:')
  /** Called after each commit that wrote, with the process whose commit it was. */
  readonly onCommit: ((process: SimulatedProcess) => void)[] = []
  /** Share of transactions that the server rolls back because of others. */
  conflictShare = 0.02
  /** Until then, in virtual milliseconds, it takes no connection. */
  downUntil = 0
  /** Until then, in virtual milliseconds, its disk is full. */
  fullUntil = 0
  readonly #world: World
  readonly #sessions = new Set<Session>()
  readonly #statements = new Map<string, Prepared>()
  readonly #fates = new Map<number, 'in progress' | 'committed' | 'aborted'>()
  #owner: Session | undefined
  #waiting: (() => void)[] = []
  #pids = 0

  /** @param template a SQLite database with its tables */
  constructor(world: World, template: Uint8Array) {
    this.#world = world
    this.database.deserialize(template)
    this.database.function('clock_seconds', () => (startTime + world.now) / 1000)
    this.database.function('greatest', { varargs: true }, (...values) =>
      values.reduce((max, value) => (max === null || (value !== null && value > max) ? value : max), null),
    )
  }

  open(process: SimulatedProcess, notify: Session['notify'], drop: Session['drop']): Session {
    const session = { pid: ++this.#pids, process, notify, drop, locks: new Set<string>() }
    const opened: Session = { ...session, open: true, listens: false, tx: undefined }
    this.#sessions.add(opened)
    return opened
  }

  /** Ends a session, as at the end of its connection: its transaction is rolled back, and its locks are released. */
  close(session: Session): void {
    if (!session.open) return
    session.open = false
    this.#sessions.delete(session)
    this.#end(session, 'aborted')
    this.#release()
  }

  /** Ends all sessions, and takes no connection for a time. */
  restart(downMs: number): void {
    this.#world.note('database restarts')
    this.downUntil = this.#world.now + downMs
    for (const session of [...this.#sessions]) {
      this.close(session)
      session.drop(new ServerError('57P01', 'terminating connection due to administrator command'))
    }
  }

  /** The sessions of a process. */
  sessionsOf(process: SimulatedProcess): readonly Session[] {
    return [...this.#sessions].filter(session => session.process === process)
  }

  /** Reads rows of what is committed and of the open transaction, for the trial. */
  rows<Row>(sql: string): readonly Row[] {
    return this.database.prepare(sql).all() as Row[]
  }

  /** Whether a transaction is open, so that what the database contains may be rolled back. */
  get isInTransaction(): boolean {
    return this.#owner !== undefined
  }

  /** Runs a query, after the transactions before it. */
  handle(session: Session, text: string, values: readonly unknown[], done: Done): void {
    if (!session.open) return
    const own = this.#sessionQuery(session, text, values, done)
    if (own !== undefined) {
      if (own !== 'waits') done(own)
      return
    }
    if (this.#owner !== undefined && this.#owner !== session) {
      this.#waiting.push(() => this.handle(session, text, values, done))
      return
    }
    done(this.#tableQuery(session, text, values))
  }

  #tableQuery(session: Session, text: string, values: readonly unknown[]): QueryReply | Error {
    const { tx } = session
    if (tx?.failed) return new ServerError('25P02', 'current transaction is aborted')
    try {
      if (tx && !tx.begun) {
        this.database.exec('begin')
        tx.begun = true
        this.#owner = session
      }
      if (text.includes('pg_advisory_xact_lock')) return reply()
      const writes = /^\s*(?:insert|update|delete|with)/i.test(text)
      if (writes) this.#mayFail(tx)
      const result = this.#run(text, values)
      if (writes && tx) tx.wrote = true
      return result
    } catch (error) {
      if (tx) tx.failed = true
      return error instanceof ServerError ? error : this.#translated(error as Error, text)
    }
  }

  #mayFail(tx: Transaction | undefined): void {
    if (this.#world.now < this.fullUntil)
      throw new ServerError('53100', 'could not extend file: No space left on device')
    if (tx && this.#world.random.next() < this.conflictShare / 4) throw new ServerError('40P01', 'deadlock detected')
  }

  #translated(error: Error, text: string): Error {
    const code = (error as { readonly errcode?: number }).errcode
    if (code === undefined) return error
    const known = sqlStates[code]
    // A statement that this server does not know ends the run: its result would mean nothing.
    if (known === undefined) this.#world.violate('the simulation knows each statement', `${error.message}: ${text}`)
    return new ServerError(known ?? '42601', error.message)
  }

  #run(text: string, values: readonly unknown[]): QueryReply {
    const { statement, columns } = this.#prepared(text)
    const bound = values.map(bindValue)
    const command = /\w+/.exec(text)?.[0].toUpperCase() ?? ''
    if (columns.length === 0) return reply([], command, Number(statement.run(...bound).changes))
    const found = statement.all(...bound) as Record<string, unknown>[]
    return reply(
      found.map(row => Object.fromEntries(columns.map(({ name, type }) => [name, readValue(row[name], type)]))),
      command,
    )
  }

  #prepared(text: string): Prepared {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.database.prepare(
      text
        .replaceAll(/\$(\d+)/g, '?$1')
        .replaceAll(/ for (?:update|share|no key update)(?: of \w+)?(?: skip locked)?/g, '')
        .replaceAll(/extract\(epoch from (?:clock_timestamp|statement_timestamp|now)\(\)\)/g, 'clock_seconds()')
        .replaceAll(/::\w+(?:\[\])?| collate "C"/g, ''),
    )
    statement.setReadBigInts(true)
    const columns = statement.columns().map(({ name, type }) => ({ name, type: type?.toLowerCase() ?? null }))
    const prepared = { statement, columns }
    this.#statements.set(text, prepared)
    return prepared
  }

  /** Answers a query about sessions and transactions; undefined for one about tables. */
  #sessionQuery(
    session: Session,
    text: string,
    values: readonly unknown[],
    done: Done,
  ): QueryReply | Error | 'waits' | undefined {
    if (text.startsWith('begin isolation level')) {
      const tx = { id: this.#fates.size + 1, serializable: text.includes('serializable') }
      session.tx = { ...tx, begun: false, failed: false, wrote: false }
      this.#fates.set(tx.id, 'in progress')
      return reply([{ id: String(tx.id) }])
    }
    if (text === 'commit') return this.#commit(session)
    if (text === 'rollback') {
      this.#end(session, 'aborted')
      return reply([], 'ROLLBACK')
    }
    if (text.includes('txid_status')) return reply([{ fate: this.#fates.get(Number(values[0])) ?? null }])
    if (text.includes('set_config') || text.startsWith('set local') || text === 'select 1') return reply([{}])
    if (text.includes('pg_backend_pid')) return reply([[session.pid]])
    if (text.startsWith('listen ')) {
      session.listens = true
      return reply()
    }
    if (text.includes('pg_notify')) {
      for (const other of this.#sessions) if (other.listens) other.notify(String(values[1]))
      return reply()
    }
    if (text.includes('takesWrites')) return reply([{ takesWrites: true }])
    if (text.includes('pg_is_in_recovery')) return reply([{ isStandby: false }])
    if (text.includes('current_schema()')) return reply([{ name: 'public' }])
    if (text.includes('pg_control_system')) {
      return reply([{ mark: 'simulated', database: 'simulated', processes: 1, connections: 1_000 }])
    }
    if (text.includes('from pg_locks')) {
      const keys = [...this.#sessions].flatMap(({ locks }) => [...locks])
      return reply(keys.map(key => ({ key: Number(key.split(',')[1]) | 0 })))
    }
    return this.#advisory(session, text, values, done)
  }

  #advisory(session: Session, text: string, values: readonly unknown[], done: Done) {
    const [, kind, key] = /^select pg_(try_advisory_lock|advisory_lock|advisory_unlock)\w*\(([^)]*)\)/.exec(text) ?? []
    if (kind === undefined || key === undefined) return undefined
    const name = key.replaceAll(' ', '')
    if (kind === 'advisory_unlock') {
      session.locks.delete(name)
      this.#release()
      return reply([{}])
    }
    const isShared = text.includes('_shared')
    if (!isShared && [...this.#sessions].some(other => other !== session && other.locks.has(name))) {
      this.#waiting.push(() => this.handle(session, text, values, done))
      return 'waits' as const
    }
    session.locks.add(name)
    return reply([{ locked: true }])
  }

  #commit(session: Session): QueryReply | Error {
    const { tx } = session
    if (tx === undefined || tx.failed) {
      this.#end(session, 'aborted')
      return reply([], 'ROLLBACK')
    }
    if (tx.wrote && tx.serializable && this.#world.random.next() < this.conflictShare) {
      this.#end(session, 'aborted')
      return new ServerError('40001', 'could not serialize access due to read/write dependencies among transactions')
    }
    this.#end(session, 'committed')
    if (tx.wrote) for (const listener of this.onCommit) listener(session.process)
    return reply([], 'COMMIT')
  }

  #end(session: Session, fate: 'committed' | 'aborted'): void {
    const { tx } = session
    session.tx = undefined
    if (tx === undefined) return
    this.#fates.set(tx.id, fate)
    if (tx.begun) this.database.exec(fate === 'committed' ? 'commit' : 'rollback')
    if (this.#owner === session) this.#owner = undefined
    this.#release()
  }

  /** Lets those try again that wait for a transaction or a lock. */
  #release(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const again of waiting) this.#world.plan(0, undefined, again)
  }
}
