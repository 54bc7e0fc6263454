import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { delimiter, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type LocalProvider, startLocalProvider } from '@sibyl/plugin-weather/testing'
import { preparePackages, prepareWorkspace, reservePort } from './prepare-workspace.ts'
import { serveSibyl } from './serve-sibyl.ts'

type Child = ChildProcessByStdio<null, Readable, Readable>

/** How a command ended; `running` is a server that is ready. */
export interface CommandResult {
  readonly end: number | 'running'
  readonly stdout: string
  readonly stderr: string
}

/** A folder like a checkout, in which the commands of the guide run as a person would run them. */
export class Workspace {
  readonly folder: string
  readonly #home: string
  readonly #children: Child[] = []
  /** The folder of the files that the page names. */
  #root: string
  /** Where commands run: a line with `cd` alone changes it, as in a shell. */
  #cwd: string
  #server: Child | undefined
  #address = ''
  #weather: LocalProvider | undefined
  #sibyl: Server | undefined
  #packages = ''

  /** The address that the page shows. */
  readonly #shownAddress: string

  private constructor(folder: string, shownPort: number) {
    this.folder = folder
    this.#home = join(folder, 'home')
    this.#root = folder
    this.#cwd = folder
    this.#shownAddress = `localhost:${shownPort}`
  }

  /**
   * Creates it, with a provider of weather, and with a free port in place of the one that the page shows.
   *
   * @param project A folder of `makeProject`: commands run in a copy of its project.
   */
  static async open(folder: string, shownPort = 3000, project?: string): Promise<Workspace> {
    const workspace = new Workspace(folder, shownPort)
    prepareWorkspace(workspace.folder)
    if (project !== undefined) workspace.#enter(project)
    workspace.#packages = await preparePackages(join(workspace.folder, 'packages'))
    workspace.#address = `localhost:${await reservePort()}`
    workspace.#weather = await startLocalProvider()
    workspace.#sibyl = await serveSibyl(workspace.folder)
    return workspace
  }

  #enter(project: string): void {
    this.#root = join(this.folder, 'field-oracle')
    this.#cwd = this.#root
    cpSync(join(project, 'field-oracle'), this.#root, { recursive: true })
    cpSync(join(project, 'home'), this.#home, { recursive: true })
    symlinkSync(join(this.folder, 'project/node_modules'), join(this.#root, 'node_modules'))
  }

  /** Puts a file of the guide in its place; lines for `.env` are added to it. */
  write(path: string, text: string): void {
    const file = join(this.#root, path)
    mkdirSync(dirname(file), { recursive: true })
    if (file.endsWith('.env')) appendFileSync(file, text, { mode: 0o600 })
    else writeFileSync(file, text.replaceAll(this.#shownAddress, this.#address))
  }

  /** Runs a command in a shell to its end; a server only until it is ready, in the place of the one before. */
  async run(command: string): Promise<CommandResult> {
    const [, target] = /^cd (\S+)$/.exec(command) ?? []
    if (target !== undefined) {
      this.#cwd = join(this.#cwd, target)
      return { end: 0, stdout: '', stderr: '' }
    }
    const isServer = /pnpm@12 (start|dev)\b|npm (start|run dev)\b/.test(command)
    if (isServer) await this.#stopServer()
    const [, port = ''] = this.#address.split(':')
    const here = command.replaceAll(this.#shownAddress, this.#address).replaceAll(/--port [34]000/g, `--port ${port}`)
    const child = this.#spawn(['sh', '-c', here])
    const shown = { stdout: '', stderr: '' }
    const ready = new Promise<'running'>(resolve => {
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (text: string) => {
          shown[name] = this.#asAtHome(shown[name] + text)
          // What came on the other stream before it is read by then.
          if (isServer && /\[boot\] ready.*\n/.test(shown.stdout)) setImmediate(resolve, 'running')
        })
      }
    })
    const closed = once(child, 'close').then(([code]) => Number(code ?? 1))
    const end = await Promise.race([ready, closed])
    if (end === 'running') this.#server = child
    return { end, ...shown }
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    await this.#stopServer()
    for (const child of this.#children) await stop(child, 'SIGKILL')
    await this.#weather?.stop()
    this.#sibyl?.close()
  }

  #spawn([program = '', ...args]: readonly string[]): Child {
    const { PATH = '', NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
    const child = spawn(program, args, {
      cwd: this.#cwd,
      env: {
        ...(NODE_OPTIONS ? { NODE_OPTIONS } : {}),
        ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
        PATH: join(this.folder, 'bin') + delimiter + PATH,
        NO_COLOR: '1',
        PORT: this.#address.split(':')[1],
        WEATHER_BASE_URL: this.#weather?.url,
        SIBYL_URL: `http://${this.#address}`,
        SIBYL_HOME: this.#home,
        SIBYL_PACKAGES: this.#packages,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#children.push(child)
    return child
  }

  /** The output as it would be on the port of the page and in the home of a person. */
  #asAtHome(text: string): string {
    return text
      .replaceAll(this.#address, this.#shownAddress)
      .replaceAll(this.#address.replace(':', '%3A'), this.#shownAddress.replace(':', '%3A'))
      .replaceAll(this.#home, '~/.config/sibyl')
  }

  async #stopServer(): Promise<void> {
    if (this.#server) await stop(this.#server, 'SIGTERM')
    this.#server = undefined
  }
}

/** Ends a process and its children. */
const stop = async (child: Child, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  process.kill(-child.pid, signal)
  await once(child, 'close')
}
