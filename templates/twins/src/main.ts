import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { loadEnvFile, runUntilSignal } from '@sibyl/core/start'
import { config } from './config.ts'
import { wells } from './plugins/wells.ts'

await runUntilSignal(() => {
  loadEnvFile()
  return createOracleApp({ config, plugins: [...bundledPlugins(), wells()], adapters: bundledAdapters() })
})
