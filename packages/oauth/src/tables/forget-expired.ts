import type { CamelCaseStorage } from '@sibyl/plugin/host'
import { deleteInParts, sql } from '@sibyl/plugin/storage'
import type { OauthTables } from './oauth-tables.ts'
import { isAlive } from './sign-in-store.ts'

/** Deletes what has expired, and sign-ins whose tokens were revoked. */
export const forgetExpired = async (
  storage: CamelCaseStorage<OauthTables>,
  now: number,
  signal: AbortSignal,
): Promise<void> => {
  await deleteInParts(storage, {
    table: 'oauth_records',
    key: ['kind', 'id'],
    where: eb => eb('expiresAt', '<=', now),
    signal,
  })
  await deleteInParts(storage, {
    table: 'oauth_sign_ins',
    key: ['id'],
    where: eb =>
      eb.or([
        eb('expiresAt', '<=', now),
        // The grant is stored after the sign-in.
        eb.and([eb('createdAt', '<=', now - 60_000), sql<boolean>`not ${isAlive(now)}`]),
      ]),
    signal,
  })
  await deleteInParts(storage, { table: 'oauth_codes', key: ['hash'], where: eb => eb('expiresAt', '<=', now), signal })
}
