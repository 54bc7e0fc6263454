import type { CamelCaseStorage } from '@sibyl/plugin/host'
import { deleteInParts } from '@sibyl/plugin/storage'
import type { OauthTables } from './oauth-tables.ts'

/** Deletes what has expired. */
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
    where: eb => eb('expiresAt', '<=', now),
    signal,
  })
  await deleteInParts(storage, { table: 'oauth_codes', key: ['hash'], where: eb => eb('expiresAt', '<=', now), signal })
}
