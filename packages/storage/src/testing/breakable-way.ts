import { connect, createServer, type Socket } from 'node:net'

/** What a `BreakableWay` does with the next commit that passes. */
export type CommitCut = {
  /** `answer`: the server commits and its answer is lost. `commit`: the server never gets it. */
  readonly lose: 'answer' | 'commit'
  /** Whether the way is closed from then on, until `open()`. */
  readonly close?: boolean
}

/** Statements of a process's line to the others, which has a rhythm of its own, and those that set up a connection. */
const ofLine =
  /pg_notify|pg_advisory_lock_shared|from pg_locks|listen sibyl|select 1\0|client_encoding|\0user\0|set_config|pg_backend_pid/

/** Adds the texts of the prepared statements that a piece of a connection runs by their names. */
const withTexts = (data: string, prepared: Map<string, string>): string => {
  for (const [, name, text] of data.matchAll(/(fixed_\d+)\0([^\0]{2,})\0/g)) prepared.set(name!, text!)
  const run = [...data.matchAll(/(fixed_\d+)\0/g)].map(([, name]) => prepared.get(name!) ?? '')
  return [data, ...run].join(' ')
}

/** A way to a PostgreSQL server over a port, for tests that break it. */
export interface BreakableWay {
  /** The URL of the database on this way. */
  readonly url: string
  /** How many commits were cut. */
  readonly cuts: number
  /** The number of connections that were rejected while it was closed. */
  readonly refused: number
  /**
   * Counts the statements from now on, those of processes' lines left out, and cuts the connection of the one of that number,
   * once. A number that is never reached cuts nothing.
   *
   * @param lose `statement`: the server never gets it. `answer`: the server runs it and its answer is lost.
   */
  cutStatement(number: number, lose: 'answer' | 'statement'): void
  /** How many statements were counted since `cutStatement`. */
  readonly statements: number
  /** Cuts the next commit whose transaction has sent a statement that contains `text`. */
  cutNextCommit(cut: CommitCut, text?: string): void
  /**
   * Holds back what the server answers to the next statement that contains `text`.
   *
   * @returns when the server has answered, and what lets the answer through
   */
  holdNextAnswer(text: string): { readonly held: Promise<void>; release(): void }
  /** Breaks all connections and takes no more. */
  close(): void
  /** Takes connections again. */
  open(): void
  /** Ends the way. */
  stop(): Promise<void>
}

/** Opens a way to the server of a throwaway database. */
export const breakableWay = async (databaseUrl: string): Promise<BreakableWay> => {
  const { searchParams, pathname } = new URL(databaseUrl)
  const socketPath = `${searchParams.get('host')}/.s.PGSQL.5432`
  const sockets = new Set<Socket>()
  let armed: { readonly cut: CommitCut; readonly text: string } | undefined
  let hold: { readonly text: string; readonly held: () => void; readonly released: Promise<void> } | undefined
  let counting: { readonly number: number; readonly lose: 'answer' | 'statement' } | undefined
  let statements = 0
  let closed = false
  let cuts = 0
  let refused = 0
  const close = () => {
    closed = true
    for (const socket of sockets) socket.destroy()
  }
  const proxy = createServer(client => {
    if (closed) {
      refused += 1
      return void client.destroy()
    }
    const server = connect(socketPath)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    let output = ''
    const prepared = new Map<string, string>()
    let dropping: Pick<CommitCut, 'close'> | undefined
    let holding: typeof hold
    const cutNow = ({ close: closes }: Pick<CommitCut, 'close'>) => {
      cuts += 1
      client.destroy()
      if (closes) close()
    }
    client.on('data', data => {
      const text = withTexts(data.toString('latin1'), prepared)
      if (text.includes('begin isolation')) output = ''
      output += text
      if (hold && text.includes(hold.text)) {
        holding = hold
        hold = undefined
      }
      const cut =
        armed !== undefined && text.includes('commit\0') && output.includes(armed.text) ? armed.cut : undefined
      if (cut) armed = undefined
      if (cut?.lose === 'commit') return cutNow(cut)
      const counted = counting && !ofLine.test(text) && ++statements === counting.number ? counting : undefined
      if (counted) counting = undefined
      if (counted?.lose === 'statement') return cutNow({})
      dropping = cut ?? (counted ? {} : undefined)
      server.write(data)
    })
    server.on('data', data => {
      if (dropping) cutNow(dropping)
      else if (holding) {
        holding.held()
        void holding.released.then(() => client.write(data))
      } else client.write(data)
    })
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `postgres://postgres@127.0.0.1:${port}${pathname}`,
    get cuts() {
      return cuts
    },
    get refused() {
      return refused
    },
    cutNextCommit(cut, text = '') {
      armed = { cut, text }
    },
    cutStatement(number, lose) {
      statements = 0
      counting = { number, lose }
    },
    get statements() {
      return statements
    },
    holdNextAnswer(text) {
      const held = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      hold = { text, held: held.resolve, released: released.promise }
      return { held: held.promise, release: released.resolve }
    },
    close,
    open() {
      closed = false
    },
    stop: () =>
      new Promise(resolve => {
        close()
        proxy.close(() => resolve())
      }),
  }
}
