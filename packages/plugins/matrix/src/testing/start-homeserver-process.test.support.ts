import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { HomeserverOptions } from './homeserver.test.support.ts'
import { controlAt, type HomeserverControl } from './homeserver-orders.test.support.ts'

/** A homeserver in a process of its own. */
export interface HomeserverProcess extends AsyncDisposable {
  /** Its address. */
  readonly url: string
  readonly control: HomeserverControl
  /** Sends a signal and waits for the process to end. */
  end(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts a homeserver as a process. Given the port and the state file of one that ended, it goes on from there.
 *
 * @param options.users Names with their passwords.
 */
export const startHomeserverProcess = async (
  options: HomeserverOptions & { readonly users?: Readonly<Record<string, string>> } = {},
): Promise<HomeserverProcess> => {
  const { port = 0, serverName = 'localhost', stateFile, users = {} } = options
  const program = fileURLToPath(new URL('./homeserver-process.test.support.ts', import.meta.url))
  const args = [
    ...['--attached', '--port', String(port), '--server-name', serverName],
    ...(stateFile === undefined ? [] : ['--state-file', stateFile]),
    ...Object.entries(users).flatMap(([name, password]) => ['--user', `${name}:${password}`]),
  ]
  const child = spawn(process.execPath, ['--conditions=sibyl-source', program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.push(line.split(/\s+/)[1] ?? '') === 2) break
  }
  const [url = '', control = ''] = lines
  if (control === '') throw new Error('The homeserver ended before it listened.')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return { url, control: controlAt(control), end, [Symbol.asyncDispose]: () => end('SIGKILL') }
}
