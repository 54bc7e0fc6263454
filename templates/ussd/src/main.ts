import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { loadEnvFile, runUntilSignal } from '@sibyl/core/start'
import { ussd } from '@sibyl/plugin-ussd'
import { config } from './config.ts'
import { menus } from './menus.ts'

await runUntilSignal(() => {
  loadEnvFile()
  return createOracleApp({ config, plugins: [...bundledPlugins(), ussd({ flow: menus })], adapters: bundledAdapters() })
})
