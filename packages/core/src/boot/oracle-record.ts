import type { OracleRecord } from '@sibyl/protocol'
import type { ReadyPlugin } from '../plugins/plugin-lifecycle.ts'
import { coreVersion } from './core-version.ts'
import type { Kernel } from './make-kernel.ts'
import type { Settings } from './read-settings.ts'

/** Sources of the record. */
export interface OracleRecordSources {
  readonly settings: Settings
  readonly kernel: Pick<Kernel, 'auth' | 'identity' | 'url'>
  readonly plugins: readonly ReadyPlugin[]
}

/** Returns the response of `GET /.well-known/oracle.json`. */
export const oracleRecord = ({
  settings: { env },
  kernel: { auth, identity, url },
  plugins,
}: OracleRecordSources): OracleRecord => ({
  name: env.ORACLE_NAME,
  ...(env.ORACLE_DESCRIPTION === undefined ? {} : { description: env.ORACLE_DESCRIPTION }),
  version: coreVersion,
  ...(identity.did === undefined ? {} : { did: identity.did }),
  publicDid: identity.publicDid,
  ...(env.ORACLE_ENTITY_DID === undefined ? {} : { entityDid: env.ORACLE_ENTITY_DID }),
  authentication: ['ucan', 'bearer', ...(auth.takesApiKeys ? (['api-key'] as const) : [])],
  access: env.ORACLE_ACCESS,
  endpoints: {
    chat: `${url()}/chat`,
    sessions: `${url()}/sessions`,
    capabilities: `${url()}/capabilities`,
    health: `${url()}/health`,
    token: `${url()}/auth/token`,
    delegation: `${url()}/delegation`,
    revocations: `${url()}/revocations`,
    ...Object.fromEntries(
      plugins.flatMap(({ plugin, parts: { endpoint } }) =>
        plugin.isAdapter && endpoint !== undefined ? [[plugin.name, `${url()}${endpoint}`]] : [],
      ),
    ),
  },
})
