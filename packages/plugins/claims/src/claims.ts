import { definePlugin } from '@sibyl/core'
import { manifest } from './manifest.ts'

/**
 * Takes claims about entities in and evaluates them.
 *
 * @example
 * await createOracleApp({ config, plugins: [entities(), claims()] })
 */
export const claims = () =>
  definePlugin({
    name: 'claims',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    requires: ['entities'],
    uses: ['credentials'],
    setup() {
      return {}
    },
  })
