import { definePlugin } from '@sibyl/core'
import { firecrawlEnv } from './firecrawl-env.ts'
import { manifest } from './manifest.ts'

/**
 * Reads web pages as Markdown.
 *
 * @example
 * await createOracleApp({ config, plugins: [firecrawl()] })
 */
export const firecrawl = () =>
  definePlugin({
    name: 'firecrawl',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: firecrawlEnv,
    optIn: ['FIRECRAWL_MCP_URL'],
    setup: () => ({}),
  })
