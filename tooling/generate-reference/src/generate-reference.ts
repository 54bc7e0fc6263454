import { bundledPlugins } from '@sibyl/bundle'
import { createOracleApp, listEnvVariables, type OraclePlugin } from '@sibyl/core'
import { silentLogger, switchedOn } from '@sibyl/core/testing'
import type { ApiDocument } from './api-document.ts'
import { cliPage } from './cli-page.ts'
import { commandHelp } from './command-help.ts'
import { envPage } from './env-page.ts'
import { httpPage } from './http-page.ts'
import { pluginsPage } from './plugins-page.ts'

/** The reference pages that follow from the sources: their texts by their paths, relative to the checkout. */
export const generateReference = async (): Promise<ReadonlyMap<string, string>> => {
  const plugins = bundledPlugins()
  const [{ records, document }, help] = await Promise.all([factsOf(plugins), commandHelp()])
  return new Map([
    ['docs/reference/cli.md', cliPage(help)],
    ['docs/reference/env.md', envPage(listEnvVariables(plugins))],
    ['docs/reference/http.md', httpPage(document)],
    ['docs/reference/plugins.md', pluginsPage(plugins, records)],
  ])
}

/** What a booted oracle says of itself, with all on that is off by itself. */
const factsOf = async (plugins: readonly OraclePlugin[]) => {
  const env = { ...switchedOn(plugins), DATABASE_URL: 'memory:', ORACLE_API_KEYS: 'example:0123456789abcdef' }
  const oracle = await createOracleApp({ plugins, env, logger: silentLogger })
  try {
    const document = (await (await oracle.request('/openapi.json')).json()) as ApiDocument
    return { records: oracle.capabilities(), document }
  } finally {
    await oracle.close()
  }
}
