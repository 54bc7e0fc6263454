import { definePlugin } from '@sibyl/core'
import { filesEnv } from './files-env.ts'
import { manifest } from './manifest.ts'

/**
 * A folder of files for each person.
 *
 * @example
 * await createOracleApp({ config, plugins: [files()] })
 */
export const files = () =>
  definePlugin({
    name: 'files',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: filesEnv,
    setup: () => ({}),
  })
