import { definePlugin } from '@sibyl/core'
import { creditsEnv } from './credits-env.ts'
import { manifest } from './manifest.ts'

/**
 * What turns cost, and who has how much left.
 *
 * @example
 * await createOracleApp({ config, plugins: [credits()] })
 */
export const credits = () =>
  definePlugin({
    name: 'credits',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: creditsEnv,
    setup: () => ({}),
  })
