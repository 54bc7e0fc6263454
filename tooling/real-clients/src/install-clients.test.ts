import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const install = new URL('install-clients.ts', import.meta.url).href

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sibyl-real-clients-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Writes a folder whose lockfile names one package of a registry. */
const needs = (version: string) => {
  const dependencies = { 'a-client': version }
  const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
  const packages = { '': { dependencies }, 'node_modules/a-client': { version, integrity } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
}

/** Installs in a process with the npm of the machine, and returns what came of it. */
const result = (registry: string) =>
  new Promise<string>(resolve => {
    const code = `import(${JSON.stringify(install)}).then(async m => {
      process.send(await m.installClients(${JSON.stringify(folder)}))
      process.disconnect()
    })`
    const env = { ...process.env, npm_config_registry: registry, npm_config_cache: join(folder, 'cache') }
    const child = spawn(process.execPath, ['--conditions=sibyl-source', '--input-type=module', '-e', code], {
      env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('message', message => resolve(String(message)))
    child.on('close', () => resolve('crashed'))
  })

const registry = async (listener: RequestListener) => {
  const server = createServer(listener)
  onTestFinished(() => void server.close())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a registry that nothing answers at is unreachable', async () => {
  needs('1.0.0')
  expect(await result('http://127.0.0.1:9/')).toBe('unreachable')
})

test('a registry whose proxy answers with errors alone is unreachable', async () => {
  needs('1.0.0')
  expect(await result(await registry((_, reply) => reply.writeHead(503).end()))).toBe('unreachable')
})

test('a package that the registry does not have is a failure', async () => {
  needs('1.0.0')
  expect(await result(await registry((_, reply) => reply.writeHead(404).end('{"error":"not found"}')))).toBe('failed')
})

test('an installed lockfile is not installed again, a changed one is', async () => {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"dependencies":{}}')
  writeFileSync(join(folder, 'package-lock.json'), '{"lockfileVersion":3,"packages":{"":{}}}')
  mkdirSync(join(folder, 'node_modules'))
  expect(await result('http://127.0.0.1:9/')).toBe('installed')
  expect(await result('http://127.0.0.1:9/')).toBe('present')
  needs('1.0.0')
  expect(await result('http://127.0.0.1:9/')).toBe('unreachable')
})

test('the lockfile pins each package by version and content, and names no registry', () => {
  const clients = join(import.meta.dirname, '../clients')
  const lockfile = z
    .object({ packages: z.record(z.string(), z.looseObject({ integrity: z.string().optional() })) })
    .parse(JSON.parse(readFileSync(join(clients, 'package-lock.json'), 'utf8')))
  const installed = Object.entries(lockfile.packages).filter(([path]) => path !== '')
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
  expect(installed.filter(([, found]) => 'resolved' in found).map(([path]) => path)).toEqual([])
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(clients, 'package.json'), 'utf8')))
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})
