/** @module-tag long */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { processIo, run } from '../../index.ts'
import { fakePackages, tarOf, workspaceManifests } from './fake-packages.test.helper.ts'

const managers = { npm: ['npm'], pnpm: ['npx', '--prefer-offline', '-y', 'pnpm@12'] }
const packages = workspaceManifests().map(({ dependencies = {}, ...manifest }) => {
  const ours = Object.entries(dependencies).filter(([name]) => name.startsWith('@sibyl/'))
  return { ...manifest, dependencies: Object.fromEntries(ours) }
})

test.each([
  ['npm', 'new'],
  ['npm', '--merge'],
  ['pnpm', 'new'],
  ['pnpm', '--merge'],
] as const)(
  '%s asks no registry for @sibyl packages after sibyl new (%s)',
  async (manager, mode) => {
    const folder = mkdtempSync(join(tmpdir(), 'sibyl-registry-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const project = join(folder, 'project')
    if (mode === '--merge') {
      mkdirSync(project)
      writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true }')
      if (manager === 'pnpm') writeFileSync(join(project, 'pnpm-workspace.yaml'), 'catalog:\n  zod: 4.0.0\n')
    }
    const env = {
      ...process.env,
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      SIBYL_HOME: join(folder, 'home'),
      SIBYL_PACKAGES: await fakePackages(join(folder, 'packages'), packages),
    }
    const silent = new PassThrough().resume()
    const args = ['new', 'project', '--yes', '--no-register', '--package-manager', manager]
    const io = { ...processIo(), cwd: folder, env, stdout: silent, stderr: silent }
    expect(await run([...args, ...(mode === 'new' ? [] : ['--merge'])], io)).toBe(0)

    const { url, requested } = await serveRegistry(project)
    const [program = '', ...before] = managers[manager]
    const settings = [
      `--registry=${url}`,
      manager === 'npm' ? `--cache=${folder}/cache` : `--store-dir=${folder}/store`,
    ]
    const { stdout, stderr } = await promisify(execFile)(program, [...before, 'install', ...settings], {
      cwd: project,
      env,
    })
    expect(stdout + stderr).not.toMatch(/warn/i)
    expect(requested).toContain('/zod')
    expect(requested.filter(path => path.includes('sibyl'))).toEqual([])
  },
  120_000,
)

/** Starts a registry with empty packages of the versions that a project names; it records the paths of requests. */
const serveRegistry = async (project: string): Promise<{ readonly url: string; readonly requested: string[] }> => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const versions: Record<string, string> = { ...dependencies, ...devDependencies }
  const requested: string[] = []
  const server = createServer(({ url: path = '' }, response) => {
    requested.push(path)
    const name = decodeURIComponent(path.slice(1)).replace(/\.tgz$/, '')
    const manifest = { name, version: versions[name] }
    if (manifest.version === undefined) return response.writeHead(404).end('{}')
    if (path.endsWith('.tgz')) return response.end(gzipSync(tarOf('package/package.json', JSON.stringify(manifest))))
    const dist = { tarball: `${url}/${encodeURIComponent(name)}.tgz` }
    const time = { [manifest.version]: '2020-01-01T00:00:00.000Z', modified: '2020-01-01T00:00:00.000Z' }
    response.setHeader('content-type', 'application/json')
    const versionsShown = { [manifest.version]: { ...manifest, dist } }
    response.end(JSON.stringify({ name, 'dist-tags': { latest: manifest.version }, time, versions: versionsShown }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requested }
}
