import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { onTestFinished } from 'vitest'
import { objectLocation } from '../objects/object-location.ts'
import { openObjectStore } from '../objects/object-store.ts'

/** A response of a test instead of that of the store; undefined passes the request on. */
export type Interference = (
  request: IncomingMessage,
  body: Buffer,
) =>
  | { readonly status: number; readonly code?: string; readonly headers?: Record<string, string> }
  | 'hang up'
  | undefined

/** An object store on a port of this machine, with the bucket `oracle`. */
export interface TestObjectStore {
  /** The variables that lead to it. */
  readonly env: Readonly<
    Record<'AWS_ENDPOINT_URL' | 'AWS_REGION' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY', string>
  >
  /** `PUT /oracle/key` of each request. */
  readonly requests: string[]
  /** Changes a piece of a response. */
  alter: ((chunk: Buffer) => Buffer) | undefined
  interfere: Interference | undefined
  /** Lists the keys in the bucket. */
  keys(): Promise<readonly string[]>
  put(key: string, content: string): Promise<void>
  read(key: string): Promise<Buffer>
  remove(keys: readonly string[]): Promise<void>
  /** Begins an upload in parts, as a process that crashes in it. */
  beginUpload(key: string): Promise<void>
  /** Waits until a request was answered. */
  once(isMeant: (request: string) => boolean): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts s3rver, which verifies the id of a key and the time of a request, behind a peer that is stricter: it verifies the
 * signature and the SHA-256 of each request, and lists and aborts uploads, which s3rver cannot. Ends with the test.
 */
export const startObjectStore = async (): Promise<TestObjectStore> => {
  const directory = mkdtempSync(join(tmpdir(), 'sibyl-objects-'))
  const store = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory, vhostBuckets: false },
    configureBuckets: [{ name: 'oracle', configs: [] }],
  })
  const { port } = (await store.run()) as AddressInfo
  const requests: string[] = []
  /** Keys of incomplete uploads by their ids. */
  const uploads = new Map<string, string>()
  let lastWrite = Promise.resolve()
  const waiting: { readonly isMeant: (request: string) => boolean; readonly resolve: () => void }[] = []
  const front = createServer(async (incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`
    requests.push(line)
    outgoing.on('finish', () => {
      for (const { isMeant, resolve } of waiting) if (isMeant(line)) resolve()
    })
    const body = await buffer(incoming)
    const answer = started.interfere?.(incoming, body)
    if (answer === 'hang up') return incoming.socket.destroy()
    if (answer) return refuse(outgoing, answer)
    if (incoming.headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
      return refuse(outgoing, { status: 400, code: 'XAmzContentSHA256Mismatch' })
    if (signatureOf(incoming, 'S3RVER') !== /Signature=(\w+)$/.exec(incoming.headers.authorization ?? '')?.[1])
      return refuse(outgoing, { status: 403, code: 'SignatureDoesNotMatch' })
    const [, id = ''] = /[?&]uploadId=([^&]+)/.exec(line) ?? []
    if (incoming.method !== 'PUT') uploads.delete(id)
    if (incoming.method === 'DELETE' && id !== '') return outgoing.writeHead(204).end()
    if (incoming.method === 'GET' && line.includes('uploads=')) return listUploads(outgoing, line, uploads)
    const { url, method = '', headers } = incoming
    // s3rver ends the process if a deletion removes the folder of an object that it begins to write.
    if (!['GET', 'HEAD'].includes(method)) {
      const before = lastWrite
      const written = Promise.withResolvers<void>()
      lastWrite = written.promise
      if (outgoing.closed) written.resolve()
      else outgoing.on('close', written.resolve)
      await before
    }
    const passed = request({ host: '127.0.0.1', port, path: url, method, headers }, response => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.on('data', (chunk: Buffer) => {
        const begun = /<UploadId>(\w+)<\/UploadId>/.exec(line.includes('uploads=') ? String(chunk) : '')?.[1]
        if (begun !== undefined) uploads.set(begun, line.replace(/^POST \/oracle\/|\?.*/g, ''))
        outgoing.write(started.alter?.(chunk) ?? chunk)
      })
      response.on('end', () => outgoing.end())
    })
    passed.on('error', () => outgoing.destroy())
    passed.end(body)
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  const bucket = () => openObjectStore(objectLocation('s3://oracle', started.env))
  const started: TestObjectStore = {
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
      ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    },
    requests,
    alter: undefined,
    interfere: undefined,
    async keys() {
      const keys: string[] = []
      for await (const page of (await bucket()).list('')) keys.push(...page.map(({ key }) => key))
      return keys
    },
    async put(key, content) {
      await (await bucket()).put(key, content)
    },
    async read(key) {
      const opened = await (await bucket()).get(key)
      return opened === undefined ? Buffer.alloc(0) : buffer(opened.content)
    },
    async remove(keys) {
      await (await bucket()).remove(keys)
    },
    async beginUpload(key) {
      const { resolve, promise } = Promise.withResolvers<void>()
      waiting.push({ isMeant: line => line.includes('partNumber=1'), resolve })
      const objects = await openObjectStore(objectLocation('s3://oracle', started.env), { partBytes: 1 })
      const endless = async function* () {
        yield Buffer.from('12')
        await new Promise(() => {})
      }
      void objects.upload(endless(), { part: key, keyOf: () => key })
      await promise
    },
    once: isMeant => new Promise(resolve => waiting.push({ isMeant, resolve })),
    async stop() {
      front.closeAllConnections()
      await new Promise(resolve => front.close(resolve))
    },
  }
  onTestFinished(async () => {
    await started.stop()
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return started
}

const listUploads = (outgoing: ServerResponse, line: string, uploads: ReadonlyMap<string, string>): void => {
  const prefix = new URLSearchParams(line.replace(/^.*\?/, '')).get('prefix') ?? ''
  const found = [...uploads].filter(([, key]) => key.startsWith(prefix))
  const content = found.map(([id, key]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
  const rest = '<IsTruncated>false</IsTruncated>'
  outgoing.end(`<ListMultipartUploadsResult>${rest}${content.join('')}</ListMultipartUploadsResult>`)
}

/** The signature that a request must have (AWS Signature Version 4). */
const signatureOf = ({ method, url = '', headers }: IncomingMessage, secret: string): string => {
  const [, date = '', region = '', names = ''] =
    /\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+),/.exec(headers.authorization ?? '') ?? []
  const [path = '', query = ''] = url.split('?')
  const pairs = query.split('&').filter(Boolean)
  const lines = [
    ...[method, path, pairs.toSorted().join('&')],
    ...names.split(';').map(name => `${name}:${headers[name]}`),
    ...['', names, headers['x-amz-content-sha256']],
  ]
  const hash = createHash('sha256').update(lines.join('\n')).digest('hex')
  const scope = `${date}/${region}/s3/aws4_request`
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(mac, `AWS4${secret}`)
  return mac(key, ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n')).toString('hex')
}

const refuse = (
  outgoing: ServerResponse,
  {
    status,
    code,
    headers = {},
  }: { readonly status: number; readonly code?: string; readonly headers?: Record<string, string> },
): void => {
  outgoing.writeHead(status, { 'content-type': 'application/xml', ...headers })
  outgoing.end(code === undefined ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}
