import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PostgresDatabases } from './postgres-databases.ts'
import { giveToServer, isInstalled, makeServerFolder, runAsServer, startServer } from './server-programs.ts'

/** A PostgreSQL cluster in a temporary folder, reached through a socket there. */
export interface ThrowawayPostgres {
  /** The folder of its files and its socket. */
  readonly folder: string
  /** Makes an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Ends the server at once, as a crash would: open connections break. */
  crash(): Promise<void>
  /** Stops every process of the server where it stands: it takes connections and answers nothing. */
  standStill(): Promise<void>
  /** Has it go on after `standStill`. */
  resume(): Promise<void>
  /** Starts the server again after `crash`. */
  restart(): Promise<void>
  /** Starts the server again as a standby, as after a fail-over to another one. */
  demote(): Promise<void>
  /** Has the standby take writes again. */
  promote(): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

/**
 * Makes the cluster's files: a copy of those that a test file of this run made before, which takes a tenth of the time.
 * `SIBYL_TEST_POSTGRES_TEMPLATE` names the run's folder for them.
 */
const makeCluster = async (folder: string, data: string): Promise<void> => {
  const templates = process.env.SIBYL_TEST_POSTGRES_TEMPLATE
  const ready = templates === undefined ? undefined : join(templates, 'ready')
  if (ready !== undefined && existsSync(ready)) return runAsServer('cp', ['-a', ready, data], folder)
  const initialise = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  await runAsServer('initdb', initialise, folder)
  if (templates === undefined || ready === undefined) return
  const copy = mkdtempSync(join(templates, 'copy-'))
  giveToServer(copy)
  await runAsServer('cp', ['-a', data, join(copy, 'data')], folder)
  try {
    renameSync(join(copy, 'data'), ready)
  } catch {
    // Another test file was faster.
  }
}

/**
 * Starts a throwaway PostgreSQL for tests and says so in one line, or says that it cannot. The server ends with this
 * process, however that ends. Any number of them may run at once.
 *
 * @param settings as the server's command line takes them after `-c`, such as `max_connections=20`
 * @returns undefined when `initdb` and `postgres` are not on PATH, or `SIBYL_TEST_POSTGRES` is `off`
 * @example
 * const postgres = await startPostgres()
 * const storage = await openStorage({ url: await postgres.createDatabase() })
 */
export const startPostgres = async (settings: readonly string[] = []): Promise<ThrowawayPostgres | undefined> => {
  if (process.env.SIBYL_TEST_POSTGRES === 'off') return undefined
  if (!(await isInstalled('initdb')) || !(await isInstalled('postgres'))) {
    console.info('PostgreSQL is not tested: initdb and postgres are not on PATH')
    return undefined
  }
  const folder = makeServerFolder('sibyl-pg-')
  const data = join(folder, 'data')
  await makeCluster(folder, data)
  const cluster = new Cluster(folder, data, settings)
  await cluster.start()
  console.info('PostgreSQL: started a throwaway server for this test file')
  return cluster
}

class Cluster implements ThrowawayPostgres {
  readonly folder: string
  readonly #data: string
  readonly #settings: readonly string[]
  #server: ChildProcess | undefined
  readonly #databases: PostgresDatabases

  constructor(folder: string, data: string, settings: readonly string[]) {
    this.folder = folder
    this.#data = data
    this.#settings = settings
    this.#databases = new PostgresDatabases(folder)
  }

  async start(): Promise<void> {
    const given = ['listen_addresses=', 'max_connections=100', ...this.#settings].flatMap(one => ['-c', one])
    this.#server = await startServer({
      program: 'postgres',
      args: ['-D', this.#data, '-F', '-k', this.folder, ...given],
      folder: this.folder,
      endSignal: 'QUIT',
      readyLine: 'database system is ready to accept',
    })
  }

  createDatabase(): Promise<string> {
    return this.#databases.create()
  }

  async crash(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    await this.resume()
    this.#server = undefined
    const ended = once(server, 'exit')
    server.stdin?.end()
    await ended
  }

  async standStill(): Promise<void> {
    for (const pid of this.#processes()) signal(pid, 'SIGSTOP')
  }

  async resume(): Promise<void> {
    for (const pid of this.#processes()) signal(pid, 'SIGCONT')
  }

  async restart(): Promise<void> {
    await this.crash()
    await this.start()
  }

  async demote(): Promise<void> {
    await this.crash()
    const signal = join(this.#data, 'standby.signal')
    writeFileSync(signal, '')
    giveToServer(signal)
    await this.start()
  }

  async promote(): Promise<void> {
    await runAsServer('pg_ctl', ['promote', '-D', this.#data], this.folder)
  }

  async stop(): Promise<void> {
    await this.crash()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** The postmaster and its children, by what the system says of every process. */
  #processes(): number[] {
    const postmaster = Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0])
    const children = readdirSync('/proc').filter(name => {
      if (!/^\d+$/.test(name)) return false
      try {
        return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === postmaster
      } catch {
        return false
      }
    })
    return [postmaster, ...children.map(Number)]
  }
}

/** Signals a process, unless it has ended by now. */
const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
