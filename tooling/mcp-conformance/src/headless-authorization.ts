import type { McpConnectionOptions } from '@sibyl/mcp-client'

type Provider = NonNullable<McpConnectionOptions['authProvider']>
type ClientInformation = Awaited<ReturnType<Provider['clientInformation']>>

/** The client data that the scenario provides. */
export interface KnownClient {
  readonly clientId?: string
  readonly clientSecret?: string
  /** The URL under which the client's description could be read (SEP-991). */
  readonly metadataUrl?: string
}

/** Authorizes without a browser and agrees to everything: the page is fetched, and its redirect followed. */
export const headlessAuthorization = ({ clientId, clientSecret, metadataUrl }: KnownClient) => {
  const kept = new Map<string, unknown>()
  let callback: Promise<URLSearchParams> | undefined
  if (clientId) kept.set('client', { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) })

  const authProvider: Provider = {
    redirectUrl: 'http://localhost:3000/callback',
    ...(metadataUrl && { clientMetadataUrl: metadataUrl }),
    clientMetadata: {
      client_name: 'Sibyl',
      redirect_uris: ['http://localhost:3000/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    clientInformation: () => kept.get('client') as ClientInformation,
    saveClientInformation: client => void kept.set('client', client),
    tokens: () => kept.get('tokens') as Awaited<ReturnType<Provider['tokens']>>,
    saveTokens: tokens => void kept.set('tokens', tokens),
    saveCodeVerifier: verifier => void kept.set('verifier', verifier),
    codeVerifier: () => String(kept.get('verifier')),
    saveDiscoveryState: state => void kept.set('discovery', state),
    discoveryState: () => kept.get('discovery') as never,
    redirectToAuthorization(page) {
      callback = fetch(page, { redirect: 'manual' }).then(response => {
        const location = response.headers.get('location')
        if (!location) throw new Error('The authorization page did not redirect back.')
        return new URL(location).searchParams
      })
      callback.catch(() => {})
    },
  }
  return {
    authProvider,
    authorized: () => callback ?? Promise.reject(new Error('The authorization page was not opened.')),
  }
}
