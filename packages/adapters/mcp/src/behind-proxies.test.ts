/** @module-tag long */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { sharePostgres } from '@sibyl/storage/testing'
import { reservePort } from '@sibyl/testing'
import { testProgram } from '@sibyl/testing/program'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const key = 'k-0123456789abcdef'
const requestInit = { headers: { authorization: `Bearer ${key}` } }
const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const postgres = await sharePostgres()
const ends: (() => unknown)[] = []

afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  await postgres?.stop()
})

const isInstalled = {
  nginx: spawnSync('nginx', ['-v']).error === undefined,
  caddy: spawnSync('caddy', ['version']).error === undefined,
}

/** Starts an oracle in a process of its own. */
const startProcess = async (database: string, port: number) => {
  const script = await testProgram(new URL('./mcp-process.test.support.ts', import.meta.url))
  const env = { DATABASE_URL: database, ORACLE_MNEMONIC: mnemonic, ORACLE_API_KEYS: `app:${key}:*`, PORT: String(port) }
  const child = spawn(process.execPath, ['--conditions=sibyl-source', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.push(() => void child.kill('SIGKILL'))
  await once(createInterface({ input: child.stdout }), 'line')
  return {
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** A proxy that sends each request to the next of its ports, and to the one after it where none listens. */
const startPlainProxy = async (ports: readonly number[]) => {
  let count = 0
  const proxy = createServer((given, response) => {
    const place = count++
    const forward = (tried: number) => {
      const port = ports[(place + tried) % ports.length]
      const forwarded = request({
        agent: false,
        host: '127.0.0.1',
        port,
        path: given.url,
        method: given.method,
        headers: given.headers,
      })
      forwarded.on('response', answer => {
        const { connection: _, 'keep-alive': __, ...headers } = answer.headers
        response.writeHead(answer.statusCode ?? 502, headers)
        answer.pipe(response)
        answer.on('error', () => response.destroy())
      })
      forwarded.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && tried < ports.length) forward(tried + 1)
        else response.destroy()
      })
      forwarded.on('socket', socket => socket.once('connect', () => given.pipe(forwarded)))
      response.on('close', () => forwarded.destroy())
    }
    forward(1)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  ends.push(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

/** Runs a proxy with a configuration on a free port. @param configOf The file, for a folder and a port */
const startProxy = async (
  command: keyof typeof isInstalled,
  configOf: (folder: string, port: number) => string,
  args: readonly string[],
) => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-proxy-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const port = await reservePort()
  writeFileSync(join(folder, 'config'), configOf(folder, port))
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const proxy = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  ends.push(() => void proxy.kill('SIGTERM'))
  const listens = async () => {
    const socket = connectSocket(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
  }
  await expect.poll(() => listens().then(() => true)).toBe(true)
  return { url: `http://127.0.0.1:${port}`, proxy }
}

/** nginx with its defaults, and what docs/guide/deploy.md requires. */
const startNginx = async (ports: readonly number[], method: '' | 'least_conn;') => {
  const configOf = (folder: string, port: number) => {
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      name => `${name}_temp_path ${folder}/${name};`,
    )
    return `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off; ${paths.join(' ')}
  upstream oracle { ${method} ${ports.map(one => `server 127.0.0.1:${one};`).join(' ')} }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://oracle; proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header Connection ''; }
  }
}`
  }
  const { url, proxy } = await startProxy('nginx', configOf, ['-p', '.', '-c', 'config'])
  proxy.stderr.resume()
  return { url }
}

const caddyfile = readFileSync(new URL('../../../../examples/deploy/Caddyfile', import.meta.url), 'utf8')

/**
 * Caddy with the file of the example. Before 2.11.2 it answers POST with 502 until it noticed that a process ended
 * (caddyserver/caddy#7546); Debian has 2.6.2.
 */
const startCaddy = async (ports: readonly number[]) => {
  const configOf = (_folder: string, port: number) =>
    `{\n  admin off\n  auto_https off\n}\n${caddyfile}`
      .replace('{$SITE_ADDRESS}', `http://127.0.0.1:${port}`)
      .replace('oracle:3000 oracle-2:3000', ports.map(one => `127.0.0.1:${one}`).join(' '))
  const { url, proxy } = await startProxy('caddy', configOf, ['run', '--config', 'config', '--adapter', 'caddyfile'])
  const lines = createInterface({ input: proxy.stderr })
  const missed = new Promise<void>(resolve => {
    lines.on('line', line => line.includes('health_checker') && resolve())
  })
  return { url, missed }
}

const form = async () => ({ action: 'accept' as const, content: { decision: 'once' } })

/** A client of SDK 1.32, as Claude Code has it. */
const connectOlder = async (url: string): Promise<Client> => {
  const client = new OldClient({ name: 'claude-code', version: '2' }, { capabilities: { elicitation: {}, roots: {} } })
  client.setRequestHandler(ElicitRequestSchema, form)
  const transport = new OldTransport(new URL(`${url}/mcp`), { requestInit })
  await client.connect(transport as Parameters<OldClient['connect']>[0])
  return client as unknown as Client
}

/** A client of SDK 2.4. */
const connectNew = async (url: string, revision?: string): Promise<Client> => {
  const versions = revision === undefined ? {} : { supportedProtocolVersions: [revision] }
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' }, ...versions },
  )
  client.setRequestHandler('elicitation/create', form)
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  return client
}

const connections = {
  'SDK 1.32': connectOlder,
  'SDK 2.4 with 2025-06-18': (url: string) => connectNew(url, '2025-06-18'),
  'SDK 2.4 with 2025-11-25': (url: string) => connectNew(url, '2025-11-25'),
  'SDK 2.4': connectNew,
}

interface Proxy {
  readonly url: string
  /** Resolves when it noticed that a process ended, if it must. */
  readonly missed?: Promise<void>
}

const proxies: Readonly<Record<string, (ports: readonly number[]) => Promise<Proxy>>> = {
  'a plain round robin': startPlainProxy,
  'nginx round robin': (ports: readonly number[]) => startNginx(ports, ''),
  'nginx least_conn': (ports: readonly number[]) => startNginx(ports, 'least_conn;'),
  'caddy as deployed': startCaddy,
}

describe.skipIf(postgres === undefined)('MCP clients of two processes', () => {
  const ports: number[] = []
  const connected = new Map<string, readonly { readonly peer: string; readonly client: Client }[]>()
  const missed = new Map<string, Promise<void> | undefined>()
  let first: Awaited<ReturnType<typeof startProcess>>
  beforeAll(async () => {
    const database = (await postgres?.createDatabase()) ?? ''
    ports.push(await reservePort(), await reservePort())
    const started = await Promise.all(ports.map(port => startProcess(database, port)))
    first = started[0]!
  })

  const use = async (peer: string, client: Client) => {
    const { tools } = await client.listTools()
    const paid = await client.callTool({ name: 'shop_pay', arguments: { amount: 5 } })
    return [peer, tools.some(tool => tool.name === 'shop_pay'), paid.structuredContent]
  }
  const served = Object.keys(connections).map(peer => [peer, true, { paid: 5 }])
  const areServed = async (name: string) => {
    const clients = connected.get(name) ?? []
    for (const _ of ports)
      expect(await Promise.all(clients.map(({ peer, client }) => use(peer, client)))).toEqual(served)
  }
  const isMissing = (name: string) =>
    Object.entries(isInstalled).some(([command, is]) => name.startsWith(command) && !is)

  test.for(Object.entries(proxies))('are served behind %s', async ([name, start], { skip }) => {
    if (isMissing(name)) skip('it is not installed')
    const { url, missed: noticed } = await start(ports)
    missed.set(name, noticed)
    const clients = await Promise.all(
      Object.entries(connections).map(async ([peer, connect]) => {
        const client = await connect(url)
        ends.push(() => client.close())
        return { peer, client }
      }),
    )
    connected.set(name, clients)
    await clients[0]?.client.callTool({ name: 'load_capability', arguments: { names: ['shop'] } })
    await areServed(name)
  })

  describe('of which one is killed', () => {
    beforeAll(() => first.kill())

    test.for(Object.keys(proxies))('continue behind %s', async (name, { skip }) => {
      if (isMissing(name)) skip('it is not installed')
      await missed.get(name)
      await areServed(name)
    })
  })
})
