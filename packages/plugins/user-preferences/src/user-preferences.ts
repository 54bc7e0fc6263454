import { definePlugin } from '@sibyl/core'
import { manifest } from './manifest.ts'
import { userPreferencesEnv } from './user-preferences-env.ts'

/**
 * What a person prefers on every channel: language, units, tone, time zone, name.
 *
 * @example
 * await createOracleApp({ config, plugins: [userPreferences()] })
 */
export const userPreferences = () =>
  definePlugin({
    name: 'user-preferences',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: userPreferencesEnv,
    setup: () => ({}),
  })
