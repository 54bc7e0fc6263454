import type Provider from 'oidc-provider'
import type { ProviderParts } from './make-provider.ts'

/** The authorization server of an oracle, created at the first request: its URL is known once the oracle listens. */
export interface ProviderHolder {
  /** The public URL of the oracle, without a slash at its end. */
  readonly url: string
  provider(): Promise<Provider>
}

/** Creates the holder. */
export const holdProvider = (parts: ProviderParts): ProviderHolder => {
  let made: { readonly url: string; readonly provider: Promise<Provider> } | undefined
  const holder: ProviderHolder = {
    get url() {
      return parts.host.identity.url
    },
    provider() {
      const { url } = holder
      if (made?.url !== url) made = { url, provider: loadProvider(url, parts) }
      const { provider } = made
      provider.catch(() => {
        made = undefined
      })
      return provider
    },
  }
  return holder
}

const loadProvider = async (url: string, parts: ProviderParts): Promise<Provider> => {
  const { makeProvider } = await import('./make-provider.ts')
  return makeProvider(url, parts)
}
