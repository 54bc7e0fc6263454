import { a2a } from '@sibyl/adapter-a2a'
import { agUi } from '@sibyl/adapter-ag-ui'
import { mcpServer } from '@sibyl/adapter-mcp'
import { openai } from '@sibyl/adapter-openai'
import { webConsole } from '@sibyl/console'
import { oauth } from '@sibyl/oauth'
import { operations } from '@sibyl/operations'
import type { OraclePlugin } from '@sibyl/plugin'
import { asBundled } from '@sibyl/plugin/host'

/**
 * The adapters that come with Sibyl: protocols for existing clients, chosen by ORACLE_ADAPTERS, sign-in with OAuth,
 * chosen by OAUTH, the console, chosen by CONSOLE, and the operations, which are a part of core.
 *
 * @example
 * await createOracleApp({ config, plugins: bundledPlugins(), adapters: bundledAdapters() })
 */
export const bundledAdapters = (): OraclePlugin[] =>
  [openai(), mcpServer(), agUi(), oauth(), a2a(), webConsole(), operations()].map(asBundled)
