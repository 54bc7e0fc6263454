import { eachRow, type PersonNames } from '@sibyl/plugin'
import type { Storage } from '@sibyl/storage'
import type { CoreTables } from '../database/core-tables.ts'
import type { Auth } from './make-auth.ts'

/** Rows of one read. */
const batch = 500

/** Returns the names of API keys of the operator that act as DIDs of their own, as the names of these. */
export const apiKeyNames = (
  { apiKeys, storedKeyDid }: Pick<Auth, 'apiKeys' | 'storedKeyDid'>,
  { read }: Pick<Storage<CoreTables>, 'read'>,
  now: () => number,
): PersonNames => {
  const configured = () => apiKeys().flatMap(({ did, name }) => (did === undefined ? [] : [{ did, name }]))
  const stored = () =>
    read
      .selectFrom('core_api_keys')
      .select(['id', 'did', 'name'])
      .where('expires_at', '>', now())
      // The keys of users act as their creators, whom their names do not name.
      .where(eb => eb.or([eb('source', 'is', null), eb('did', '!=', eb.ref('holder'))]))
  const isOwn = ({ id, did }: { readonly id: string; readonly did: string }) => storedKeyDid(id) === did
  return {
    chosenBy: 'operator',
    async of(dids) {
      const rows = await stored().where('did', 'in', dids).execute()
      return new Map([...configured(), ...rows.filter(isOwn)].map(({ did, name }) => [did, name]))
    },
    async *all() {
      yield* configured()
      const pages = eachRow<{ readonly id: string; readonly did: string; readonly name: string }>(last =>
        stored()
          .where('id', '>', last?.id ?? '')
          .orderBy('id')
          .limit(batch)
          .execute(),
      )
      for await (const row of pages) if (isOwn(row)) yield row
    },
  }
}
