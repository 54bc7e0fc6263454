import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A reverse proxy that serves an oracle at `/oracle` of a port. It ends with the test. */
export interface PathProxy {
  readonly name: string
  readonly isInstalled: boolean
  start(port: number, oraclePort: number): Promise<void>
}

const wellKnown = /^\/\.well-known\/oauth-[a-z-]+\/oracle(\/|\?|$)/

/** Removes the path, and passes on the addresses of the metadata. */
const plainProxy = async (port: number, oraclePort: number): Promise<void> => {
  const server = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    const path = url.startsWith('/oracle/') ? url.slice('/oracle'.length) : wellKnown.test(url) ? url : undefined
    if (path === undefined) return void outgoing.writeHead(404).end('the site')
    const call = request({ method, headers, path, host: '127.0.0.1', port: oraclePort, agent: false }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    call.on('error', () => outgoing.destroy())
    return void incoming.pipe(call)
  })
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
}

const program = ['/usr/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync)

/** nginx with the settings of the guide. */
const nginx = async (port: number, oraclePort: number): Promise<void> => {
  const guide = readFileSync(new URL('../../../docs/guide/deploy.md', import.meta.url), 'utf8')
  const [whole = '', routes = ''] = [...guide.matchAll(/```nginx\n(.*?)```/gs)].map(([, block]) => block)
  const site = whole
    .replace(/upstream oracle \{.*?\}/s, `upstream oracle { server 127.0.0.1:${oraclePort}; }`)
    .replace(/listen 443 ssl;.*?(?=client_max_body_size)/s, `listen 127.0.0.1:${port}; `)
    .replace(/location \/ \{.*?\}/s, routes)
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-nginx-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder};`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;
events {}
http { access_log off; ${paths.join(' ')} ${site} }`,
  )
  const child = spawn(program ?? 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  while (!(await accepts(port))) if (child.exitCode !== null) throw new Error('nginx ended')
}

const accepts = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** The proxies that the tests of paths run behind. */
export const pathProxies: readonly PathProxy[] = [
  { name: 'a proxy that removes the path', isInstalled: true, start: plainProxy },
  { name: 'nginx with the settings of the guide', isInstalled: program !== undefined, start: nginx },
]
