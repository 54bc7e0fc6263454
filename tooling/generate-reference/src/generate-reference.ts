import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { listEnvVariables, oracleConfigSchema } from '@sibyl/core'
import { findPackages, readManifest, workspaceRoot } from '@sibyl/tooling-source'
import { agentsPage } from './agents/agents-page.ts'
import { commandPurposes } from './agents/command-purposes.ts'
import { withPackageTable } from './agents/package-table.ts'
import { cliPages } from './cli-page.ts'
import { commandHelp } from './command-help.ts'
import { configSchema } from './config-schema.ts'
import { envPage } from './env-page.ts'
import { declaredCodes } from './errors/declared-codes.ts'
import { errorsPage } from './errors/errors-page.ts'
import { readPage } from './read-page.ts'

/** AGENTS.md, the README, the reference pages and the JSON Schema that follow from the sources and are committed: their texts by their paths, relative to the checkout. */
export const generateReference = async (): Promise<ReadonlyMap<string, string>> => {
  const packages = findPackages()
  return new Map([
    ['AGENTS.md', agentsPage(packages, commandPurposes(readManifest(workspaceRoot)))],
    ['README.md', withPackageTable(readPage('README.md'), packages)],
    ...cliPages(await commandHelp()),
    ['docs/reference/env.md', envPage(listEnvVariables([...bundledPlugins(), ...bundledAdapters()]))],
    ['docs/reference/errors.md', errorsPage(readPage('docs/reference/errors.md'), declaredCodes(packages))],
    ['packages/core/oracle.config.schema.json', configSchema(oracleConfigSchema)],
  ])
}
