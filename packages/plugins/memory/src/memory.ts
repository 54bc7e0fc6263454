import { definePlugin } from '@sibyl/core'
import { manifest } from './manifest.ts'
import { memoryEnv } from './memory-env.ts'

/**
 * Remembers what people tell the oracle, and finds it again.
 *
 * @example
 * await createOracleApp({ config, plugins: [memory()] })
 */
export const memory = () =>
  definePlugin({
    name: 'memory',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: memoryEnv,
    optIn: ['MEMORY_MCP_URL'],
    setup: () => ({}),
  })
