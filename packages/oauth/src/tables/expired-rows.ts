import { type Retention, retain } from '@sibyl/plugin'
import type { CamelCaseStorage } from '@sibyl/plugin/host'
import { sql } from '@sibyl/plugin/storage'
import type { OauthTables } from './oauth-tables.ts'
import { isAlive } from './sign-in-store.ts'

/** Returns the retention of what has expired, and of sign-ins whose tokens were revoked. */
export const expiredRows = (storage: CamelCaseStorage<OauthTables>): readonly Retention[] => [
  retain(storage, { table: 'oauth_records', key: ['kind', 'id'], where: (eb, now) => eb('expiresAt', '<=', now) }),
  retain(storage, {
    table: 'oauth_sign_ins',
    key: ['id'],
    person: 'did',
    where: (eb, now) =>
      eb.or([
        eb('expiresAt', '<=', now),
        // The grant is stored after the sign-in.
        eb.and([eb('createdAt', '<=', now - 60_000), sql<boolean>`not ${isAlive(now)}`]),
      ]),
  }),
  retain(storage, {
    table: 'oauth_codes',
    key: ['hash'],
    person: 'did',
    where: (eb, now) => eb('expiresAt', '<=', now),
  }),
]
