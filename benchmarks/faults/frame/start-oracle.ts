import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createSigningKey, type SigningKey } from '@sibyl/identity'
import { type TestActor, testActor } from '@sibyl/testing'
import { importsWithout } from './imports-without.ts'
import { unlimited } from './unlimited.ts'

/** Options of an oracle process. */
export interface OracleProcessOptions {
  /** Path from `benchmarks/faults`: a file that ends with `announceOracle`. */
  readonly file: string
  /** Rate limits are off, unless it sets them. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly args?: readonly string[]
  /** Defenses to remove: names in `benchmarks/faults/defences.ts`. */
  readonly without?: readonly string[]
  /** Further options for Node. */
  readonly nodeOptions?: readonly string[]
  /** Words to put before `node`, such as `prlimit` and its options. */
  readonly wrapper?: readonly string[]
  /** Whether to open a channel for messages to and from the process. */
  readonly ipc?: boolean
  /** Hears each further object that it writes as a line of JSON. */
  readonly onReport?: (reported: Readonly<Record<string, unknown>>) => void
  /** Whether its log on standard error is shown. @default false */
  readonly verbose?: boolean
}

/** An oracle in a process of its own. */
export interface OracleProcess extends AsyncDisposable {
  readonly url: string
  readonly did: string
  readonly pid: number
  readonly child: ChildProcess
  /** Whether the process is still there. */
  readonly alive: boolean
  /** The last lines that it said on standard error. */
  readonly said: readonly string[]
  /**
   * Creates a caller over its socket, with fresh invocations; by default with a new key and the clock of this computer.
   */
  actor(key?: SigningKey, now?: () => number): TestActor
  /** Sends a signal and waits for the end of the process. */
  end(signal: NodeJS.Signals): Promise<void>
}

const faultsFolder = join(import.meta.dirname, '..')
const linesKept = 50

const running = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts an oracle and waits until it listens; it is killed at the latest when it is disposed of.
 *
 * @throws Error with what it said, when it ends before it listens, or when a defence to take out was not found
 */
export const startOracle = async (options: OracleProcessOptions): Promise<OracleProcess> => {
  const { file, env = {}, args = [], without = [], nodeOptions = [], wrapper = [] } = options
  const command = [
    ...wrapper,
    process.execPath,
    '--conditions=sibyl-source',
    ...nodeOptions,
    ...importsWithout(without),
    join(faultsFolder, file),
    ...args,
  ]
  const child = spawn(command[0]!, command.slice(1), {
    env: { ...process.env, ...unlimited, ...env },
    stdio: options.ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const ended = once(child, 'exit').then(() => void running.delete(child))
  const texts: string[] = []
  createInterface({ input: child.stderr! }).on('line', line => {
    if (options.verbose) console.error(line)
    if (texts.push(line) > linesKept) texts.shift()
  })
  const { url, did, removed } = await announced(child, ended, texts, options.onReport)
  if (without.length > 0 && removed === 0) throw new Error(`No defence was taken out by ${without.join(', ')}.`)
  const isAlive = () => child.exitCode === null && child.signalCode === null
  const target = { request: (path: string, init?: RequestInit) => fetch(url + path, init), identity: { did } }
  const end = async (signal: NodeJS.Signals) => {
    if (isAlive()) child.kill(signal)
    await ended
  }
  return {
    url,
    did,
    pid: child.pid!,
    child,
    said: texts,
    get alive() {
      return isAlive()
    },
    actor: (key = createSigningKey(), now = Date.now) => testActor(target, now, key),
    end,
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  }
}

/** For the process: says where it listens. */
export const announceOracle = (url: string, did: string | undefined): void => {
  process.stdout.write(`${JSON.stringify({ url, did })}\n`)
}

const announced = async (
  child: ChildProcess,
  ended: Promise<void>,
  texts: readonly string[],
  onReported: OracleProcessOptions['onReport'],
) => {
  const { promise, resolve } = Promise.withResolvers<{ url: string; did: string; removed: number }>()
  let removed = 0
  createInterface({ input: child.stdout! }).on('line', line => {
    if (!line.startsWith('{')) return
    const reported = JSON.parse(line) as { url?: string; did?: string; removed?: string }
    if (reported.removed !== undefined) removed += 1
    if (reported.url !== undefined && reported.did !== undefined)
      resolve({ url: reported.url, did: reported.did, removed })
    else onReported?.(reported)
  })
  const gone = ended.then(() => {
    throw new Error(`The oracle ended before it listened:\n${texts.join('\n')}`)
  })
  gone.catch(() => {})
  return Promise.race([promise, gone])
}
