import type { TestTarget } from '@sibyl/testing'
import type { OracleProcess } from './start-oracle.ts'

/** Returns an oracle with `TRUST_PROXY_ENABLED`, as a client at an address calls it through the proxy. */
export const throughProxy = ({ url, did }: Pick<OracleProcess, 'url' | 'did'>, address: string): TestTarget => ({
  identity: { did },
  request: (path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', address)
    return fetch(url + path, { ...init, headers })
  },
})
