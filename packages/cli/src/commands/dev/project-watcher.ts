import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { cliErrors } from '../../errors/cli-errors.ts'
import { codeOf } from '../../errors/code-of.ts'
import type { CommandError } from '../../errors/command-error.ts'

/** How long nothing must change until what changed is told, in milliseconds: editors and git save in several steps. */
const settledMs = 40

/** Files that were saved, relative to the project, and when the first of them was, by the watcher's clock. */
export interface Changes {
  readonly files: readonly string[]
  readonly since: number
}

interface WatchOptions {
  readonly folder: string
  /** The file that is run, relative to the project: the folder that it is in holds the sources. */
  readonly entry: string
  /** More files that the oracle reads at its start, which may be missing. */
  readonly files: readonly string[]
  readonly now: () => number
}

/** Watches the files that an oracle is started from. */
export class ProjectWatcher {
  readonly #watcher: FSWatcher
  readonly #folder: string
  readonly #now: () => number
  readonly #known = new Map<string, string>()
  readonly #files = new Set<string>()
  #since = 0
  #timer: NodeJS.Timeout | undefined
  #told = Promise.withResolvers<void>()
  #isReady = false

  private constructor(watcher: FSWatcher, folder: string, now: () => number) {
    this.#watcher = watcher
    this.#folder = folder
    this.#now = now
  }

  /** Begins to watch. Throws `configuration_invalid` where the system has no room for it. */
  static async open({ folder, entry, files, now }: WatchOptions): Promise<ProjectWatcher> {
    const [sources] = entry.split('/').slice(0, -1)
    const paths = [sources ?? '.', '.env', 'oracle.config.json', 'package.json', ...files].map(path =>
      resolve(folder, path),
    )
    const named = new Set(files.map(path => resolve(folder, path)))
    // For a missing path chokidar counts itself ready too early.
    const missing = paths.filter(path => !existsSync(path))
    const watcher = watch(
      paths.filter(path => !missing.includes(path)),
      {
        ignored: path => !named.has(resolve(path)) && isIgnored(relative(folder, path)),
        alwaysStat: true,
        atomic: false,
      },
    )
    const made = new ProjectWatcher(watcher, folder, now)
    watcher.on('all', (event, path, stats) => {
      if (!event.endsWith('Dir')) made.#saw(path, stats ? `${stats.mtimeMs} ${stats.size}` : 'gone')
    })
    // A folder that cannot be read later on is no reason to end.
    watcher.on('error', () => {})
    await once(watcher, 'ready').catch(async cause => {
      await watcher.close()
      throw unwatchable(folder, cause)
    })
    made.#isReady = true
    watcher.add(missing)
    return made
  }

  /** Resolves once something has changed since the last call of `take`. */
  changed(): Promise<void> {
    return this.#told.promise
  }

  /** What has changed; from here on only newer changes count. */
  take(): Changes {
    const changes = { files: [...this.#files], since: this.#since }
    this.#files.clear()
    this.#told = Promise.withResolvers<void>()
    return changes
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#watcher.close()
  }

  /** Counts a file as changed unless only its access times or modes did. */
  #saw(path: string, state: string): void {
    const wasKnown = this.#known.get(path)
    this.#known.set(path, state)
    if (!this.#isReady || wasKnown === state) return
    if (this.#files.size === 0) this.#since = this.#now()
    this.#files.add(relative(this.#folder, path).split(sep).join('/'))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#told.resolve(), settledMs)
  }
}

/** Returns whether no oracle is started from it: packages, data, tests, and what editors put beside a file. */
const isIgnored = (path: string): boolean => {
  if (path === '' || path === '.env' || path.startsWith('..') || isAbsolute(path)) return false
  return path
    .split(sep)
    .some(part => part === 'node_modules' || part === 'dist' || part.startsWith('.') || ignoredFile.test(part))
}

const ignoredFile =
  /\.test\.[cm]?[jt]sx?$|~$|\.(?:swp|swx|tmp|bak|log)$|\.(?:db|sqlite3?)(?:-(?:wal|shm|journal)|\.lock)?$|^4913$/

const unwatchable = (folder: string, cause: unknown): CommandError => {
  const reason = codeOf(cause) ?? 'unknown reason'
  const remedy =
    reason === 'ENOSPC' ? 'Raise fs.inotify.max_user_watches.' : 'Close programs that watch or open many files.'
  return cliErrors.configuration_invalid(`Changes in ${folder} cannot be watched (${reason}).`, remedy, { cause })
}
