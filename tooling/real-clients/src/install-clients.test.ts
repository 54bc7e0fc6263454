import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

/** Installs in a process whose npm reaches no registry, and returns the result. */
const result = () =>
  new Promise<string>(resolve => {
    const code = `import(${JSON.stringify(install)}).then(async m => {
      process.send(await m.installClients(${JSON.stringify(folder)}))
      process.disconnect()
    })`
    const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: join(folder, 'cache') }
    const child = spawn(process.execPath, ['--conditions=sibyl-source', '--input-type=module', '-e', code], {
      env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('message', message => resolve(String(message)))
    child.on('close', () => resolve('crashed'))
  })

test('an installed lockfile is not installed again, a changed one is', async () => {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"dependencies":{}}')
  writeFileSync(join(folder, 'package-lock.json'), '{"lockfileVersion":3,"packages":{"":{}}}')
  mkdirSync(join(folder, 'node_modules'))
  expect(await result()).toBe('installed')
  expect(await result()).toBe('present')
  needs('1.0.0')
  expect(await result()).toBe('failed')
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
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/)
})
