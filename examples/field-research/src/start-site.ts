import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A web site on this computer. */
export interface Site {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the village council's site as a process of its own, on a free port of loopback. */
export const startSite = async (): Promise<Site> => {
  const program = fileURLToPath(new URL('./village-site.ts', import.meta.url))
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout)
  const [url] = await Promise.race([once(lines, 'line'), ended.then(([code]) => Promise.reject(siteFailed(code)))])
  return {
    url: String(url),
    async stop() {
      child.kill()
      await ended
    },
  }
}

const siteFailed = (code: unknown) => new Error(`The site's process ended with ${code} before it listened.`)
