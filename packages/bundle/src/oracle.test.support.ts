// An oracle with the bundled plugins as a process; with the argument `nothing` it has no variable at all, and a free port.
import { createOracleApp } from '@sibyl/core'
import { runUntilSignal } from '@sibyl/core/start'
import { operations } from '@sibyl/operations'
import { bundledPlugins } from './bundled-plugins.ts'

const withNothing = process.argv[2] === 'nothing'

await runUntilSignal(async () => {
  const env = withNothing ? { env: {} } : {}
  const oracle = await createOracleApp({ plugins: bundledPlugins(), adapters: [operations()], ...env })
  if (!withNothing) return oracle
  return Object.assign(Object.create(oracle), {
    listen: () => oracle.listen({ port: 0 }),
    close: () => oracle.close(),
  })
})
