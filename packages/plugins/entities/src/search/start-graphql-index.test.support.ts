import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts the GraphQL server of `graphql-index-process` as a process of its own. */
export const startGraphqlIndex = async () => {
  const script = fileURLToPath(new URL('./graphql-index-process.test.support.ts', import.meta.url))
  const server = spawn(process.execPath, ['--conditions=sibyl-source', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout, 'data')
  const url = String(line).trim()
  return {
    url,
    host: new URL(url).host,
    requestsTo: async (path: string): Promise<number> => (await (await fetch(`${url}/requests`)).json())[path],
    stop: () => server.kill('SIGKILL'),
  }
}
