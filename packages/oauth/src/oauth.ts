import { camelCaseStorage, definePlugin, type Manifest } from '@sibyl/plugin'
import type { GuardedFetch } from '@sibyl/plugin/outbound'
import { z } from 'zod'
import { holdProvider } from './provider/provider-holder.ts'
import { accessRoutes } from './routes/access-routes.ts'
import { deviceRoutes } from './routes/device-routes.ts'
import { defaultScopes, metadataRoutes } from './routes/metadata-routes.ts'
import { providerRoutes } from './routes/provider-routes.ts'
import { signInRoutes } from './routes/sign-in-routes.ts'
import { signInCredentials } from './sign-in-credentials.ts'
import { createCodeStore } from './tables/code-store.ts'
import { createDeviceStore } from './tables/device-store.ts'
import { expiredRows } from './tables/expired-rows.ts'
import { type OauthTables, oauthMigrations } from './tables/oauth-tables.ts'
import { personalRecords } from './tables/personal-records.ts'
import { createSignInStore } from './tables/sign-in-store.ts'

const env = z.object({
  OAUTH: z.enum(['on', 'off']).optional().meta({
    description: 'Whether users sign in to clients with OAuth.',
    example: 'on',
    defaultText: 'on, in production off',
  }),
  OAUTH_SCOPES: z
    .string()
    .max(2_000)
    .transform(text => text.split(/[\s,]+/).filter(Boolean))
    .default([...defaultScopes])
    .meta({
      description: 'The scopes that clients request unless they choose others, separated by commas.',
      example: 'chat/*,session/*,files/read',
      defaultText: 'chat/*,session/*',
    }),
  RETENTION_OAUTH_CLIENTS_DAYS: z.coerce.number().int().min(90).max(36_500).default(90).meta({
    description: 'Days after the last sign-in to a registered OAuth client until its registration is deleted.',
  }),
})

export interface OauthOptions {
  /** Fetches metadata documents of clients. @default only from public addresses */
  readonly fetch?: GuardedFetch
}

/**
 * OAuth 2.1: clients register automatically, users sign in with a DID and consent, and the tokens are accepted wherever
 * bearers are. Off in production unless `OAUTH=on`.
 *
 * @example
 * await createOracleApp({ config, plugins: [weather()], adapters: [oauth()] })
 */
export const oauth = ({ fetch }: OauthOptions = {}) =>
  definePlugin<typeof env, OauthTables>({
    name: 'oauth',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env,
    switch: 'OAUTH',
    migrations: oauthMigrations,
    async setup(host) {
      const storage = camelCaseStorage<OauthTables>(host.storage)
      const now = () => host.clock.now()
      const signIns = createSignInStore(storage, now)
      const codes = createCodeStore(storage, now)
      const clientDays = host.env.RETENTION_OAUTH_CLIENTS_DAYS
      const parts = { host, storage, signIns, clientDays, now, ...(fetch ? { fetch } : {}) }
      const holder = holdProvider(parts)
      const devices = createDeviceStore(storage, now, holder.site)
      return {
        endpoint: '/oauth',
        routes: [
          ...metadataRoutes(host.oracle.name, host.env.OAUTH_SCOPES, holder),
          ...holder.counted([
            ...providerRoutes(holder, devices, now),
            ...deviceRoutes(host, devices, holder),
            ...signInRoutes(parts, codes, holder),
          ]),
          ...accessRoutes(host, signIns, codes, now),
        ],
        credentials: signInCredentials(storage, signIns, holder, now),
        personalRecords: personalRecords(storage, signIns),
        retention: expiredRows(storage),
      }
    },
  })

const manifest: Manifest = {
  title: 'Sign-in',
  summary: 'Clients act for users who signed in with OAuth and a DID.',
  whenToUse: ['a client requests access for a user'],
}
