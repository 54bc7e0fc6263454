import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBlocks } from './testing/code-blocks.ts'

const templates = globSync('../../templates/*/package.json', { cwd: import.meta.dirname })

test.each(templates)('imports of the guide are in %s, or their page installs them', template => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, template), 'utf8'))
  const missing = globSync('*.md', { cwd: import.meta.dirname }).flatMap(page => {
    const text = readFileSync(join(import.meta.dirname, page), 'utf8')
    const installed = [...text.matchAll(/npm install ((?:.*\\\n)*.*)/g)].flatMap(([, names = '']) =>
      names.split(/[\s`]+/),
    )
    return [...new Set(codeBlocks(text).flatMap(block => importedPackages(block.language, block.text)))]
      .filter(name => !(name in { ...dependencies, ...devDependencies }))
      .filter(name => !installed.some(one => one === name || one.startsWith(`${name}@`)))
      .map(name => `${page}: ${name}`)
  })
  expect(missing).toEqual([])
})

const importedPackages = (language: string, text: string): string[] =>
  /^(ts|tsx|js|mjs)$/.test(language)
    ? [...text.matchAll(/(?:from|import) '((?:@[\w-]+\/)?[\w-]+)(?:\/[\w./-]+)?'/g)].map(([, name = '']) => name)
    : []
