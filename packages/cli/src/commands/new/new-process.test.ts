import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reservePort } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import { bundledSibyl } from '../../process/bundled-sibyl.test.helper.ts'
import { fakePackages } from '../../scaffold/packages/fake-packages.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { startDevnet } from '../devnet/devnet-process.test.helper.ts'
import { holdRegistry } from './held-registry.test.helper.ts'
import { temporaryPlace } from './new.test.helper.ts'

const openPlace = async () => {
  const place = temporaryPlace()
  await fakePackages(place.packages)
  const work = () => readdirSync(place.work).sort()
  const unfinished = () => readdirSync(join(place.home, 'unfinished')).map(name => name.split('.')[1])
  /** Runs `sibyl new` as a process. */
  const start = (args: readonly string[], env: Record<string, string> = {}) => {
    const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
    const child = spawn(process.execPath, [bundledSibyl, 'new', ...args], {
      cwd: place.work,
      env: { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE, ...place.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const shown = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', text => {
        shown[name] += text
      })
    }
    const ended = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, ...shown }))
    return { child, ended }
  }
  return { ...place, workEntries: work, unfinished, start }
}

const oraclesAt = async (url: string, apiKey = ''): Promise<string[]> => {
  const answer = await fetch(`${url}/v1/entities?type=Oracle`, { headers: { authorization: `Bearer ${apiKey}` } })
  const { entities } = (await answer.json()) as { entities: { did: string }[] }
  return entities.map(({ did }) => did)
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s while the registry is searched leaves nothing', async signal => {
  const place = await openPlace()
  const registry = await holdRegistry(() => '', 'GET /.well-known/oracle.json', 'before')
  const { child, ended } = place.start(['x', '--yes'], { REGISTRY_URL: registry.url })
  await registry.reached()
  child.kill(signal)
  expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Nothing was written.') })
  expect([place.workEntries(), place.unfinished()]).toEqual([[], []])
})

test('interrupted while it registers, then killed with the registry, it resumes, and registers once', {
  tags: 'long',
}, async () => {
  const place = await openPlace()
  const devnet = startDevnet(join(place.home, 'net'), ['--port', String(await reservePort())])
  const { url, apiKey } = await devnet.started()
  const registry = await holdRegistry(() => url, 'POST /v1/entities', 'before')
  const env = { REGISTRY_URL: registry.url }
  const interrupted = place.start(['x', '--yes', '--name', 'Mine'], env)
  await registry.reached()
  interrupted.child.kill('SIGINT')
  const reported = expect.stringContaining('to continue from here: sibyl new')
  expect(await interrupted.ended).toMatchObject({ code: 130, stderr: reported })
  expect([place.workEntries(), place.unfinished()]).toEqual([[], ['json']])

  registry.hold('after')
  const killed = place.start(['x'], env)
  await registry.reached()
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(await oraclesAt(url, apiKey)).toHaveLength(1)
  await devnet.kill('SIGKILL')
  expect(place.workEntries()).toEqual([expect.stringMatching(/^\.x\.sibyl-/)])
  expect(place.unfinished().sort()).toEqual(['json', 'lock'])

  registry.letGo()
  // From here on no step ends a process: the same in this one.
  const resume = async (...args: string[]) => {
    const terminal = new FakeTerminal({ ...place.env, ...env }, false, 80, place.work)
    return { code: await run(['new', 'x', ...args], terminal.io), stdout: terminal.text, stderr: terminal.errors }
  }
  expect(await resume()).toMatchObject({ code: 4, stdout: '', stderr: reported })

  await startDevnet(join(place.home, 'net'), ['--port', new URL(url).port]).started()
  const last = await resume('--json')
  expect(last).toMatchObject({ code: 0, stderr: expect.stringContaining('Continuing the run of ') })
  const made = JSON.parse(last.stdout)
  expect(made).toMatchObject({ name: 'Mine', resumed: true })
  expect(await oraclesAt(url, apiKey)).toEqual([made.entityDid])
  expect(JSON.parse(readFileSync(join(place.work, 'x/oracle.config.json'), 'utf8')).entityDid).toBe(made.entityDid)
  expect([place.workEntries(), place.unfinished()]).toEqual([['x'], []])
})

test('SIGINT while it installs leaves the project, and ends the package manager', async () => {
  const place = await openPlace()
  const registry = await holdRegistry(() => '', 'GET /npm', 'before')
  const programs = join(place.home, 'bin')
  mkdirSync(programs, { recursive: true, mode: 0o700 })
  writeFileSync(join(programs, 'npm'), `#!${process.execPath}\nfetch('${registry.url}/npm')\n`)
  chmodSync(join(programs, 'npm'), 0o755)
  const { child, ended } = place.start(['x', '--yes', '--no-register', '--install'], {
    PATH: `${programs}:${process.env.PATH}`,
  })
  await registry.reached()
  child.kill('SIGINT')
  expect(await ended).toMatchObject({
    code: 130,
    stdout: expect.stringContaining('X is made.'),
    stderr: expect.stringContaining('The project was written. To install it: npm install'),
  })
  expect(place.workEntries()).toEqual(['x'])
})
