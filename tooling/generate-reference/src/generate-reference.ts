import { bundledPlugins } from '@sibyl/bundle'
import { createOracleApp, type Logger, listEnvVariables, type OraclePlugin } from '@sibyl/core'
import { cliPage } from './cli-page.ts'
import { commandHelp } from './command-help.ts'
import { envPage } from './env-page.ts'
import { httpPage } from './http-page.ts'
import { pluginsPage } from './plugins-page.ts'

/** The reference pages that follow from the sources: their texts by their paths, relative to the checkout. */
export const generateReference = async (): Promise<ReadonlyMap<string, string>> => {
  const plugins = bundledPlugins()
  const [{ records, routes }, help] = await Promise.all([factsOf(plugins), commandHelp()])
  return new Map([
    ['docs/reference/cli.md', cliPage(help)],
    ['docs/reference/env.md', envPage(listEnvVariables(plugins))],
    ['docs/reference/http.md', httpPage(routes)],
    ['docs/reference/plugins.md', pluginsPage(plugins, records)],
  ])
}

/** What a booted oracle says of itself. */
const factsOf = async (plugins: readonly OraclePlugin[]) => {
  const oracle = await createOracleApp({ plugins, env: { DATABASE_URL: 'memory:' }, logger: silent })
  try {
    return { records: oracle.capabilities(), routes: oracle.routes() }
  } finally {
    await oracle.close()
  }
}

const silent: Logger = {
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silent,
}
