import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { importsWithout } from '../frame/imports-without.ts'
import type { Places } from './places.ts'

/** A process all of whose output is collected. */
export interface ListeningProcess extends AsyncDisposable {
  readonly url: string
  readonly did: string
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Options of a process. */
export interface ProcessOptions {
  readonly env: Readonly<Record<string, string>>
  /** Where it runs, and leaves files. */
  readonly folder: string
  readonly without: readonly string[]
  /** Name of its output among the places. */
  readonly name: string
  readonly places: Places
}

/** Starts the leaking oracle; undefined when it ended instead of listening. */
export const startListening = async (options: ProcessOptions): Promise<ListeningProcess | undefined> => {
  const { env, folder, without, name, places } = options
  const file = join(import.meta.dirname, 'oracle.ts')
  const child = spawn(process.execPath, ['--conditions=sibyl-source', ...importsWithout(without), file], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let output = ''
  const { promise: announced, resolve } = Promise.withResolvers<{ url: string; did: string }>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    places.add(`standard output, ${name}`, text)
    output += text
    const content = /^\{"url":.*\}$/m.exec(output)
    if (content) resolve(JSON.parse(content[0]))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => places.add(`standard error, ${name}`, text))
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await closed
  }
  const reported = await Promise.race([announced, closed.then(() => undefined)])
  return reported && { ...reported, end, [Symbol.asyncDispose]: () => end('SIGKILL') }
}
