import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { createOracleApp, listEnvVariables, oracleConfigSchema } from '@sibyl/core'
import type { Host, OraclePlugin } from '@sibyl/plugin'
import { silentLogger, switchedOn } from '@sibyl/testing'
import { findPackages, readManifest, workspaceRoot } from '@sibyl/tooling-source'
import { agentsPage } from './agents/agents-page.ts'
import { commandPurposes } from './agents/command-purposes.ts'
import { withPackageTable } from './agents/package-table.ts'
import type { ApiDocument } from './api-document.ts'
import { cliPages } from './cli-page.ts'
import { commandHelp } from './command-help.ts'
import { configSchema } from './config-schema.ts'
import { envPage } from './env-page.ts'
import { declaredCodes } from './errors/declared-codes.ts'
import { errorsPage } from './errors/errors-page.ts'
import { httpPages } from './http-page.ts'
import { type PluginWithParts, pluginsPage } from './plugins-page.ts'

/** AGENTS.md, the README, the reference pages and the JSON Schema that follow from the sources: their texts by their paths, relative to the checkout. */
export const generateReference = async (): Promise<ReadonlyMap<string, string>> => {
  const plugins = bundledPlugins()
  const packages = findPackages()
  const [{ ready, document }, help] = await Promise.all([factsOf(plugins), commandHelp()])
  return new Map([
    ['AGENTS.md', agentsPage(packages, commandPurposes(readManifest(workspaceRoot)))],
    ['README.md', withPackageTable(readPage('README.md'), packages)],
    ...cliPages(help),
    ['docs/reference/env.md', envPage(listEnvVariables([...plugins, ...bundledAdapters()]))],
    ['docs/reference/errors.md', errorsPage(readPage('docs/reference/errors.md'), declaredCodes(packages))],
    ...httpPages(document),
    ['docs/reference/plugins.md', pluginsPage(ready)],
    ['packages/core/oracle.config.schema.json', configSchema(oracleConfigSchema)],
  ])
}

const readPage = (path: string): string => readFileSync(join(workspaceRoot, path), 'utf8')

/** Returns the facts of a booted oracle, with all optional features enabled. */
const factsOf = async (plugins: readonly OraclePlugin[]) => {
  const env = { ...switchedOn(plugins), DATABASE_URL: 'memory:', ORACLE_API_KEYS: 'example:0123456789abcdef' }
  const ready: PluginWithParts[] = []
  const watched = plugins.map(plugin => ({
    ...plugin,
    async setup(host: Host) {
      const parts = await plugin.setup(host)
      ready.push({ plugin, parts })
      return parts
    },
  }))
  const oracle = await createOracleApp({ plugins: watched, adapters: bundledAdapters(), env, logger: silentLogger })
  try {
    const document = (await (await oracle.request('/openapi.json')).json()) as ApiDocument
    return { ready: ready.toSorted((one, other) => placeOf(plugins, one) - placeOf(plugins, other)), document }
  } finally {
    await oracle.close()
  }
}

/** Its place in the bundle; plugins are set up in the order of their dependencies. */
const placeOf = (plugins: readonly OraclePlugin[], { plugin }: PluginWithParts): number => plugins.indexOf(plugin)
