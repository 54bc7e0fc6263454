import { definePlugin } from '@sibyl/core'
import { manifest } from './manifest.ts'
import { mcpEnv } from './mcp-env.ts'

/**
 * Tools of MCP servers, each server a capability of its own.
 *
 * @example
 * await createOracleApp({ config, plugins: [mcp()] })
 */
export const mcp = () =>
  definePlugin({
    name: 'mcp',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: mcpEnv,

    setup: () => ({}),
  })
