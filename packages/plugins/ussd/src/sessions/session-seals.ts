import type { Vault } from '@sibyl/plugin/sealing'
import type { KnownSession, Session, SessionRecord } from './session-record.ts'
import { aheadMs, type SessionChange, type SessionRow } from './session-sql.ts'

/** Sealed text is padded to a multiple of this length: it reveals little, and rows seldom change their size. */
const fillTo = 256

/** Seals and opens the contents of rows, each for its own row. */
export class SessionSeals {
  readonly #vault: Vault

  constructor(vault: Vault) {
    this.#vault = vault
  }

  phone(phoneNumber: string, key: string): string {
    return this.#vault.seal(phoneNumber, phonePlace(key))
  }

  openPhone({ phone, key }: Pick<Session, 'phone' | 'key'>): string {
    return this.#vault.open(phone, phonePlace(key))
  }

  row(session: Session): Omit<SessionChange, 'touched'> {
    const { key, sessionId, provider, serviceCode, phone, caller, status, version, record } = session
    const text = JSON.stringify(record)
    const state = this.#vault.seal(text.padEnd(Math.ceil(text.length / fillTo) * fillTo), statePlace(key))
    const names = { session_id: sessionId, provider, service_code: serviceCode }
    return { key, ...names, phone, caller, state, status, version, runs: record.run !== undefined }
  }

  session(row: SessionRow): KnownSession {
    const { key, provider, phone, caller, status, version, now } = row
    return {
      key,
      sessionId: row.session_id,
      provider,
      serviceCode: row.service_code,
      phone,
      caller,
      status,
      version,
      record: JSON.parse(this.#vault.open(row.state, statePlace(key))) as SessionRecord,
      ...timesOf({ updatedAt: row.updated_at, expiresAt: row.expires_at }, now),
    }
  }
}

/** Returns the age of a session. One from the future was written with a wrong clock and counts as expired. */
export const timesOf = (
  { updatedAt, expiresAt }: { readonly updatedAt: number; readonly expiresAt: number },
  now: number,
): Pick<KnownSession, 'live' | 'idleMs'> => ({
  live: updatedAt <= now + aheadMs && expiresAt > now,
  idleMs: now - updatedAt,
})

const phonePlace = (key: string): string => `ussd_sessions.phone:${key}`

const statePlace = (key: string): string => `ussd_sessions.state:${key}`
