import { createServer } from 'node:net'
import { join } from 'node:path'
import { start, within } from './run.mjs'

/**
 * Starts the quickstart as a user would, with the weather of a local provider.
 *
 * @param {{ root: string, data: string, environment: Record<string, string>, seconds: number }} options `data` is an
 *   empty folder for the database, `seconds` how long the start may take.
 * @returns {Promise<{ ok: boolean, why?: string, url?: string, stop(): Promise<{ ok: boolean, why: string }> }>}
 */
export const startOracle = async ({ root, data, environment, seconds }) => {
  const provider = startProvider(root)
  const providerUrl = await within(seconds, Promise.race([provider.url, provider.ended.then(() => undefined)]))
  if (!providerUrl) return { ok: false, why: 'the weather provider did not start', stop: () => provider.stop(5) }

  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const oracle = start(['npx', '-y', 'pnpm@12', 'start'], {
    cwd: root,
    onOutput: text => process.stdout.write(text),
    environment: {
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: `file:${join(data, 'sibyl.db')}`,
      WEATHER_BASE_URL: providerUrl,
      ...environment,
    },
  })
  const stop = async () => {
    const stopped = await oracle.stop(15)
    await provider.stop(5)
    return stopped
  }
  const state = await Promise.race([firstAnswer(`${url}/health`, seconds), oracle.ended])
  return { ok: state === 'healthy', why: state, url, stop }
}

const startProvider = root => {
  let found
  const url = new Promise(resolve => {
    found = resolve
  })
  const node = join(root, 'node_modules/.bin/node')
  const file = 'packages/plugins/weather/src/testing/local-provider-process.ts'
  let text = ''
  const provider = start([node, '--conditions=sibyl-source', file], {
    cwd: root,
    onOutput: more => {
      text += more
      const line = /^http:\S+$/m.exec(text)
      if (line) found(line[0])
      else process.stdout.write(more)
    },
  })
  return { ...provider, url }
}

/** Resolves with 'healthy' at the first answer of 200, or with why there was none in that time. */
export const firstAnswer = async (url, seconds) => {
  const deadline = Date.now() + seconds * 1000
  while (Date.now() < deadline) {
    const reply = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    if (reply?.status === 200) return 'healthy'
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return `no answer of ${url} in ${Math.round(seconds)} s`
}

/** Returns a free port below the range that systems assign automatically, so that no other process gets it. */
export const freePort = () =>
  new Promise(resolve => {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    server.on('error', () => resolve(freePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
