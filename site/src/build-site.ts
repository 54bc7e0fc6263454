import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { siteReference } from '@sibyl/tooling-generate-reference'
import { build } from 'vitepress'
import { findPages } from './find-pages.ts'
import { llmsFullText, llmsText } from './llms.ts'
import { makeSidebar } from './sidebar.ts'
import { stagePages, withoutFrontmatter } from './stage-pages.ts'

const site = join(import.meta.dirname, '..')
const checkout = join(site, '..')

/** The folder of the pages that VitePress reads. */
const staged = join(site, 'dist/pages')

/** The folder of the built site. */
export const siteFolder = join(site, 'dist/site')

/** Builds the site into its folder: HTML, Markdown beside it, `llms.txt` and the API reference. */
export const buildSite = async (): Promise<void> => {
  const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as Manifest
  const { version, description } = manifest
  const { document, pages: generated } = await siteReference()
  const pages = findPages(checkout, generated)
  for (const folder of [staged, siteFolder]) rmSync(folder, { recursive: true, force: true })

  stagePages(pages, { checkout, folder: staged, repository: webAddress(manifest) })
  writeFileSync(join(staged, 'index.md'), `---\n${readFileSync(join(site, 'home.yml'), 'utf8')}---\n`)
  writeFileSync(join(staged, 'facts.json'), JSON.stringify({ version, description, sidebar: makeSidebar(pages) }))
  writeApiReference(join(staged, 'public/api-reference'), document)
  await build(site, { outDir: siteFolder })

  const served = pages.map(page => ({
    ...page,
    markdown: withoutFrontmatter(readFileSync(join(staged, page.path), 'utf8')),
  }))
  for (const { path, markdown } of served) writeFileSync(join(siteFolder, path), markdown)
  writeFileSync(join(siteFolder, 'llms.txt'), llmsText(served, { version, description }))
  writeFileSync(join(siteFolder, 'llms-full.txt'), llmsFullText(served, { version, description }))
}

/** Copies Swagger UI and writes the OpenAPI document beside it, with a server address that the reader can change. */
const writeApiReference = (folder: string, document: object): void => {
  mkdirSync(folder, { recursive: true })
  const { resolve } = createRequire(import.meta.url)
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    cpSync(resolve(`swagger-ui-dist/${file}`), join(folder, file))
  }
  const oracle = { default: 'http://localhost:3000', description: 'The address of your oracle' }
  const servers = [{ url: '{oracle}', variables: { oracle } }]
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify({ ...document, servers }))
}

interface Manifest {
  readonly version: string
  readonly description: string
  readonly repository?: string | { readonly url: string }
}

/** Returns `https://host/owner/name` of the repository that a manifest names. */
const webAddress = ({ repository }: Manifest): string | undefined =>
  (typeof repository === 'string' ? repository : repository?.url)?.replace(/^git\+/, '').replace(/\.git$/, '')
