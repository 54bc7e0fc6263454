import { sql } from '@sibyl/plugin/storage'
import { among } from '../storage/value-lists.ts'
import type { SessionContext } from './session-context.ts'
import { leaseMs, sharedNow } from './session-sql.ts'

/** Dependencies of leases: each process renews its own and takes over expired ones. */
type LeaseContext = Pick<SessionContext, 'storage' | 'time'>

/** Returns the keys of sessions whose action has an expired lease; `all` also of those with a valid one. */
export const leasedKeys = async (context: LeaseContext, all: boolean): Promise<readonly string[]> => {
  const { rows } = await sql<{ key: string }>`
    select key from ussd_sessions where run_until is not null ${expired(context, all)}`.execute(context.storage.read)
  return rows.map(({ key }) => key)
}

/** Takes over the action of a session if its lease has expired; `live` also if it has not. */
export const claimLease = (context: LeaseContext, key: string, live: boolean): Promise<boolean> =>
  context.storage.write(
    async tx => {
      const { rows } = await sql`
        update ussd_sessions set run_until = ${now(context)} + ${sql.lit(leaseMs)}
        where key = ${key} and run_until is not null ${expired(context, live)}
        returning key`.execute(tx)
      return rows.length > 0
    },
    { isolation: 'read committed' },
  )

/** Renews the leases of the actions of these sessions. */
export const renewLeases = (context: LeaseContext, keys: readonly string[]): Promise<void> =>
  setLeases(context, keys, sql`${now(context)} + ${sql.lit(leaseMs)}`)

/** Leaves the actions of these sessions to another process. */
export const releaseLeases = (context: LeaseContext, keys: readonly string[]): Promise<void> =>
  setLeases(context, keys, sql`0`)

const setLeases = async ({ storage }: LeaseContext, keys: readonly string[], until: ReturnType<typeof sql>) => {
  if (keys.length === 0) return
  await storage.write(
    tx =>
      sql`update ussd_sessions set run_until = ${until}
        where run_until is not null and key in ${among(storage.engine, keys)}`.execute(tx),
    { isolation: 'read committed' },
  )
}

const now = ({ storage, time }: LeaseContext) => sharedNow(storage.engine, time.now())

const expired = (context: LeaseContext, all: boolean) => (all ? sql`` : sql`and run_until <= ${now(context)}`)
