import { bundledPlugins } from '@sibyl/bundle'
import { createOracleApp, type Logger, listEnvVariables, type OraclePlugin } from '@sibyl/core'
import type { CapabilityRecord } from '@sibyl/protocol'
import { envPage } from './env-page.ts'
import { pluginsPage } from './plugins-page.ts'

/** The reference pages that follow from the sources: their texts by their paths, relative to the checkout. */
export const generateReference = async (): Promise<ReadonlyMap<string, string>> => {
  const plugins = bundledPlugins()
  return new Map([
    ['docs/reference/env.md', envPage(listEnvVariables(plugins))],
    ['docs/reference/plugins.md', pluginsPage(plugins, await recordsOf(plugins))],
  ])
}

const recordsOf = async (plugins: readonly OraclePlugin[]): Promise<readonly CapabilityRecord[]> => {
  const oracle = await createOracleApp({ plugins, env: { DATABASE_URL: ':memory:' }, logger: silent })
  try {
    return oracle.capabilities()
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
