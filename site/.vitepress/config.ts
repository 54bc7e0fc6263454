import { readFileSync } from 'node:fs'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { slug } from './slug.ts'

/** Written by `buildSite` beside the pages. */
const facts = JSON.parse(readFileSync(new URL('../dist/pages/facts.json', import.meta.url), 'utf8')) as {
  readonly version: string
  readonly description: string
  readonly sidebar: DefaultTheme.SidebarItem[]
}

export default defineConfig({
  title: 'Sibyl',
  description: facts.description,
  lang: 'en-US',
  srcDir: 'dist/pages',
  cacheDir: 'dist/cache',
  // Links of the sidebar would all be fetched with each page.
  router: { prefetchLinks: false },
  ignoreDeadLinks: 'localhostLinks',
  metaChunk: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify: slug },
    // Braces in headings are parts of paths, such as /sessions/{id}.
    attrs: { disable: true },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      // The search index renders each page again; highlighting is half of a build.
      const highlight = markdown.options.highlight!
      const highlighted = new Map<string, string>()
      markdown.options.highlight = (...block) => {
        const key = JSON.stringify(block)
        const html = highlighted.get(key) ?? highlight(...block)
        highlighted.set(key, html)
        return html
      }
      const renderFence = markdown.renderer.rules.fence!
      // The word after the language is the path of the file that the block is.
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const [, path] = /^\S+ +(\S+)$/.exec(tokens[index]!.info.trim()) ?? []
        const block = renderFence(tokens, index, ...rest)
        return path ? `<p class="file-of-code">${markdown.utils.escapeHtml(path)}</p>${block}` : block
      }
    },
  },
  themeConfig: {
    siteTitle: 'Sibyl',
    nav: [
      { text: 'Guide', link: '/guide/', activeMatch: '^/guide/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/(?!api)' },
      { text: 'API', link: '/reference/api', activeMatch: '^/reference/api' },
      { text: facts.version, link: '/project/changelog' },
    ],
    sidebar: facts.sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boost: { title: 6, titles: 2 } } } } },
    footer: { message: 'Licensed under Apache-2.0.' },
  },
  // The search index is one chunk, loaded when a reader opens the search.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  transformPageData: page =>
    page.relativePath === 'reference/api.md' ? { frontmatter: { ...page.frontmatter, aside: false } } : undefined,
})
