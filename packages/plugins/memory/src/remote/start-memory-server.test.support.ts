import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts the remote memory of `memory-server-process` as a process of its own. */
export const startMemoryServer = async ({
  token,
  port = 0,
}: {
  readonly token?: string
  readonly port?: number
} = {}) => {
  const script = fileURLToPath(new URL('./memory-server-process.test.support.ts', import.meta.url))
  const server = spawn(process.execPath, ['--conditions=sibyl-source', script], {
    env: { ...process.env, TEST_PORT: String(port), ...(token === undefined ? {} : { TEST_TOKEN: token }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout, 'data')
  const url = String(line).trim()
  return {
    /** What makes an oracle use it. */
    env: {
      MEMORY_MCP_URL: `${url}/mcp`,
      MEMORY_ENGINE_URL: `${url}/engine`,
      ...(token === undefined ? {} : { MEMORY_MCP_TOKEN: token }),
    },
    port: Number(new URL(url).port),
    behave: async (mode: string) => void (await fetch(`${url}/control`, { method: 'POST', body: mode })),
    /** The requests that reached it. */
    seen: async (): Promise<{ path: string; authorization?: string; body: string }[]> =>
      (await fetch(`${url}/seen`)).json(),
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const gone = once(server, 'exit')
      server.kill('SIGKILL')
      await gone
    },
    [Symbol.asyncDispose]() {
      return this.stop()
    },
  }
}
