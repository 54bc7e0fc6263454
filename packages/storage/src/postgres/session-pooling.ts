import type { Client } from 'pg'
import { poolingUnsupported } from '../errors/storage-errors.ts'
import type { PgModule } from './load-driver.ts'
import { CONNECT_TIME_LIMIT_MS, clientConfig, type PostgresAddress } from './postgres-address.ts'
import { storageErrorOf } from './postgres-errors.ts'
import { breakOff } from './postgres-pool.ts'

/** An advisory lock that is only taken here: 'pool' in ASCII. */
const PROBE_LOCK = 0x706f6f6c
/** Time limit for the session of a closed connection to release its lock, and for a connection to close. */
const END_TIME_LIMIT_MS = 5_000
const PAUSE_MS = 20

const ofProbe = `from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${PROBE_LOCK} and objsubid = 1`

/**
 * Checks that a connection keeps its PostgreSQL session until it closes, and that its locks end with it. A pooler in
 * transaction or statement mode does neither. Changes no setting of a session.
 *
 * PostgreSQL sends the process ID of the session to its client, and a pooler a random ID: if they are equal, there is
 * no pooler. Otherwise two connections must each keep their own session, a lock must still be held at the next
 * statement, and must end with its connection. A pooler that happens to reuse a session passes all but the last check.
 *
 * @throws `pooling_unsupported`, `database_unreachable`
 */
export const assertSessionPooling = async (pg: PgModule, address: PostgresAddress): Promise<void> => {
  const { server } = address
  const clients: Client[] = []
  const connect = async (): Promise<Client> => {
    const client = new pg.Client({ ...clientConfig(address), query_timeout: CONNECT_TIME_LIMIT_MS })
    clients.push(client)
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const shared = () => poolingUnsupported(server, 'shared')
  /** Evaluates an expression on a connection that must still have the session. */
  const evaluate = async (client: Client, session: number, expression: string): Promise<unknown> => {
    const [now, value] = await firstRow(client, `pg_backend_pid(), ${expression}`)
    if (now !== session) throw shared()
    return value
  }
  const holdsLock = (session: number): string => `exists (select ${ofProbe} and pid = ${session})`
  try {
    const first = await connect()
    const session = await sessionOf(first)
    if (session === announcedSession(first)) return
    const second = await connect()
    const otherSession = await sessionOf(second)
    if (otherSession === session) throw shared()
    await evaluate(first, session, `pg_advisory_lock_shared(${PROBE_LOCK})`)
    if (!(await evaluate(first, session, holdsLock(session)))) throw shared()
    await end(first)
    const until = performance.now() + END_TIME_LIMIT_MS
    while (await evaluate(second, otherSession, holdsLock(session))) {
      if (performance.now() > until) throw poolingUnsupported(server, 'not reset')
      await new Promise(resume => setTimeout(resume, PAUSE_MS))
    }
  } catch (error) {
    throw storageErrorOf(error, server)
  } finally {
    await Promise.all(clients.map(end))
  }
}

const firstRow = async (client: Client, expressions: string): Promise<unknown[]> => {
  const { rows } = await client.query<unknown[]>({ text: `select ${expressions}`, rowMode: 'array' })
  return rows[0] ?? []
}

/** The process ID of the session that runs a statement of the connection. */
const sessionOf = async (client: Client): Promise<number> => Number((await firstRow(client, 'pg_backend_pid()'))[0])

/** The process ID that came with the connection. */
const announcedSession = (client: Client): number | null =>
  (client as unknown as { readonly processID: number | null }).processID

const end = async (client: Client): Promise<void> => {
  const timer = setTimeout(() => breakOff(client), END_TIME_LIMIT_MS)
  await client.end().catch(() => breakOff(client))
  clearTimeout(timer)
}
