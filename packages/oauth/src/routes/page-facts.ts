import type { Host } from '@sibyl/plugin'
import type Provider from 'oidc-provider'
import type { ClientFacts } from '../page/client-facts.ts'
import { consoleClientId } from '../provider/provider-names.ts'
import { resourcePath } from '../provider/resources.ts'
import { type Interaction, requestedResource } from '../sign-in/complete-sign-in.ts'
import type { OauthTables } from '../tables/oauth-tables.ts'

/** Returns the facts that the pages of an interaction show. */
export const pageFacts = async (
  { oracle, identity, access }: Host<unknown, OauthTables>,
  provider: Provider,
  interaction: Interaction,
): Promise<ClientFacts> => {
  const { client_id: id, redirect_uri: redirectUri } = interaction.params
  const client = await provider.Client.find(String(id))
  return {
    oracle: oracle.name,
    did: identity.did ?? identity.publicDid,
    access: access.mode,
    clientName: client?.clientName ?? String(id),
    clientUrl: String(id).startsWith('https://') ? String(id) : undefined,
    isConsole: id === consoleClientId,
    redirectUri: String(redirectUri),
    path: resourcePath(requestedResource(interaction, identity.url), identity.url) ?? '',
  }
}
