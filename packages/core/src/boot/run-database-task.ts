import { readFile } from 'node:fs/promises'
import { BootError } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/plugin/host'
import {
  checkBackup,
  createBackup,
  type MoveOwner,
  moveFiles,
  moveStorage,
  objectLocation,
  objectStoreVariables,
  restoreBackup,
  type Storage,
} from '@sibyl/storage'
import { z } from 'zod'
import { commandDatabaseUrl } from '../config/core-env.ts'
import type { Environment } from '../config/environment.ts'
import { coreMigrations } from '../database/core-migrations.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { createKeyHistory } from '../did/key-history.ts'
import { type DatabaseTask, databaseTask, type TaskProgress, type TaskReport } from '../records/database-task.ts'
import { coreVersion } from './core-version.ts'
import type { OracleAppOptions } from './oracle-app.ts'
import { readSettings, type Settings } from './read-settings.ts'

/** Milliseconds between two reports of progress in a step. */
const reportMs = 100
/** The largest identity file that is read, in characters. */
const maxIdentity = 64_000

/** Moves, backs up, checks or restores the database of an oracle with the tables of all its plugins; reports the progress. */
export const runDatabaseTask = async (
  options: OracleAppOptions,
  request: string,
  report: (line: TaskReport) => void,
): Promise<void> => {
  let reported: { readonly step: string; readonly at: number } | undefined
  const onProgress = (progress: TaskProgress) => {
    const at = performance.now()
    if (progress.step === reported?.step && at - reported.at < reportMs) return
    reported = { step: progress.step, at }
    report({ progress })
  }
  try {
    const settings = readSettings({ ...options, logger: silentLogger })
    if (settings.problems.length > 0) throw new BootError(settings.problems)
    const given = options.env ?? process.env
    report(await run(databaseTask.parse(JSON.parse(request)), { settings, given, onProgress }))
  } catch (error) {
    report({ failed: describeFailure(error, 'backup_failed') })
  }
}

const run = async (
  task: DatabaseTask,
  {
    settings,
    given: variables,
    onProgress,
  }: {
    readonly settings: Settings
    readonly given: Environment
    readonly onProgress: (progress: TaskProgress) => void
  },
): Promise<TaskReport> => {
  const url = commandDatabaseUrl(settings.env)
  const owners = ownersOf(settings, variables)
  if (task.task === 'move') {
    const moved = await moveStorage({ ...task, from: url, owners, onProgress })
    return { moved: { ...moved, hasDirectUrl: settings.env.DATABASE_DIRECT_URL !== undefined } }
  }
  if (task.task === 'move-files') {
    const to = { directory: task.to, objects: locationOf(task.to, variables) }
    return { filesMoved: await moveFiles({ url, owners, to, onProgress }) }
  }
  const objects = locationOf(task.folder, variables)
  if (task.task === 'backup')
    return { backup: await createBackup({ ...task, objects, url, owners, version: coreVersion, onProgress }) }
  const identity = task.identity === undefined ? undefined : await readIdentity(task.identity)
  const given = { ...task, objects, owners, identity, onProgress }
  if (task.task === 'verify') return { verified: await checkBackup(given) }
  return { restored: await restoreBackup({ ...given, url }) }
}

/** Returns the object store of an s3: URL; undefined for a folder. */
const locationOf = (url: string, variables: Environment) => {
  if (!url.startsWith('s3:')) return undefined
  const isSet = ([, value]: [string, string | undefined]) => value !== undefined && value.trim() !== ''
  return objectLocation(
    url,
    z.object(objectStoreVariables).parse(Object.fromEntries(Object.entries(variables).filter(isSet))),
  )
}

const readIdentity = async (path: string): Promise<string> => (await readFile(path, 'utf8')).slice(0, maxIdentity)

type Plugin = Settings['resolution']['ordered'][number]

/** Returns core and all plugins, also those that are switched off: their tables stay. */
const ownersOf = ({ resolution, pluginEnv }: Settings, given: Environment): readonly MoveOwner[] => [
  { name: 'core', migrations: coreMigrations },
  ...[...resolution.ordered, ...resolution.excluded.map(({ plugin }) => plugin)].map(plugin =>
    ownerOf(plugin, { plugins: pluginEnv, given }),
  ),
]

const ownerOf = (
  { name, migrations, env: schema, afterMove, ownedFiles }: Plugin,
  { plugins, given }: { readonly plugins: Settings['pluginEnv']; readonly given: Environment },
): MoveOwner => {
  const env = plugins.get(name) ?? schema?.safeParse(given).data
  return {
    name,
    migrations,
    ...(ownedFiles && env && { files: ownedFiles(env) }),
    ...(afterMove && {
      derived: afterMove.derived ?? [],
      finish: async (storage: Parameters<NonNullable<MoveOwner['finish']>>[0]) => {
        const history = await createKeyHistory(storage as Pick<Storage<CoreTables>, 'read' | 'write'>).list()
        return afterMove.run({ storage, keys: history.map(({ did }) => did) })
      },
    }),
  }
}

/** Returns an error for the command; `code` for one without. */
export const describeFailure = (error: unknown, code: string): { readonly code: string; readonly message: string } => {
  const message = error instanceof Error ? error.message : String(error)
  return { code: error instanceof Error && 'code' in error ? String(error.code) : code, message }
}
