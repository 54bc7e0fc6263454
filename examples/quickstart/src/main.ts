import { join } from 'node:path'
import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { runUntilSignal } from '@sibyl/core/start'
import { readConfig } from './config.ts'
import { notebook } from './plugins/notebook.ts'
import { enterFolder } from './start/enter-folder.ts'

await runUntilSignal(async () => {
  enterFolder(process.argv[2] ?? join(import.meta.dirname, '..'))
  return createOracleApp({
    config: readConfig(),
    plugins: [...bundledPlugins(), notebook()],
    adapters: bundledAdapters(),
  })
})
