import { createReadStream, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Blocks whatever would be loaded from outside; `connect-src` lets the API reference call the reader's oracle. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self' http: https:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves a folder of static files on the loopback address.
 *
 * @param port 0 takes a free one.
 */
export const serveSite = async (folder: string, port: number): Promise<Server> => {
  const server = createServer((request, response) => {
    const file = findFile(folder, request.url ?? '/')
    response.writeHead(file ? 200 : 404, {
      'content-type': types[extname(file ?? '.html')] ?? 'application/octet-stream',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      // The names of built files change with their content.
      'cache-control': /^\/assets\//.test(request.url ?? '') ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
    createReadStream(file ?? join(folder, '404.html')).pipe(response)
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done))
  return server
}

/**
 * Returns the file of a URL, which is `index.html` for a folder; undefined if it is missing or outside of the folder.
 */
const findFile = (folder: string, url: string): string | undefined => {
  const path = decodePath(new URL(url, 'http://localhost').pathname)
  if (path === undefined) return undefined
  const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path))
  if (!file.startsWith(folder + sep)) return undefined
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined
}

const decodePath = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
