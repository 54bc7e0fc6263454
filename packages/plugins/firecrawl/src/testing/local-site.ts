import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostilePages } from './hostile-pages.ts'
import { sitePages } from './site-pages.ts'

/** A request that the site received. */
export interface SiteRequest {
  readonly path: string
  readonly userAgent: string | undefined
  readonly acceptEncoding: string | undefined
  readonly cookie: string | undefined
  /** Milliseconds from an arbitrary start. */
  readonly at: number
}

/** A local web site with good and hostile pages. */
export interface LocalSite {
  readonly url: string
  readonly port: number
  readonly requests: readonly SiteRequest[]
  stop(): Promise<void>
}

export interface LocalSiteOptions {
  /** Address to listen at. @default '127.0.0.1' */
  readonly host?: string
  readonly port?: number
  /** Content of robots.txt, as bytes if gzipped; a status if it has none; `silent` if it never answers. @default 404 */
  readonly robots?: string | Buffer | number | 'silent'
  /** Additional pages by path. */
  readonly pages?: Readonly<Record<string, string>>
  /** Target of the pages that lead inward. @default the site itself */
  readonly inside?: string
}

export const startLocalSite = async (options: LocalSiteOptions = {}): Promise<LocalSite> => {
  const { host = '127.0.0.1', port = 0, robots = 404, pages = {} } = options
  const requests: SiteRequest[] = []
  let hostile: ReturnType<typeof hostilePages> = {}
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? '/'
    const { 'user-agent': userAgent, 'accept-encoding': encoding, cookie } = request.headers
    requests.push({ path, userAgent, acceptEncoding: String(encoding), cookie, at: performance.now() })
    response.setHeader('set-cookie', 'visitor=1')
    const [place = ''] = path.split('?')
    const own = pages[path]
    const page = sitePages[place]
    if (path === '/robots.txt') answerRobots(response, robots)
    else if (own !== undefined) response.setHeader('content-type', 'text/html; charset=utf-8').end(own)
    else if (page) response.setHeader('content-type', page.type).end(page.body)
    else if (hostile[place]) hostile[place](request, response)
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<p>There is no such page.</p>')
  }
  const server = createServer(answer).listen(port, host)
  await once(server, 'listening')
  const actual = (server.address() as AddressInfo).port
  const url = `http://${host}:${actual}`
  hostile = hostilePages(options.inside ?? url)
  return {
    url,
    port: actual,
    requests,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const answerRobots = (response: ServerResponse, robots: string | Buffer | number): void => {
  if (robots === 'silent') return
  if (typeof robots === 'number') response.writeHead(robots).end()
  else {
    if (typeof robots !== 'string') response.setHeader('content-encoding', 'gzip')
    response.setHeader('content-type', 'text/plain').end(robots)
  }
}
