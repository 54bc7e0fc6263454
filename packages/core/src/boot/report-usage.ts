import { BootError } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/plugin/host'
import { readUsage } from '@sibyl/storage'
import type { z } from 'zod'
import { commandDatabaseUrl } from '../config/core-env.ts'
import type { storageReport } from '../records/storage-report.ts'
import type { OracleAppOptions } from './oracle-app.ts'
import { readSettings } from './read-settings.ts'
import { describeFailure } from './run-database-task.ts'

/** Measures the tables of an oracle, which may run, and reports the progress and the result. */
export const reportUsage = async (
  options: OracleAppOptions,
  report: (line: z.input<typeof storageReport>) => void,
): Promise<void> => {
  try {
    const { env, problems } = readSettings({ ...options, logger: silentLogger })
    if (problems.length > 0) throw new BootError(problems)
    const onTable = (reading: string) => report({ reading })
    const usage = await readUsage({ url: commandDatabaseUrl(env), now: Date.now(), onTable })
    report({ usage: { ...usage, tables: [...usage.tables] } })
  } catch (error) {
    report({ failed: describeFailure(error, 'storage_unreadable') })
  }
}
