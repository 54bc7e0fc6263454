import type { CamelCaseStorage, CredentialSource } from '@sibyl/plugin'
import { accessTokenPrefix } from './provider/make-provider.ts'
import type { ProviderHolder } from './provider/provider-holder.ts'
import { isWithin } from './provider/resources.ts'
import { coveredPart } from './provider/scopes.ts'
import { resourceMetadataPath } from './routes/metadata-routes.ts'
import { hashOf } from './tables/hash-of.ts'
import type { OauthTables } from './tables/oauth-tables.ts'
import { actorOf, type SignInStore, signInSource } from './tables/sign-in-store.ts'

/** Returns the access tokens as credentials of the oracle. Each request reads the token and its sign-in from the database. */
export const signInCredentials = (
  { read }: CamelCaseStorage<OauthTables>,
  signIns: SignInStore,
  holder: ProviderHolder,
  now: () => number,
): CredentialSource => ({
  name: signInSource,
  prefix: accessTokenPrefix,
  async find(token, path) {
    const row = await read
      .selectFrom('oauth_records')
      .select(['payload', 'signIn'])
      .where('kind', '=', 'AccessToken')
      .where('id', '=', hashOf(token))
      .where('expiresAt', '>', now())
      .executeTakeFirst()
    const signIn = row?.signIn ? await signIns.find(row.signIn) : undefined
    if (!row || !signIn) return undefined
    const { scope = '', aud = '' } = JSON.parse(row.payload) as { readonly scope?: string; readonly aud?: string }
    if (!isWithin(aud, holder.url, path)) return undefined
    const scopes = scope.split(' ').flatMap(one => coveredPart(one, signIn.scopes))
    return { ...actorOf(signIn), scopes: [...new Set(scopes)] }
  },
  async scopesOf(id) {
    return (await signIns.find(id))?.scopes
  },
  challenge: path => `resource_metadata="${metadataUrl(holder.url, path)}"`,
})

/** Returns the URL of the metadata of a resource: the well-known path comes before that of the URL (RFC 9728, 3.1). */
const metadataUrl = (url: string, path: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${resourceMetadataPath}${pathname.replace(/\/+$/, '')}${path}`
}
