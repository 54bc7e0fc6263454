import { AsyncLocalStorage } from 'node:async_hooks'
import type { Route } from '@sibyl/plugin'
import { networksOf } from '@sibyl/plugin/host'
import type Provider from 'oidc-provider'
import type { ProviderParts } from './make-provider.ts'

/** The authorization server of an oracle, created at the first request: its URL is known once the oracle listens. */
export interface ProviderHolder {
  /** The public URL of the oracle, without a slash at its end. */
  readonly url: string
  provider(): Promise<Provider>
  /** Returns the network of the request that is handled. */
  site(): string | undefined
  /** Returns routes that count what the server stores and fetches for them for the network of their client. */
  counted(routes: readonly Route[]): Route[]
}

export const holdProvider = (given: Omit<ProviderParts, 'site'>): ProviderHolder => {
  const sites = new AsyncLocalStorage<string | undefined>()
  const parts = { ...given, site: () => sites.getStore() }
  let made: { readonly url: string; readonly provider: Promise<Provider> } | undefined
  const holder: ProviderHolder = {
    get url() {
      return parts.host.identity.url
    },
    site: parts.site,
    provider() {
      const { url } = holder
      if (made?.url !== url) made = { url, provider: loadProvider(url, parts) }
      const { provider } = made
      provider.catch(() => {
        made = undefined
      })
      return provider
    },
    counted: routes =>
      routes.map(route => ({
        ...route,
        handle(c) {
          const address = c.get('clientAddress')
          return sites.run(address && networksOf(address).site, () => route.handle(c))
        },
      })),
  }
  return holder
}

const loadProvider = async (url: string, parts: ProviderParts): Promise<Provider> => {
  const { makeProvider } = await import('./make-provider.ts')
  return makeProvider(url, parts)
}
