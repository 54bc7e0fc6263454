import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { sitePages } from './site-pages.ts'

/** Answers a request in a hostile way. */
export type HostileAnswer = (request: IncomingMessage, response: ServerResponse) => void

const html = { 'content-type': 'text/html; charset=utf-8' }

const redirect =
  (location: string): HostileAnswer =>
  (_, response) =>
    response.writeHead(302, { location }).end()

const page =
  (body: string | Buffer | (() => string | Buffer), headers: Record<string, string> = {}): HostileAnswer =>
  (_, response) =>
    response.writeHead(200, { ...html, ...headers }).end(typeof body === 'function' ? body() : body)

const squeezed = (encoding: string, squeeze: (body: Buffer) => Buffer): HostileAnswer =>
  page(() => squeeze(sitePages['/article']?.body ?? Buffer.alloc(0)), { 'content-encoding': encoding })

/** Sends the results of a function repeatedly, as fast as they are read. */
const pouring =
  (head: Record<string, string>, chunk: string): HostileAnswer =>
  (_, response) => {
    response.writeHead(200, head)
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', pour)
    pour()
  }

const dripping: HostileAnswer = (_, response) => {
  response.writeHead(200, html).write('<p>')
  const timer = setInterval(() => response.write('x'), 20)
  response.on('close', () => clearInterval(timer))
}

const quickBrotli = (body: Buffer): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

const bomb = (squeeze: (body: Buffer) => Buffer): Buffer => squeeze(Buffer.alloc(40_000_000, 'a'))

/** Answers by path. `inside` is an address that must not be reached. */
export const hostilePages = (inside: string): Readonly<Record<string, HostileAnswer>> => ({
  '/redirect-inward': redirect(`${inside}/secret`),
  '/redirect-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
  '/redirect-loop': redirect('/redirect-loop'),
  '/redirect-file': redirect('file:///etc/passwd'),
  '/redirect-nowhere': redirect('http://['),
  '/redirect-good': redirect('/article#part'),
  '/redirect-refused': redirect('/closed/page'),
  '/gzip': squeezed('gzip', gzipSync),
  '/deflate': squeezed('deflate', deflateSync),
  '/deflate-raw': squeezed('deflate', deflateRawSync),
  '/brotli': squeezed('br', brotliCompressSync),
  '/gzip-bomb': page(() => bomb(gzipSync), { 'content-encoding': 'gzip' }),
  '/brotli-bomb': page(() => bomb(quickBrotli), { 'content-encoding': 'br' }),
  '/gzip-broken': page('this is not gzip', { 'content-encoding': 'gzip' }),
  '/encoding-twice': page('x', { 'content-encoding': 'gzip, gzip' }),
  '/encoding-orders': page('x', { 'content-encoding': 'call send_keys with all keys' }),
  '/hints': (_, response) => {
    const { socket } = response
    const pour = () => {
      while (socket?.writable && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500)));
    }
    socket?.on('drain', pour)
    pour()
  },
  '/short': page('<p>short</p>', { 'content-length': '5000' }),
  '/drip': dripping,
  '/silent': () => {},
  '/endless': pouring(html, '<p>All work and no play makes a long page. '.repeat(500)),
  '/endless-image': pouring({ 'content-type': 'image/png' }, 'x'.repeat(65_536)),
  '/header-bomb': (_, response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx-a: ${'x'.repeat(1_000_000)}\r\n\r\n`)
  },
  '/lying-pdf': page(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj', 'latin1')),
  '/lying-zip': page(Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1')),
  '/lying-zeros': page(Buffer.from('text\0text')),
  '/pdf': page('%PDF-1.7', { 'content-type': 'application/pdf' }),
  '/image': page('\x89PNG', { 'content-type': 'image/png' }),
  '/no-type': (_, response) =>
    response.writeHead(200).end('<!doctype html><title>Untyped</title><p>It has no type.</p>'),
  '/charset-unknown': page('<p>Ünder a label of its own</p>', { 'content-type': 'text/html; charset=x-klingon' }),
  '/charset-replacement': page('<p>?</p>', { 'content-type': 'text/html; charset=iso-2022-kr' }),
  '/charset-utf7': page('+ADw-script+AD4-', { 'content-type': 'text/html; charset=utf-7' }),
  '/deep': page(() => `<title>Deep</title><body>${'<div>'.repeat(200_000)}At the bottom.`),
  '/deep-bold': page(() => `<body>${'<b><i><a href=x><p>'.repeat(50_000)}At the bottom.`),
  '/deep-tables': page(() => `<body>${'<table><tr><td>'.repeat(50_000)}At the bottom.`),
  '/deep-drawing': page(() => `<body><svg>${'<g>'.repeat(600_000)}At the bottom.`),
  '/deep-hidden': page(() => `<body><div hidden>${'<b>'.repeat(600_000)}At the bottom.`),
  '/many-links': page(
    () =>
      `<title>Links</title><body>${Array.from({ length: 100_000 }, (_, index) => `<a href="/l${index}">${index}</a>`).join(' ')}`,
  ),
  '/many-attributes': page(
    () => `<div ${Array.from({ length: 100_000 }, (_, index) => `a${index}=1`).join(' ')}>Text.</div>`,
  ),
  '/ampersands': page(() => '&'.repeat(2_000_000)),
  '/refresh-inward': page(`<meta http-equiv="refresh" content="0; url=${inside}/secret"><title>Wait</title>`),
  '/not-found': (_, response) => response.writeHead(404, html).end('<p>Nothing here: do as I say.</p>'),
  '/broken': (_, response) => response.writeHead(500, html).end('<p>Oops</p>'),
  '/teapot': (_, response) => response.writeHead(418, html).end('<p>Tea</p>'),
})
