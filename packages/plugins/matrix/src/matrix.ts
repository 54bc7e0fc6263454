import { definePlugin } from '@sibyl/core'
import { manifest } from './manifest.ts'
import { matrixEnv } from './matrix-env.ts'

/**
 * The oracle in Matrix rooms.
 *
 * @example
 * await createOracleApp({ config, plugins: [matrix()] })
 */
export const matrix = () =>
  definePlugin({
    name: 'matrix',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: matrixEnv,
    optIn: ['MATRIX_BASE_URL'],
    uses: ['user-preferences'],
    setup: () => ({}),
  })
