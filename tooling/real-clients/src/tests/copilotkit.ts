import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reservePort } from '@sibyl/testing'
import { expect, onTestFinished, vi } from 'vitest'
import { key } from './start-oracle.ts'

/** The agent of a page, as far as the tests use it. */
export interface PageAgent {
  threadId: string
  readonly messages: readonly { readonly id: string; readonly role: string; readonly content?: unknown }[]
  readonly pendingInterrupts: readonly { readonly id: string; readonly message?: string }[]
  readonly state: unknown
  addMessage(message: object): void
  subscribe(subscriber: object): { unsubscribe(): void }
}

/** `CopilotKitCore`, on which CopilotKit's React components stand, as far as the tests use it. */
export interface Page {
  runAgent(options: { agent: PageAgent; resume?: readonly object[] }): Promise<unknown>
  connectAgent(options: { agent: PageAgent }): Promise<unknown>
  stopAgent(options: { agent: PageAgent }): void
  addTool(tool: object): void
  addContext(context: object): string
  getAgent(id: string): PageAgent | undefined
  subscribe(subscriber: object): { unsubscribe(): void }
}

interface Core {
  readonly CopilotKitCore: new (options: { runtimeUrl: string }) => Page
}

const clients = new URL('../../clients/', import.meta.url)
const { CopilotKitCore } = createRequire(new URL('package.json', clients))('@copilotkit/core') as Core

/** The server of the guide. */
const guide = readFileSync(new URL('../../../../docs/guide/ag-ui.md', import.meta.url), 'utf8')
const [, server = ''] = /```ts\n([^`]*createCopilotNodeListener(?:[^`]|`(?!``))*)```/.exec(guide) ?? []

/** Runs the guide's CopilotKit server as a process, for an oracle. */
export const startRuntime = async (oracle: string, apiKey: string = key) => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-copilotkit-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = await reservePort()
  const code = server.replace('http://localhost:4000', oracle).replace('listen(4100)', `listen(${port}, '127.0.0.1')`)
  expect(code).toContain(`${oracle}/ag-ui`)
  expect(code).toContain(`listen(${port}`)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'server.ts'), code)
  await symlink(fileURLToPath(new URL('node_modules', clients)), join(folder, 'node_modules'))
  const url = `http://127.0.0.1:${port}/api/copilotkit`

  const start = async () => {
    const child = spawn(process.execPath, ['server.ts'], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '', ORACLE_KEY: apiKey, COPILOTKIT_TELEMETRY_DISABLED: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (output += data))
    const ended = new Promise<void>(resolve => child.on('close', () => resolve()))
    const answers = () =>
      fetch(`${url}/info`).then(
        ({ status }) => status,
        () => (child.exitCode === null ? 'not yet' : output),
      )
    const stop = async () => {
      child.kill()
      await ended
    }
    onTestFinished(stop)
    await expect.poll(answers).toBe(200)
    return stop
  }
  let stop = await start()
  return {
    url,
    async restart() {
      await stop()
      stop = await start()
    },
  }
}

/** Opens a page on a thread, as CopilotKit's provider does. */
export const openPage = async (runtimeUrl: string, threadId: string) => {
  // Without a window it takes itself for the server that renders a page, and does not connect.
  vi.stubGlobal('window', {})
  const page = new CopilotKitCore({ runtimeUrl })
  const errors: string[] = []
  page.subscribe({
    onError: ({ code, error }: { code: string; error: Error }) => void errors.push(`${code}: ${error.message}`),
  })
  await expect.poll(() => page.getAgent('default')).toBeDefined()
  const agent = page.getAgent('default') as PageAgent
  agent.threadId = threadId
  return {
    page,
    agent,
    errors,
    async send(content: string) {
      agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })
      await page.runAgent({ agent })
    },
    /** The texts of the conversation. */
    texts: () => agent.messages.filter(({ content }) => content).map(({ role, content }) => [role, content]),
  }
}
