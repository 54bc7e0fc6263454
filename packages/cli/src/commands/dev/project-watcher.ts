import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { cliErrors } from '../../errors/cli-errors.ts'
import { codeOf } from '../../errors/code-of.ts'
import type { CommandError } from '../../errors/command-error.ts'

/** Time without changes before a change is reported, in milliseconds: editors and git save in several steps. */
const settledMs = 40

/** Saved files, relative to the project, and the time of the first save by the clock of the watcher. */
export interface Changes {
  readonly files: readonly string[]
  readonly since: number
}

interface WatchOptions {
  readonly folder: string
  /** The main file, relative to the project: its folder contains the sources. */
  readonly entry: string
  /** More files that the oracle reads at its start, which may be missing. */
  readonly files: readonly string[]
  readonly now: () => number
}

/** Watches the files of an oracle. */
export class ProjectWatcher {
  readonly #watcher: FSWatcher
  readonly #folder: string
  readonly #now: () => number
  readonly #known = new Map<string, string>()
  readonly #files = new Set<string>()
  #since = 0
  #timer: NodeJS.Timeout | undefined
  #reported = Promise.withResolvers<void>()
  #isReady = false

  private constructor(watcher: FSWatcher, folder: string, now: () => number) {
    this.#watcher = watcher
    this.#folder = folder
    this.#now = now
  }

  /** Starts to watch. Throws `configuration_invalid` if a limit of the system is reached. */
  static async open({ folder, entry, files, now }: WatchOptions): Promise<ProjectWatcher> {
    const root = resolve(folder)
    const sources = resolve(root, ...entry.split('/').slice(0, -1).slice(0, 1))
    const settings = ['.env', 'oracle.config.json', 'package.json', ...files].map(path => resolve(root, path))
    const isWithin = (path: string, parent: string) => path === parent || path.startsWith(parent + sep)
    // Their folder is watched, since a file that is renamed or replaced is another file.
    const watched = [root, ...settings.filter(path => !isWithin(path, root)).map(path => dirname(path))]
    const watcher = watch(watched.filter(existsSync), {
      ignored: path => {
        const place = resolve(path)
        if (settings.some(setting => isWithin(setting, place))) return false
        return !isWithin(place, sources) || isIgnored(relative(root, place))
      },
      alwaysStat: true,
      atomic: false,
    })
    const made = new ProjectWatcher(watcher, folder, now)
    watcher.on('all', (event, path, stats) => {
      if (!event.endsWith('Dir')) made.#saw(path, stats ? `${stats.mtimeMs} ${stats.size}` : 'gone')
    })
    // A folder that becomes unreadable later is not fatal.
    watcher.on('error', () => {})
    await once(watcher, 'ready').catch(async cause => {
      await watcher.close()
      throw unwatchable(folder, cause)
    })
    made.#isReady = true
    return made
  }

  /** Resolves once there is a change after the last call of `take`. */
  changed(): Promise<void> {
    return this.#reported.promise
  }

  /** Returns the changes and resets them. */
  drain(): Changes {
    const changes = { files: [...this.#files], since: this.#since }
    this.#files.clear()
    this.#reported = Promise.withResolvers<void>()
    return changes
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#watcher.close()
  }

  /** Records a change unless only access times or modes changed. */
  #saw(path: string, state: string): void {
    const wasKnown = this.#known.get(path)
    this.#known.set(path, state)
    if (!this.#isReady || wasKnown === state) return
    if (this.#files.size === 0) this.#since = this.#now()
    this.#files.add(relative(this.#folder, path).split(sep).join('/'))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#reported.resolve(), settledMs)
  }
}

/** Returns whether the oracle does not depend on a file: packages, data, tests, and temporary files of editors. */
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
