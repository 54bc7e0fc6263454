import { bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { loadEnvFile, runUntilSignal } from '@sibyl/core/start'
import { config } from './config.ts'
import { chatPage } from './plugins/chat-page.ts'

await runUntilSignal(() => {
  loadEnvFile()
  return createOracleApp({ config, plugins: [...bundledPlugins(), chatPage()] })
})
