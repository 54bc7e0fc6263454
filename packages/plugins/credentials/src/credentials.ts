import { definePlugin } from '@sibyl/core'
import { manifest } from './manifest.ts'

/**
 * Issues and verifies credentials under the DID of the oracle.
 *
 * @example
 * await createOracleApp({ config, plugins: [entities(), credentials()] })
 */
export const credentials = () =>
  definePlugin({
    name: 'credentials',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    uses: ['entities'],
    setup() {
      return {}
    },
  })
