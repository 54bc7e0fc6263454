import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundleForBrowser } from './keys/key-page.test.helper.ts'

const compressed = (scripts: readonly [string, string][]): number =>
  scripts.reduce((sum, [, script]) => sum + gzipSync(script, { level: 9 }).length, 0)

test('the whole client has at most 41 kB, minified and compressed with gzip at level 9', async () => {
  const scripts = [...(await bundleForBrowser('./index.ts'))]
  // Ed25519 for browsers without it, which only they load.
  const [fallback, loaded] = [true, false].map(is =>
    scripts.filter(([name]) => name.startsWith('extractable-key') === is),
  )
  expect(compressed(loaded!)).toBeGreaterThan(10_000)
  expect(compressed(loaded!)).toBeLessThan(41_000)
  expect([fallback!.length, compressed(fallback!) < 8_000]).toEqual([1, true])
  // English only: a bundler that cannot drop the other locales adds 60 kB.
  expect(scripts.join()).not.toMatch(/Ungültige Eingabe|Entrée invalide/)
})
