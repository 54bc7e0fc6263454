import type { Host } from '@sibyl/plugin'
import type Provider from 'oidc-provider'
import type { OauthTables } from '../tables/oauth-tables.ts'
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
      return urlOf(parts.host)
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

/** Returns PUBLIC_URL, or the address on this computer. */
const urlOf = ({ identity, variable }: Pick<Host<unknown, OauthTables>, 'identity' | 'variable'>): string => {
  const given = variable('PUBLIC_URL')?.replace(/\/+$/, '')
  if (given) return given
  const [host = ''] = identity.publicDid.replace('did:web:', '').split(':')
  return `http://${decodeURIComponent(host)}`
}
