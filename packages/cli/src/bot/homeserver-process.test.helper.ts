import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** How a homeserver behaves. */
export interface HomeserverBehaviour {
  /** @default open */
  readonly registration?: 'open' | 'closed' | 'token' | 'captcha' | 'endless'
  /** Users that there are already, with their passwords. */
  readonly users?: Readonly<Record<string, string>>
  /** Aliases of rooms that somebody else made; the bot is in them. */
  readonly foreignAliases?: readonly string[]
  /** How many requests are answered with 429 first, and how long they are told to wait. */
  readonly busy?: { readonly times: number; readonly retryAfterMs: number }
  /** Answers to everything but `versions`: a status and a body. */
  readonly answers?: {
    readonly status: number
    readonly body: string
    readonly length?: number
    readonly location?: string
  }
  /** What `versions` says. */
  readonly versions?: string
  /** Makes no rooms. */
  readonly refusesRooms?: boolean
}

/** What a homeserver knows. */
export interface HomeserverState {
  readonly users: Readonly<Record<string, { readonly password: string; readonly displayName?: string }>>
  /** Access tokens that are good, with their users. */
  readonly tokens: Readonly<Record<string, string>>
  readonly rooms: readonly { readonly id: string; readonly alias?: string; readonly creator: string }[]
  /** `POST /_matrix/client/v3/login`, … */
  readonly requests: readonly string[]
}

/** Matrix homeservers of our own, in one process; they keep everything in memory. */
export class HomeserverProcess {
  readonly #url: string
  readonly #child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.#url = url
    this.#child = child
  }

  static async start(): Promise<HomeserverProcess> {
    const program = fileURLToPath(new URL('./homeserver-main.test.helper.ts', import.meta.url))
    const child = spawn(process.execPath, [...process.execArgv, program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
    return new HomeserverProcess(url, child)
  }

  /** Makes a homeserver. @returns its address */
  async add(behaviour: HomeserverBehaviour = {}): Promise<string> {
    const response = await fetch(this.#url, { method: 'POST', body: JSON.stringify(behaviour) })
    return this.#url + (await response.text())
  }

  /** What the homeserver at an address knows. */
  async state(url: string): Promise<HomeserverState> {
    return (await (await fetch(`${url}/state`)).json()) as HomeserverState
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.kill()) await once(this.#child, 'exit')
  }
}
