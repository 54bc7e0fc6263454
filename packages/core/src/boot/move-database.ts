import { BootError } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/plugin/host'
import { type MoveOwner, moveStorage, type Storage } from '@sibyl/storage'
import { z } from 'zod'
import { coreMigrations } from '../database/core-migrations.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { createKeyHistory } from '../did/key-history.ts'
import type { moveReport } from '../records/move-report.ts'
import type { OracleAppOptions } from './oracle-app.ts'
import { readSettings } from './read-settings.ts'

/** Milliseconds between two reports of progress in a step. */
const reportMs = 100

/** The value of SIBYL_MOVE. */
const moveRequest = z.object({ to: z.string(), leaveUnknown: z.boolean() })

/** Moves the database of an oracle, with the tables of all its plugins, and reports the progress and the result. */
export const moveDatabase = async (
  options: OracleAppOptions,
  request: string,
  report: (line: z.output<typeof moveReport>) => void,
): Promise<void> => {
  let reported: { readonly step: string; readonly at: number } | undefined
  try {
    const settings = readSettings({ ...options, logger: silentLogger })
    if (settings.problems.length > 0) throw new BootError(settings.problems)
    const { ordered, excluded } = settings.resolution
    const moved = await moveStorage({
      ...moveRequest.parse(JSON.parse(request)),
      from: settings.env.DATABASE_URL,
      owners: [
        { name: 'core', migrations: coreMigrations },
        ...[...ordered, ...excluded.map(({ plugin }) => plugin)].map(ownerOf),
      ],
      onProgress: progress => {
        const at = performance.now()
        if (progress.step === reported?.step && at - reported.at < reportMs) return
        reported = { step: progress.step, at }
        report({ progress })
      },
    })
    report({ moved: { ...moved, tables: [...moved.tables], left: [...moved.left], problems: [...moved.problems] } })
  } catch (error) {
    report({ failed: describeFailure(error, 'move_failed') })
  }
}

const ownerOf = ({
  name,
  migrations,
  afterMove,
}: ReturnType<typeof readSettings>['resolution']['ordered'][number]) => ({
  name,
  migrations,
  ...(afterMove && {
    derived: afterMove.derived ?? [],
    finish: async (storage: Parameters<NonNullable<MoveOwner['finish']>>[0]) => {
      const history = await createKeyHistory(storage as Pick<Storage<CoreTables>, 'read' | 'write'>).list()
      return afterMove.run({ storage, keys: history.map(({ did }) => did) })
    },
  }),
})

/** Returns an error for the command; `code` for one without. */
export const describeFailure = (error: unknown, code: string): { readonly code: string; readonly message: string } => {
  const message = error instanceof Error ? error.message : String(error)
  return { code: error instanceof Error && 'code' in error ? String(error.code) : code, message }
}
