import type { OraclePlugin } from '@sibyl/plugin'
import { asBundled } from '@sibyl/plugin/host'
import { claims } from '@sibyl/plugin-claims'
import { credentials } from '@sibyl/plugin-credentials'
import { credits } from '@sibyl/plugin-credits'
import { entities } from '@sibyl/plugin-entities'
import { files } from '@sibyl/plugin-files'
import { firecrawl } from '@sibyl/plugin-firecrawl'
import { matrix } from '@sibyl/plugin-matrix'
import { mcp } from '@sibyl/plugin-mcp'
import { memory } from '@sibyl/plugin-memory'
import { sandbox } from '@sibyl/plugin-sandbox'
import { skills } from '@sibyl/plugin-skills'
import { sms } from '@sibyl/plugin-sms'
import { tasks } from '@sibyl/plugin-tasks'
import { userPreferences } from '@sibyl/plugin-user-preferences'
import { ussd } from '@sibyl/plugin-ussd'
import { weather } from '@sibyl/plugin-weather'

/**
 * The plugins that come with Sibyl, each with its defaults. One of the same name given beside them takes its place.
 *
 * @example
 * await createOracleApp({ config, plugins: [...bundledPlugins(), weather({ timeLimitMs: 1000 })] })
 */
export const bundledPlugins = (): OraclePlugin[] =>
  [
    weather(),
    ussd(),
    entities(),
    claims(),
    credentials(),
    sms(),
    matrix(),
    memory(),
    firecrawl(),
    sandbox(),
    skills(),
    userPreferences(),
    tasks(),
    credits(),
    files(),
    mcp(),
  ].map(asBundled)
