import { eachRow, type PersonalRecords } from '@sibyl/plugin'
import type { CamelCaseStorage } from '@sibyl/plugin/host'
import type { OauthTables } from './oauth-tables.ts'
import type { SignInStore } from './sign-in-store.ts'

/** Exports and erases the sign-ins of a person and the name that an operator gave them. */
export const personalRecords = (
  { read }: CamelCaseStorage<OauthTables>,
  store: SignInStore,
): PersonalRecords & Required<Pick<PersonalRecords, 'names'>> => {
  const names: PersonalRecords['names'] = {
    chosenBy: 'operator',
    async of(dids) {
      const rows = await read.selectFrom('oauth_people').selectAll().where('did', 'in', dids).execute()
      return new Map(rows.map(({ did, name }) => [did, name]))
    },
    all: () =>
      eachRow(last =>
        read
          .selectFrom('oauth_people')
          .selectAll()
          .where('did', '>', last?.did ?? '')
          .orderBy('did')
          .limit(500)
          .execute(),
      ),
  }
  return {
    async export(did) {
      const found = await store.list(did)
      const name = (await names.of([did])).get(did)
      if (found.length === 0 && name === undefined) return undefined
      return {
        ...(name === undefined ? {} : { name }),
        signIns: found.map(
          ({ id, client, clientName, redirectUri, device, resource, scopes, createdAt, expiresAt }) => ({
            id,
            client,
            clientName,
            ...(redirectUri === undefined ? {} : { redirectUri }),
            ...(device === undefined ? {} : { device }),
            resource,
            scopes: [...scopes],
            createdAt: new Date(createdAt).toISOString(),
            expiresAt: new Date(expiresAt).toISOString(),
          }),
        ),
      }
    },
    erase: did => store.endAllOf(did),
    names,
  }
}
