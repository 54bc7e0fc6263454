// How long requests for an entity's past hold the event loop: a chain of large changes, read by the resolver, as pages of
// history and proof, and as the entity was. The floor is one change that is parsed, hashed and written out again.
// Run: BENCH_VERSIONS=1000 BENCH_CHANGE_BYTES=90000 node --conditions=sibyl-source benchmarks/entity-history.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOracleApp } from '@sibyl/core'
import { entities } from '@sibyl/plugin-entities'
import { apiKey, entitySettings } from './entities/entity-settings.ts'
import { loopHeld } from './measure/loop-held.ts'

const versions = Number(process.env.BENCH_VERSIONS ?? 1_000)
const changeBytes = Number(process.env.BENCH_CHANGE_BYTES ?? 90_000)
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const env = { ...entitySettings(`file:${join(data, 'oracle.db')}`), LOG_LEVEL: 'error' }
const app = await createOracleApp({ config: { name: 'Benchmark' }, plugins: [entities()], env })

const send = async (method: string, path: string, json?: object, headers: Record<string, string> = {}) => {
  const answer = await app.request(path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    ...(json ? { body: JSON.stringify(json) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status} ${await answer.text()}`)
  return answer
}

/** Readings of a meter, different in each version: many short members, which cost most to read and to hash. */
const readingsOf = (version: number): object => {
  const count = Math.floor(changeBytes / 20)
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`r${index}`, 1_000_000 + version + index]))
}

const { did } = (await (await send('POST', '/v1/entities', { type: 'Meter' })).json()) as { did: string }
const path = `/v1/entities/${encodeURIComponent(did)}`
for (let version = 1; version < versions; version += 1) {
  await send('PATCH', path, { properties: { readings: readingsOf(version) } }, { 'if-match': `"${version}"` })
}
console.log(`${versions} versions of ${JSON.stringify(readingsOf(1)).length} bytes`)

const requests: Readonly<Record<string, string>> = {
  'resolve the last but one version': `/1.0/identifiers/${did}?versionId=${versions - 1}`,
  'resolve by time': `/1.0/identifiers/${did}?versionTime=2999-01-01T00:00:00Z`,
  'as it was': `${path}?at=2999-01-01T00:00:00Z`,
  'history, first page': `${path}/history?limit=200`,
  'proof, first page': `${path}/proof`,
  'proof, last page': `${path}/proof?after=${versions - 1}`,
}
const measure = async (what: string, request: string): Promise<number> => {
  const { heldMs, cpuMs, wallMs, value } = await loopHeld(async () => {
    const answer = await app.request(request, { headers: { authorization: `Bearer ${apiKey}` } })
    return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength }
  })
  console.log(
    `  ${what.padEnd(34)} held ${heldMs.toFixed(1).padStart(7)} ms  CPU ${cpuMs.toFixed(0).padStart(6)} ms` +
      `  wall ${wallMs.toFixed(0).padStart(6)} ms  ${value.status}, ${value.bytes} bytes`,
  )
  return value.status
}

for (const round of ['first', 'second']) {
  console.log(`${round} time`)
  for (const [what, request] of Object.entries(requests)) {
    for (let status = 503; status === 503; ) status = await measure(what, request)
  }
}
await app.close()
rmSync(data, { recursive: true, force: true })
