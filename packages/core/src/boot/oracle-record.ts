import type { OracleRecord } from '@sibyl/protocol'
import { coreVersion } from './core-version.ts'
import type { HttpRequestParts } from './make-http.ts'

/** Returns the response of `GET /.well-known/oracle.json`. */
export const oracleRecord = ({
  opened: { settings },
  kernel: {
    auth,
    identity,
    address: { url },
  },
  plugins,
}: Pick<HttpRequestParts, 'opened' | 'kernel' | 'plugins'>): OracleRecord => ({
  name: settings.env.ORACLE_NAME,
  description: settings.env.ORACLE_DESCRIPTION,
  version: coreVersion,
  did: identity.did,
  publicDid: identity.publicDid,
  entityDid: settings.env.ORACLE_ENTITY_DID,
  authentication: ['ucan', 'bearer', ...(auth.takesApiKeys ? (['api-key'] as const) : [])],
  access: settings.env.ORACLE_ACCESS,
  endpoints: {
    chat: `${url}/chat`,
    sessions: `${url}/sessions`,
    capabilities: `${url}/capabilities`,
    health: `${url}/health`,
    token: `${url}/auth/token`,
    delegation: `${url}/delegation`,
    revocations: `${url}/revocations`,
    ...Object.fromEntries(
      plugins.flatMap(({ plugin, parts: { endpoint } }) =>
        plugin.isAdapter && endpoint !== undefined ? [[plugin.name, `${url}${endpoint}`]] : [],
      ),
    ),
  },
})
