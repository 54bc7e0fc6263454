import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import type { Host } from '@sibyl/plugin'
import { silentLogger, switchedOn } from '@sibyl/testing'
import type { ApiDocument } from './api-document.ts'
import { httpPages } from './http-page.ts'
import type { Pages } from './link-pages.ts'
import { type PluginWithParts, pluginsPage } from './plugins-page.ts'
import { readPage } from './read-page.ts'

/** The part of the reference that is generated for the documentation site, and not committed. */
export interface SiteReference {
  /** The OpenAPI document of an oracle with all bundled plugins and adapters. */
  readonly document: ApiDocument
  /** The pages of routes, and the committed pages `http.md` and `plugins.md` with their tables. */
  readonly pages: Pages
}

/** Returns the generated part of the reference, from an oracle with all optional features enabled. */
export const siteReference = async (): Promise<SiteReference> => {
  const ready: PluginWithParts[] = []
  const plugins = bundledPlugins().map(plugin => ({
    ...plugin,
    async setup(host: Host) {
      const parts = await plugin.setup(host)
      ready.push({ plugin, parts })
      return parts
    },
  }))
  const env = { ...switchedOn(plugins), DATABASE_URL: 'memory:', ORACLE_API_KEYS: 'example:0123456789abcdef' }
  const oracle = await createOracleApp({ plugins, adapters: bundledAdapters(), env, logger: silentLogger })
  try {
    const document = (await (await oracle.request('/openapi.json')).json()) as ApiDocument
    // Plugins are set up in the order of their dependencies, and listed in that of the bundle.
    const names = plugins.map(({ name }) => name)
    const listed = ready.toSorted((one, other) => names.indexOf(one.plugin.name) - names.indexOf(other.plugin.name))
    const pages = new Map([
      ...httpPages(document, readPage('docs/reference/http.md')),
      ['docs/reference/plugins.md', pluginsPage(listed, readPage('docs/reference/plugins.md'))],
    ])
    return { document, pages }
  } finally {
    await oracle.close()
  }
}
