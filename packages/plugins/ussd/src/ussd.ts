import { definePlugin } from '@sibyl/core'
import { z } from 'zod'
import type { Flow } from './flow/flow.ts'
import type { FlowServices } from './flow/flow-services.ts'
import type { UssdProvider } from './providers/ussd-provider.ts'
import { ussdMigrations } from './storage/ussd-migrations.ts'
import type { UssdTables } from './storage/ussd-tables.ts'

/** How the gateway works, where its variables do not say. */
export interface UssdOptions {
  /** The menus. @default the bundled flow: Know More, Account Menu, Exit */
  readonly flow?: Flow | ((services: FlowServices) => Flow)
  /** Providers besides the bundled ones; one of a bundled name takes its place. */
  readonly providers?: readonly UssdProvider[]
}

/**
 * Gives every GSM phone a way to the oracle: the routes `/api/ussd` and `/api/ussd/<provider>` for telecom gateways.
 *
 * @example
 * await createOracleApp({ config, plugins: [ussd()] })
 */
export const ussd = (_options: UssdOptions = {}) =>
  definePlugin<z.ZodObject, UssdTables>({
    name: 'ussd',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'USSD',
      summary: 'Menus on any GSM phone.',
      whenToUse: ['someone asks what callers see on their phones'],
      load: 'always',
    },
    env: z.object({ PIN_ENCRYPTION_KEY: z.string().describe('Seals PINs and phone numbers') }),
    optIn: ['PIN_ENCRYPTION_KEY'],
    uses: ['sms', 'claims', 'user-preferences'],
    migrations: ussdMigrations,
    setup: () => ({}),
  })
