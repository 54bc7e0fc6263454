import { definePlugin } from '@sibyl/core'
import { manifest } from './manifest.ts'
import { sandboxEnv } from './sandbox-env.ts'

/**
 * Runs code where it can do no harm.
 *
 * @example
 * await createOracleApp({ config, plugins: [sandbox()] })
 */
export const sandbox = () =>
  definePlugin({
    name: 'sandbox',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: sandboxEnv,
    optIn: ['SANDBOX_MCP_URL'],
    setup: () => ({}),
  })
