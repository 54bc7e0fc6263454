import type { CamelCaseStorage, CredentialSource } from '@sibyl/plugin/host'
import type { ProviderHolder } from './provider/provider-holder.ts'
import { accessTokenPrefix } from './provider/provider-names.ts'
import { isWithin } from './provider/resources.ts'
import { coveredPart } from './provider/scopes.ts'
import { resourceMetadataPath } from './routes/metadata-routes.ts'
import { hashOf } from './tables/hash-of.ts'
import type { OauthTables } from './tables/oauth-tables.ts'
import { actorOf, type SignInStore, signInOf, signInSource } from './tables/sign-in-store.ts'

/** Returns the access tokens as credentials of the oracle. Each request reads the token and its sign-in from the database. */
export const signInCredentials = (
  { read }: CamelCaseStorage<OauthTables>,
  signIns: SignInStore,
  holder: ProviderHolder,
  now: () => number,
): CredentialSource => ({
  name: signInSource,
  prefix: accessTokenPrefix,
  mayCreateKeys: true,
  async find(token, path) {
    const row = await read
      .selectFrom('oauth_records')
      .innerJoin('oauth_sign_ins', 'oauth_sign_ins.id', 'oauth_records.signIn')
      .selectAll('oauth_sign_ins')
      .select('oauth_records.payload')
      .where(eb => eb.and({ 'oauth_records.kind': 'AccessToken', 'oauth_records.id': hashOf(token) }))
      .where('oauth_records.expiresAt', '>', now())
      .where('oauth_sign_ins.expiresAt', '>', now())
      .executeTakeFirst()
    if (!row) return undefined
    const { payload, ...rest } = row
    const signIn = signInOf(rest)
    const { scope = '', aud = '' } = JSON.parse(payload) as { readonly scope?: string; readonly aud?: string }
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
