import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { checkPooling, storageErrors } from '@sibyl/core'
import type { OracleInspection } from '@sibyl/core/records'
import { z } from 'zod'
import { cleanLine } from '../../../output/clean-text.ts'
import { formatCount } from '../../../output/format.ts'
import { isSqliteInUse, sqlitePath, usualDatabaseUrl } from '../../../project/sqlite-database.ts'
import { type DoctorContext, isWritable, requestLimitMs } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'

type Steps = OracleInspection['migrations']

/** Checks whether the database opens, and whether its tables match the installed packages. Writes nothing. */
export const checkDatabase = async (context: DoctorContext): Promise<Finding[]> => {
  const { project, setting } = context
  if (!project) return []
  const { ok, fail } = findingsOf('Services', 'database')
  const url = setting('DATABASE_URL') ?? usualDatabaseUrl
  if (/^postgres(ql)?:\/\//.test(url)) return [await checkPostgres(url, setting('DATABASE_DIRECT_URL'))]
  if (!url.startsWith('file:') || url === 'file::memory:')
    return [ok('the database is in memory: its data is lost when the oracle stops')]
  const path = sqlitePath(url, project.folder)
  if (path === undefined)
    return [fail('DATABASE_URL is not a file: URL.', 'Set it to a URL such as file:./.data/sibyl.db')]
  return checkSqlite(path, (await context.inspection)?.migrations ?? [])
}

const checkSqlite = async (path: string, steps: Steps): Promise<Finding[]> => {
  const { ok, warn, fail } = findingsOf('Services', 'database')
  const name = basename(path)
  const facts = await stat(path).catch(() => undefined)
  if (!facts) {
    const trouble = await folderTrouble(dirname(path))
    if (trouble !== undefined) return [fail(`The database cannot be created: ${trouble}.`, 'Check DATABASE_URL.')]
    return [ok(`the first start creates ${name}`)]
  }
  if (!facts.isFile()) return [fail(`${path} is not a file.`, 'Check DATABASE_URL, or move the path away.')]
  if (!(await isWritable(path)))
    return [fail(`${path} is not writable.`, `Grant yourself write permission: chmod u+rw ${name}`)]
  const inUse = isSqliteInUse(path)
  const log = await stat(`${path}-wal`).catch(() => undefined)
  if (!inUse && (log?.size ?? 0) > 0) {
    return [ok(`${name} was not closed by its last oracle: the next start recovers it`)]
  }
  try {
    const applied = appliedSteps(path, inUse)
    return [inUse ? ok(`${name} opens; an oracle is using it`) : ok(`${name} opens`), compare(applied, steps)]
  } catch (error) {
    const reason = cleanLine(error instanceof Error ? error.message : String(error))
    if (inUse) return [warn(`${name} is in use and cannot be read (${reason}).`, 'Try again in a moment.')]
    return [
      fail(
        `${name} cannot be opened: ${reason}.`,
        'Restore it from a backup, or move it away to start with an empty database.',
      ),
    ]
  }
}

/** Returns the reason why a folder, or the nearest one above it, cannot be created or written to. */
const folderTrouble = async (folder: string): Promise<string | undefined> => {
  const facts = await stat(folder).catch(() => undefined)
  if (!facts) return folder === dirname(folder) ? `${folder} does not exist` : folderTrouble(dirname(folder))
  if (!facts.isDirectory()) return `${folder} is not a folder`
  return (await isWritable(folder)) ? undefined : `${folder} is not writable`
}

const stepRow = z.object({ owner: z.string(), name: z.string() })

const appliedSteps = (path: string, inUse: boolean): z.infer<typeof stepRow>[] => {
  const url = pathToFileURL(path)
  // Otherwise SQLite creates files next to it.
  if (!inUse) url.searchParams.set('immutable', '1')
  const database = new DatabaseSync(url, { readOnly: true, timeout: 1_000 })
  try {
    const table = database.prepare("select 1 from sqlite_schema where name = 'sibyl_migrations'").get()
    const rows = table ? database.prepare('select owner, name from sibyl_migrations').all() : []
    return z.array(stepRow).parse(rows.map(row => ({ ...row })))
  } finally {
    database.close()
  }
}

const compare = (applied: readonly z.infer<typeof stepRow>[], steps: Steps): Finding => {
  const { ok, warn, fail } = findingsOf('Services', 'migrations')
  const newer = applied.find(({ owner, name }) =>
    steps.some(step => step.owner === owner && step.names.every(own => own < name)),
  )
  if (newer) {
    const what = `${cleanLine(newer.owner)} ${cleanLine(newer.name)}`
    return fail(
      `The database was migrated by newer packages than the installed ones (${what}).`,
      'Update the packages of the project, or restore the backup from before.',
    )
  }
  const isApplied = (owner: string, name: string) => applied.some(row => row.owner === owner && row.name === name)
  const pending = steps.flatMap(({ owner, names }) => names.filter(name => !isApplied(owner, name)))
  if (pending.length === 0) return ok('its tables are up to date')
  return applied.length === 0
    ? ok('the first start creates its tables')
    : warn(`${formatCount(pending.length, 'migration')} pending.`, 'The next start applies them; make a backup first.')
}

/**
 * Checks whether PostgreSQL responds, with the first message of its protocol. Then checks that no pooler in front of it, or
 * of its direct URL, shares sessions.
 */
const checkPostgres = async (text: string, direct = text): Promise<Finding> => {
  const { ok, fail } = findingsOf('Services', 'database')
  if (!URL.canParse(text)) return fail('DATABASE_URL is not a URL.', 'postgres://user:password@host:5432/database')
  const { hostname, port, searchParams } = new URL(text)
  const place = `${searchParams.get('host') ?? hostname}:${port || 5432}`
  const host = searchParams.get('host') ?? (hostname.replace(/^\[|\]$/g, '') || 'localhost')
  const target = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${port || 5432}` }
    : { host, port: Number(port || 5432) }
  const reply = await new Promise<string>(done => {
    const socket = connect(target)
    socket.setTimeout(requestLimitMs, () => socket.destroy(new Error('no response in time')))
    socket.once('connect', () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])))
    socket.once('data', data => {
      done(/^[SNE]/.test(data.toString('latin1')) ? '' : 'another program responded')
      socket.destroy()
    })
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    socket.once('close', () => done('it closed the connection'))
  })
  if (reply !== '')
    return fail(`No PostgreSQL server responds at ${place} (${reply}).`, 'Start it, or check DATABASE_URL.')
  const { problem, remedy } = await poolingProblem(direct)
  if (problem !== undefined) return fail(String(problem), String(remedy))
  return ok(`PostgreSQL responds at ${place}; the start of the oracle opens the database and migrates it`)
}

/** Ignores other errors, such as a rejected password, which the start reports. */
const poolingProblem = (url: string): Promise<Readonly<Record<string, unknown>>> =>
  checkPooling(url).then(
    () => ({}),
    error => (storageErrors.pooling_unsupported.is(error) ? error.facts : {}),
  )
