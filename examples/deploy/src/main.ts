import { constants } from 'node:os'
import { bundledPlugins } from '@sibyl/bundle'
import { BootError, createOracleApp, OracleError } from '@sibyl/core'

/** The exit code of an oracle that could not start; starting it again would not help. */
const notStarted = 3

try {
  const oracle = await createOracleApp({ plugins: bundledPlugins() })
  let closing = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(128 + constants.signals[signal])
      closing = true
      void oracle.close().then(() => process.exit(0))
    })
  }
  await oracle.listen()
} catch (error) {
  if (!(error instanceof OracleError)) throw error
  // The log has the reasons of a BootError already.
  if (!(error instanceof BootError)) console.error(error.message)
  process.exit(notStarted)
}
