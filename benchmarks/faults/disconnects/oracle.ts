// An oracle that reports on request which resources of the event loop and objects on its heap remain.
import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { queryObjects } from 'node:v8'
import { createOracleApp } from '@sibyl/core'
import { silentLogger } from '@sibyl/testing'
import { announceOracle } from '../frame/start-oracle.ts'

/** Resources that keep the event loop alive, by kind: sockets, timers, requests in progress. */
export type Resources = Readonly<Record<string, number>>

/** Number of objects on the heap that a leak would keep. */
export interface HeapObjects {
  readonly sockets: number
  readonly responses: number
  readonly timers: number
}

const app = await createOracleApp({ plugins: [], logger: silentLogger })

const someTimer = setTimeout(() => {}, 0)
const Timer = someTimer.constructor as new () => object
clearTimeout(someTimer)

const resources = (): Resources => {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** Collects garbage first. */
const heapObjects = (): HeapObjects => {
  const count = (kind: unknown) => queryObjects(kind as never, { format: 'count' }) as unknown as number
  return { sockets: count(Socket), responses: count(ServerResponse), timers: count(Timer) }
}

process.on('message', question => process.send!(question === 'resources' ? resources() : heapObjects()))
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
