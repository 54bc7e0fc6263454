import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { packCheckout } from './pack-checkout.ts'

let checkout: string
beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'sibyl checkout ä '))
  await write('packages/core/src/index.ts', 'export {}')
  await write(
    'scripts/pack-packages.mjs',
    `import { mkdirSync, writeFileSync } from 'node:fs'
    const [folder] = process.argv.slice(2)
    console.log('step: bundling')
    mkdirSync(folder, { recursive: true })
    writeFileSync(folder + '/packed.tgz', 'of this state')`,
  )
})
afterEach(() => rm(checkout, { recursive: true, force: true }))

const write = async (path: string, text: string) => {
  await mkdir(dirname(join(checkout, path)), { recursive: true })
  await writeFile(join(checkout, path), text)
}

/** Packs; returns the folder and the output. */
const pack = async () => {
  const shown: string[] = []
  const folder = await packCheckout(checkout, process.env, (name, work) => {
    shown.push(name)
    return work(text => void shown.push(text))
  })
  return { folder, shown }
}

test('packs once per state of the sources, and shows it', async () => {
  const first = await pack()
  expect(first.shown).toEqual(['Packing the packages of this checkout', 'bundling'])
  expect(await readFile(join(first.folder, 'packed.tgz'), 'utf8')).toBe('of this state')
  expect(await pack()).toEqual({ folder: first.folder, shown: [] })

  await write('packages/core/dist/index.js', 'is made of the sources')
  await write('packages/core/src/index.test.ts', 'is not packed')
  expect((await pack()).shown).toEqual([])

  await write('packages/core/src/index.ts', 'export const answer = 42')
  const second = await pack()
  expect(second.shown).toHaveLength(2)
  expect(second.folder).not.toBe(first.folder)
  expect((await readdir(dirname(first.folder))).length).toBe(2)
})

test('reports the output of a failed build, and retries the next time', async () => {
  await write('scripts/pack-packages.mjs', "console.error('core/src/index.ts: a type is wrong'); process.exit(1)")
  const error = await pack().catch(error => error)
  expect(error).toMatchObject({ code: 'packing_failed' })
  expect(error.message).toContain('core/src/index.ts: a type is wrong')
  await expect(pack()).rejects.toMatchObject({ code: 'packing_failed' })
})
