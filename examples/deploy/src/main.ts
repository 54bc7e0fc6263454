import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { runUntilSignal } from '@sibyl/core/start'

await runUntilSignal(() => createOracleApp({ plugins: bundledPlugins(), adapters: bundledAdapters() }))
