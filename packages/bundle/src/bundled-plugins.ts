import { asBundled, type OraclePlugin } from '@sibyl/core'
import { claims } from '@sibyl/plugin-claims'
import { credentials } from '@sibyl/plugin-credentials'
import { entities } from '@sibyl/plugin-entities'
import { firecrawl } from '@sibyl/plugin-firecrawl'
import { mcp } from '@sibyl/plugin-mcp'
import { memory } from '@sibyl/plugin-memory'
import { sandbox } from '@sibyl/plugin-sandbox'
import { skills } from '@sibyl/plugin-skills'
import { ussd } from '@sibyl/plugin-ussd'
import { weather } from '@sibyl/plugin-weather'

/**
 * The plugins that come with Sibyl, each with its defaults. One of the same name given beside them takes its place.
 *
 * @example
 * await createOracleApp({ config, plugins: [...bundledPlugins(), weather({ timeLimitMs: 1000 })] })
 */
export const bundledPlugins = (): OraclePlugin[] =>
  [weather(), ussd(), entities(), claims(), credentials(), memory(), firecrawl(), sandbox(), skills(), mcp()].map(
    asBundled,
  )
