import { readFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { chromium } from 'playwright-core'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import * as browser from './browser.ts'
import * as node from './index.ts'

const entry = new URL('./browser.ts', import.meta.url)
const chromiumPath = process.env.CHROMIUM_PATH

describe('@sibyl/identity/browser', () => {
  it('reaches no module of Node', async () => {
    const reached = await reachableModules(entry)
    expect(reached.filter(module => isBuiltin(module))).toEqual([])
    expect(reached.some(module => module.includes('@noble/hashes'))).toBe(true)
    expect(await reachableModules(new URL('./index.ts', entry))).toContain('node:crypto')
  })

  it('creates keys and tokens without crypto.subtle and Node', async () => {
    const oracle = node.createSigningKey()
    const resource = `oracle:${oracle.did}`
    const made = await runWithoutNode(
      `const { createSigningKey, mintDelegation, mintInvocation, signingKeyFromSecret } = await import('${entry}')
       const user = createSigningKey()
       const device = signingKeyFromSecret(createSigningKey().exportSecret())
       const grant = { resource: '${resource}', abilities: ['chat/send'] }
       const delegation = await mintDelegation({ ...grant, key: user, audience: device.did })
       const token = await mintInvocation({ ...grant, key: device, audience: '${oracle.did}', proofs: [delegation] })
       return { user: user.did, device: device.did, token }`,
    )
    const verifier = node.createVerifier({ audience: [oracle.did], rootIssuers: () => ({ access: 'open' }) })
    expect(await verifier.verify(made.token!, { resource, ability: 'chat/send' })).toMatchObject({
      ok: true,
      invocation: { issuer: made.device, rootIssuer: made.user },
    })
  })

  it('is what a bundler takes for @sibyl/identity on a page', async () => {
    const { code, warnings } = await bundleForPage(`export * from '@sibyl/identity'`)
    expect(warnings).toEqual([])
    expect(code).not.toMatch(/node:|bip39/)
  })

  it.skipIf(chromiumPath === undefined)(
    'makes keys and tokens in Chromium',
    async () => {
      const oracle = node.createSigningKey()
      const grant = { audience: oracle.did, resource: `oracle:${oracle.did}`, abilities: ['chat/send'] }
      const { code } = await bundleForPage(
        `import { createSigningKey, mintInvocation } from '@sibyl/identity'
       const key = createSigningKey()
       globalThis.made = mintInvocation({ key, ...${JSON.stringify(grant)} }).then(token => ({ did: key.did, token }))`,
      )
      const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] })
      try {
        const page = await browser.newPage()
        await page.addScriptTag({ content: code, type: 'module' })
        const made = await page.evaluate(() => (globalThis as unknown as { made: { did: string; token: string } }).made)
        const verifier = node.createVerifier({ audience: [oracle.did], rootIssuers: () => ({ access: 'open' }) })
        expect(await verifier.verify(made.token, { resource: grant.resource, ability: 'chat/send' })).toMatchObject({
          ok: true,
          invocation: { issuer: made.did },
        })
      } finally {
        await browser.close()
      }
    },
    60_000,
  )

  it('offers nothing that @sibyl/identity does not offer under the same name', () => {
    for (const name of Object.keys(browser)) expect(node).toHaveProperty(name)
  })
})

/** Bundles a module that imports the package by its name. */
async function bundleForPage(source: string): Promise<{ code: string; warnings: string[] }> {
  const warnings: string[] = []
  const bundle = await rolldown({
    input: 'page',
    platform: 'browser',
    resolve: { conditionNames: ['browser', 'sibyl-source', 'default'] },
    onLog: (_level, log) => void warnings.push(log.message),
    plugins: [
      {
        name: 'page',
        resolveId: id => (id === 'page' ? fileURLToPath(new URL('./page.js', entry)) : undefined),
        load: id => (id.endsWith('/page.js') ? source : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: true })
  await bundle.close()
  return { code: output[0].code, warnings }
}

/** Every module that a module imports, directly or not, by URL or by the name of a builtin. */
async function reachableModules(start: URL): Promise<string[]> {
  const found = new Set<string>([start.href])
  for (const module of found) {
    if (isBuiltin(module)) continue
    for (const specifier of importsOf(await readFile(fileURLToPath(module), 'utf8'))) {
      if (isBuiltin(specifier)) found.add(specifier)
      else found.add(pathToFileURL(createRequire(module).resolve(specifier)).href)
    }
  }
  return [...found]
}

function importsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^(import|export) type [^'"]*['"].*$/gm, '')
  const specifiers = code.matchAll(/\b(?:from|import|import\(|require\()\s*['"]([^'"\n]+)['"]/g)
  return Array.from(specifiers, match => match[1]!)
}

/** Runs code as on a plain http page: getRandomValues, but no crypto.subtle, Buffer, process or require. */
function runWithoutNode(code: string): Promise<Record<string, string>> {
  const page = `
    const { parentPort } = require('node:worker_threads')
    const post = message => parentPort.postMessage(message)
    const random = globalThis.crypto
    Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues: bytes => random.getRandomValues(bytes) } })
    for (const name of ['Buffer', 'process', 'global', 'require', 'module', 'setImmediate']) delete globalThis[name]
    void (async (require, module) => { ${code} })().then(post)`
  return new Promise((resolve, reject) => {
    const worker = new Worker(page, { eval: true })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
