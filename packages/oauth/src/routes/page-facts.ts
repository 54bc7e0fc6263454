import type { Host } from '@sibyl/plugin'
import type Provider from 'oidc-provider'
import type { ClientFacts } from '../page/client-facts.ts'
import { isRedirectUri } from '../provider/client-metadata.ts'
import { consoleClientId } from '../provider/provider-names.ts'
import { resourcePath } from '../provider/resources.ts'
import { wantsIdToken } from '../provider/scopes.ts'
import { type Interaction, requestedResource } from '../sign-in/complete-sign-in.ts'
import { signInErrors } from '../sign-in/sign-in-errors.ts'
import { devicePath } from '../tables/device-store.ts'
import type { OauthTables } from '../tables/oauth-tables.ts'
import { languageOf } from './page-request.ts'

/** Returns the facts that the pages of an interaction show. Throws `sign_in_redirect_refused` for a client of an earlier version. */
export const pageFacts = async (
  { oracle, identity, access }: Host<unknown, OauthTables>,
  provider: Provider,
  interaction: Interaction,
  request: Request,
): Promise<ClientFacts> => {
  const { client_id: id, redirect_uri: redirectUri, scope } = interaction.params
  const isConsole = id === consoleClientId
  if (!isConsole && !isRedirectUri(String(redirectUri))) throw signInErrors.sign_in_redirect_refused()
  const client = await provider.Client.find(String(id))
  return {
    language: languageOf(request, interaction.params.ui_locales),
    oracle: oracle.name,
    did: identity.did ?? identity.publicDid,
    access: access.mode,
    clientName: client?.clientName ?? String(id),
    clientId: String(id),
    isConsole,
    isDevice: redirectUri === `${identity.url}${devicePath}`,
    learnsDid: wantsIdToken(scope),
    redirectUri: String(redirectUri),
    path: resourcePath(requestedResource(interaction, identity.url), identity.url) ?? '',
  }
}
